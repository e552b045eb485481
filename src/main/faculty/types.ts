import type { BidSource, Modality, SalienceTerms, Trace, Zone, ZoneChange } from '../../shared/attention'
import type { Handle, Rung } from '../../shared/domain'

/** One way a bid can be shown. */
export interface BidRung {
  level: Rung
  /** What its text costs at most. A text that turns out dearer is left out. */
  tokens: number
  /** A function is called only when the bid has won its place. */
  render: string | (() => string)
}

/** One source's claim on context space. */
export interface Bid {
  /** Unique within an assembly. */
  id: string
  source: BidSource
  /** One line for the trace; never the content itself. */
  title: string
  /** Each 0 to 1; what is left out is 0. Recency is computed from `at` when it is not given. */
  terms: Partial<Omit<SalienceTerms, 'spread'>>
  /** Coarse to fine. */
  rungs: readonly BidRung[]
  /** When what it shows happened, in milliseconds. */
  at?: number
  /** Entities it is about: where activation can reach it. */
  about?: readonly string[]
  /** Its place within its source's slot; ties go by id. */
  order?: number
  /** Who of its source stays longest in fixed mode, the lowest first; its place when not given. */
  rank?: number
  /** In at any price, at its coarsest if need be. */
  pin?: boolean
  /** The least alert zone in which it may speak. */
  zoneFloor?: Zone
  modality?: Modality
  ambient?: boolean
  /** Bids of one group stand together. */
  group?: string
  /** What it shows; of several bids with one key only the most salient stays. */
  key?: string
  /** The source decided not to bid, and says so for the trace. */
  withheld?: { reason: 'scene' | 'duplicate' | 'faded' | 'floor'; detail: string }
  handles?: readonly Handle[]
}

/** How one source bids: its place, its rank, its share and how its salience is weighed. */
export interface CatalogueEntry {
  source: BidSource
  modality: Modality
  /** Where it stands in fixed mode. */
  slot: number
  /** Who goes first when there is no room: the highest number. */
  priority: number
  pin: boolean
  zoneFloor: Zone
  /** Stands in the background: gone from amber on. */
  ambient: boolean
  /** Gone in red, unless it interrupts. */
  gossip: boolean
  /** Part of the budget that is its own in adaptive mode; what it leaves others may take. */
  share: number
  /** Half-life-like constant τ of recency, in milliseconds. */
  tau: number
  /** Its own salience function: how it weighs its terms where it does not as the others do. */
  weights: Partial<Weights>
  /** Stands before everything else, in the order of slots, also in adaptive mode. */
  anchored: boolean
}

export type Catalogue = Readonly<Record<BidSource, CatalogueEntry>>

export type Weights = Readonly<Record<keyof Omit<SalienceTerms, 'spread'>, number>>

/** The neighbours of an entity, weights 0 to 1. */
export type EntityGraph = (entity: string) => Iterable<{ to: string; weight: number }>

export interface AssembleRequest {
  /** Tokens, hard. */
  budget: number
  /** Entities the raw goal names: where activation starts. */
  goal: { about: readonly string[] }
  mode: 'fixed' | 'adaptive'
  /** Off: the catalogue's priority stands in for salience. */
  scored: boolean
  zone: Zone
  transitions?: readonly ZoneChange[]
  now: number
  /** Pure: the same text always costs the same. */
  count: (text: string) => number
  graph?: EntityGraph
  catalogue?: Catalogue
  weights?: Weights
  /** Shares by source, in place of the catalogue's. Given, fixed mode keeps to shares too; else it knows none. */
  shares?: Partial<Record<BidSource, number>>
}

export interface Assembly {
  context: string
  trace: Trace
}
