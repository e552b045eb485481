import type { Tokenizer } from '../../shared/recall'
import { type Allocation, allocate } from '../faculty'
import { breadcrumbs, type Past } from './breadcrumbs'
import type { Contender } from './candidates'
import { DEAREST_ID, frameText, type Line, minimalFrame } from './frame'
import { candidateOf, costWith, countChosen, headingsOf, type Offer, offersOf } from './offers'
import { detailIn, type PlanePolicy } from './plane-policy'
import type { CountTokens, Wrap } from './ports'

/** A contender as it stands in the frame. `tokens` is its own line. */
export interface Placed {
  contender: Contender
  line: Line
  tokens: number
}

export interface Composed {
  placed: Placed[]
  /** Contenders that found no room. */
  past: Contender[]
  breadcrumbs: string[]
  /** Tokens of the whole frame with the dearest id. */
  spent: number
  /** The frame for a receipt's id. */
  render: (receipt: string) => string
}

export interface ComposeRequest {
  plane: PlanePolicy
  budget: number
  tokenizer: Tokenizer
  /** The goal's words; breadcrumbs do not repeat them. */
  goal: ReadonlySet<string>
  /** Whether headings name the project: not when the request already does. */
  withProject: boolean
  titles: ReadonlyMap<string, string>
  /** What stands above the facts, where there is room for it. */
  note: string | null
  /** What a frame without any fact says. */
  emptyNote: string
}

export interface ComposePorts {
  wrap: Wrap
  countTokens: CountTokens
}

/** A breadcrumb costs about this many tokens; one for each so many of the budget, none in a tiny frame. */
const CRUMB_TOKENS = 18
const CRUMB_EVERY = 1000
const CRUMB_FROM = 300
/** A note may take this part of a frame's room; a smaller frame goes without, its receipt tells. */
const MOST_NOTE = 0.25
const MOST_CRUMBS = 5
/** Guesses are close, so few rounds are needed; what is still guessed after the last is counted with the whole. */
const ROUNDS = 6

/** Gives each contender its rung, renders the frame, and keeps it within the budget to the token. */
export function compose(
  contenders: readonly Contender[],
  request: ComposeRequest,
  ports: ComposePorts,
): Composed {
  const board = new Board(contenders, request, ports)
  const bare = board.measure([], [])
  if (bare > request.budget) return board.minimal()
  const note = request.note === null ? 0 : ports.countTokens(`${request.note}\n`, request.tokenizer)
  if (note > (request.budget - bare) * MOST_NOTE)
    return compose(contenders, { ...request, note: null }, ports)
  const room = request.budget - bare - note
  const first = board.allocate(room)
  const crumbs = first.chosen.size === contenders.length ? 0 : crumbsFor(request.budget)
  return board.settle(crumbs === 0 ? first : board.allocate(room - crumbs * CRUMB_TOKENS), crumbs)
}

function crumbsFor(budget: number): number {
  if (budget < CRUMB_FROM) return 0
  return Math.min(MOST_CRUMBS, Math.max(1, Math.floor(budget / CRUMB_EVERY)))
}

/** One frame in the making. */
class Board {
  private readonly cost: (text: string) => number
  private readonly offers: Map<string, Offer>
  private readonly past: ReadonlyMap<Contender, Past>
  private readonly headings: Map<string, string>
  private readonly headingCosts: Map<string, number>

  constructor(
    private readonly contenders: readonly Contender[],
    private readonly request: ComposeRequest,
    private readonly ports: ComposePorts,
  ) {
    this.cost = costWith(ports.countTokens, request.tokenizer)
    this.offers = offersOf(contenders, request.tokenizer, this.cost)
    this.past = new Map(contenders.map((contender) => [contender, pastOf(contender)]))
    this.headings = headingsOf(contenders, request.titles, request.withProject)
    this.headingCosts = new Map([...this.headings].map(([group, text]) => [group, this.cost(text)]))
  }

  /** Allocates by guessed prices, counts what was chosen, and again, until all that is chosen has been counted. */
  allocate(room: number): Allocation {
    for (let round = 1; ; round++) {
      const allocation = this.allocateOnce(room)
      const counted = countChosen(this.offers, allocation.chosen, this.cost)
      if (!counted || round === ROUNDS) return allocation
    }
  }

  private allocateOnce(room: number): Allocation {
    const { plane, budget } = this.request
    const { segments, fit, focus } = plane
    const detail = { depth: detailIn(plane, budget).depth, fit, focus }
    return allocate(
      [...this.offers.values()].map((offer) => candidateOf(offer, detail)),
      {
        total: room,
        segments: Object.fromEntries(segments.map(({ name, share }) => [name, share * room])),
        borrow: segments.filter((segment) => segment.borrow).map((segment) => segment.name),
        groupCost: (group) => this.headingCosts.get(group) ?? 0,
      },
    )
  }

  /** Lines priced one by one sum to nearly what the whole costs; where it costs more, the last upgrades are undone. */
  settle(allocation: Allocation, crumbs: number): Composed {
    const chosen = new Map(allocation.chosen)
    const upgrades = [...allocation.upgrades]
    for (;;) {
      const fitting = this.attempt(chosen, crumbs)
      if (fitting) return fitting
      const last = upgrades.pop()
      if (!last) return this.minimal()
      if (last.from < 0) chosen.delete(last.id)
      else chosen.set(last.id, last.from)
    }
  }

  /** The frame with these rungs and as many breadcrumbs as fit, or null when it does not fit with none. */
  private attempt(chosen: ReadonlyMap<string, number>, crumbs: number): Composed | null {
    const placed = [...chosen].flatMap(([handle, rung]) => this.place(handle, rung))
    const past = this.contenders.filter((contender) => !chosen.has(contender.seed.item.handle))
    const lines = placed.map((entry) => entry.line)
    const tails = breadcrumbs(
      past.map((contender) => this.past.get(contender) as Past),
      this.request.goal,
      past.length === 0 ? 0 : crumbs,
    )
    for (let count = tails.length; count >= 0; count--) {
      const tail = tails.slice(0, count)
      const spent = this.measure(lines, tail)
      if (spent > this.request.budget) continue
      return {
        placed,
        past,
        breadcrumbs: tail,
        spent,
        render: (receipt) => this.render(receipt, lines, tail),
      }
    }
    return null
  }

  private place(handle: string, rung: number): Placed[] {
    const offer = this.offers.get(handle)
    const priced = offer?.lines[rung]
    return offer && priced
      ? [{ contender: offer.contender, line: priced.line, tokens: Math.ceil(priced.cost) }]
      : []
  }

  measure(lines: readonly Line[], tail: readonly string[]): number {
    return this.ports.countTokens(this.render(DEAREST_ID, lines, tail), this.request.tokenizer)
  }

  private render(receipt: string, lines: readonly Line[], tail: readonly string[]): string {
    const empty = lines.length === 0 && tail.length === 0
    const { note, emptyNote } = this.request
    const text = empty ? emptyNote : frameText(lines, this.headings, tail)
    const body = empty || note === null ? text : `${note}\n${text}`
    return this.ports.wrap({ source: 'fovea', receipt }, body)
  }

  minimal(): Composed {
    const spent = this.ports.countTokens(minimalFrame(DEAREST_ID), this.request.tokenizer)
    return { placed: [], past: [...this.contenders], breadcrumbs: [], spent, render: minimalFrame }
  }
}

const pastOf = ({ seed: { item }, text }: Contender): Past => ({
  text,
  session: item.session,
  project: item.project,
  ts: item.ts,
  name: item.name,
})
