import type { Modality, SalienceTerms, TraceReason } from '../../shared/attention'
import { CATALOGUE, FLOOR, rankSalience, WEIGHTS } from './catalogue'
import { brokenPin, faultOf, salienceFault, usefulRungs } from './check'
import type { Placeable } from './order'
import { modalityOf, salienceOf, termsOf, weightsOf } from './salience'
import { spread } from './spreading'
import type { AssembleRequest, Bid, BidRung, CatalogueEntry, Weights } from './types'
import { atLeast } from './zones'

/** A bid on its way through one assembly. The last fields are its outcome. */
export interface Entrant extends Placeable {
  bid: Bid
  entry: CatalogueEntry
  modality: Modality
  terms: SalienceTerms
  pin: boolean
  /** Coarse to fine, each dearer than the one before; empty for an invalid bid. */
  rungs: readonly BidRung[]
  out: Readonly<{ reason: TraceReason; detail: string }> | null
  /** What was wrong with a finer rung than the one it stands at. */
  fault: Readonly<{ reason: TraceReason; detail: string }> | null
  /** Index of the rung it holds; -1: none. */
  rung: number
  text: string | null
  rendered: boolean
  /** Where it stands in the context; null: it does not. */
  place: number | null
}

/** There was no room. */
export const BUDGET = { reason: 'budget', detail: '' } as const

const NO_TERMS: SalienceTerms = {
  relevance: 0,
  spread: 0,
  recency: 0,
  importance: 0,
  surprise: 0,
  interrupt: 0,
}

/** Every bid, scored, in an order that does not depend on how they arrived. What may not compete is already out. */
export function entrantsOf(bids: readonly Bid[], request: AssembleRequest): Entrant[] {
  const { catalogue = CATALOGUE, weights = WEIGHTS } = request
  const world = { now: request.now, active: spread(request.goal.about, request.graph) }
  const weigh = weigher(weights)
  const sorted = [...bids].sort(byId)
  const entrants = sorted.map((bid, i): Entrant => {
    const entry = catalogue[bid.source]
    const pin = bid.pin ?? entry.pin
    const doubled = bid.id === sorted[i - 1]?.id || bid.id === sorted[i + 1]?.id
    const wrong = doubled ? 'another bid has the same id' : faultOf(bid)
    const modality = modalityOf(bid, entry)
    const terms = wrong === null ? termsOf(bid, entry, world) : NO_TERMS
    const scored = request.scored ? salienceOf(terms, modality, weigh(entry)) : rankSalience(entry.priority)
    const fault = wrong ?? salienceFault(scored)
    if (fault !== null && pin) throw brokenPin(bid.id, fault)
    return {
      id: bid.id,
      bid,
      entry,
      modality,
      terms: fault === null ? terms : NO_TERMS,
      pin,
      salience: fault === null ? scored : 0,
      rungs: fault === null ? usefulRungs(bid.rungs) : [],
      anchor: entry.anchored ? entry.slot : null,
      group: bid.group ?? null,
      slot: entry.slot,
      order: bid.order ?? 0,
      out: fault === null ? withheld(bid) : { reason: 'invalid', detail: fault },
      fault: null,
      rung: -1,
      text: null,
      rendered: false,
      place: null,
    }
  })
  dropDuplicates(entrants)
  return entrants
}

/** Ids are unique; those that are not stand side by side, in an order that is not that of their arrival either. */
const byId = (a: Bid, b: Bid): number =>
  compare(a.id, b.id) || compare(a.source, b.source) || compare(a.title, b.title)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Each source's weights, put together once. */
function weigher(weights: Weights): (entry: CatalogueEntry) => Weights {
  const known = new Map<CatalogueEntry, Weights>()
  return (entry) => {
    const before = known.get(entry)
    if (before) return before
    const own = weightsOf(entry, weights)
    known.set(entry, own)
    return own
  }
}

const withheld = ({ withheld: held }: Bid): Entrant['out'] =>
  held ? { reason: held.reason, detail: held.detail } : null

/** Of several that show the same the pinned, else the most salient stays. */
function dropDuplicates(entrants: readonly Entrant[]): void {
  const best = new Map<string, Entrant>()
  for (const one of entrants) {
    const key = one.bid.key
    if (key === undefined || one.out) continue
    const other = best.get(key)
    if (!other || stronger(one, other)) best.set(key, one)
  }
  for (const one of entrants) {
    const key = one.bid.key
    if (key === undefined || one.out || one.pin) continue
    const first = best.get(key)
    if (first && first !== one) one.out = { reason: 'duplicate', detail: `shown by ${first.id}` }
  }
}

const stronger = (a: Entrant, b: Entrant): boolean =>
  a.pin !== b.pin ? a.pin : a.salience !== b.salience ? a.salience > b.salience : a.id < b.id

/** Takes out what is not eligible while so alert. What interrupts is why it is alert, so it stays. */
export function closeByZone(entrants: readonly Entrant[], request: AssembleRequest): void {
  const { zone } = request
  for (const one of entrants) {
    if (one.out || one.pin) continue
    const floor = one.bid.zoneFloor ?? one.entry.zoneFloor
    if (!atLeast(zone, floor)) one.out = { reason: 'zone', detail: `speaks from ${floor} on` }
    else if (interrupts(one)) continue
    else if (atLeast(zone, 'amber') && (one.bid.ambient ?? one.entry.ambient)) {
      one.out = { reason: 'zone', detail: 'background, gone from amber on' }
    } else if (zone === 'red' && one.entry.gossip) {
      one.out = { reason: 'zone', detail: 'telemetry or gossip, gone in red' }
    }
  }
}

export const interrupts = ({ modality, terms }: Entrant): boolean =>
  modality === 'exogenous' && terms.interrupt > 0

export function closeByFloor(entrants: readonly Entrant[]): void {
  for (const one of entrants) {
    if (!one.out && !one.pin && one.salience < FLOOR) {
      one.out = { reason: 'floor', detail: `salience under ${FLOOR}` }
    }
  }
}
