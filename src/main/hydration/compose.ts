import type { Tokenizer } from '../../shared/recall'
import { type Allocation, allocate, type Candidate } from '../faculty'
import { breadcrumbs } from './breadcrumbs'
import type { Contender } from './candidates'
import {
  DEAREST_ID,
  envelope,
  frameText,
  groupOf,
  headingText,
  type Line,
  lineText,
  minimalFrame,
  shortHandles,
} from './frame'
import { cut } from './ladder'
import type { PlanePolicy } from './planes'
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
  goal: ReadonlySet<string>
  /** Whether headings name the project: not when the request already does. */
  withProject: boolean
  titles: ReadonlyMap<string, string>
  /** What a frame without any fact says. */
  emptyNote: string
}

export interface ComposePorts {
  wrap: Wrap
  countTokens: CountTokens
}

/** A skeleton is worth a little more than its words: it tells that there is something. */
const SKELETON_WORTH = 1.15
/** A breadcrumb is worth about this many tokens, one for each so many of the budget. */
const CRUMB_TOKENS = 18
const CRUMB_EVERY = 1000
const CRUMB_FROM = 300

/** Gives each contender its rung, renders the frame, and keeps it within the budget to the token. */
export function compose(
  contenders: readonly Contender[],
  request: ComposeRequest,
  ports: ComposePorts,
): Composed {
  const board = layOut(contenders, request, ports)
  const bare = board.measure([], [])
  if (bare > request.budget) return minimal(contenders, request, ports)
  const room = request.budget - bare
  const first = board.allocateWithin(room)
  if (first.chosen.size === contenders.length) return board.settle(first, 0)
  const crumbs =
    request.budget < CRUMB_FROM ? 0 : Math.min(5, Math.max(1, Math.floor(request.budget / CRUMB_EVERY)))
  return board.settle(crumbs === 0 ? first : board.allocateWithin(room - crumbs * CRUMB_TOKENS), crumbs)
}

function minimal(contenders: readonly Contender[], request: ComposeRequest, ports: ComposePorts): Composed {
  return {
    placed: [],
    past: [...contenders],
    breadcrumbs: [],
    spent: ports.countTokens(minimalFrame(DEAREST_ID), request.tokenizer),
    render: minimalFrame,
  }
}

interface Board {
  measure(lines: readonly Line[], tail: readonly string[]): number
  allocateWithin(room: number): Allocation
  settle(allocation: Allocation, crumbs: number): Composed
}

function layOut(contenders: readonly Contender[], request: ComposeRequest, ports: ComposePorts): Board {
  const cost = costWith(ports.countTokens, request.tokenizer)
  const short = shortHandles(contenders.map((contender) => contender.seed.item.handle))
  const byHandle = new Map(contenders.map((contender) => [contender.seed.item.handle, contender]))
  const lines = new Map(
    contenders.map((contender) => [contender.seed.item.handle, linesOf(contender, short)]),
  )
  const costs = new Map(
    [...lines].map(([handle, rungs]) => [handle, rungs.map((line) => cost(lineText(line)))]),
  )
  const headings = headingsOf(lines, request)
  const headingCosts = new Map([...headings].map(([group, text]) => [group, cost(text)]))
  const candidates = contenders.map((contender): Candidate => {
    const { handle } = contender.seed.item
    const rungs = lines.get(handle) ?? []
    return {
      id: handle,
      segment: contender.segment,
      group: rungs[0] ? groupOf(rungs[0]) : '',
      rungs: rungs.map((line, i) =>
        priced(contender, line, costs.get(handle)?.[i] ?? 0, request.plane.depth),
      ),
    }
  })
  const body = (chosen: readonly Line[], tail: readonly string[]): string =>
    chosen.length === 0 && tail.length === 0 ? request.emptyNote : frameText(chosen, headings, tail)
  const measure = (chosen: readonly Line[], tail: readonly string[]): number =>
    ports.countTokens(envelope(ports.wrap, DEAREST_ID, body(chosen, tail)), request.tokenizer)

  const settle = (allocation: Allocation, crumbLimit: number): Composed => {
    const chosen = new Map(allocation.chosen)
    const upgrades = [...allocation.upgrades]
    for (;;) {
      const placed = [...chosen].map(([handle, rung]) => place(handle, rung))
      const past = contenders.filter((contender) => !chosen.has(contender.seed.item.handle))
      const placedLines = placed.map((entry) => entry.line)
      for (let n = past.length === 0 ? 0 : crumbLimit; n >= 0; n--) {
        const tail = breadcrumbs(past.map(pastOf), request.goal, n)
        const spent = measure(placedLines, tail)
        if (spent > request.budget) continue
        const render = (receipt: string): string => envelope(ports.wrap, receipt, body(placedLines, tail))
        return { placed, past, breadcrumbs: tail, spent, render }
      }
      const last = upgrades.pop()
      if (!last) return minimal(contenders, request, ports)
      if (last.from < 0) chosen.delete(last.id)
      else chosen.set(last.id, last.from)
    }
  }
  const place = (handle: string, rung: number): Placed => {
    const contender = byHandle.get(handle)
    const line = lines.get(handle)?.[rung]
    if (!contender || !line) throw new Error('the allocator chose what was not offered')
    return { contender, line, tokens: Math.ceil(costs.get(handle)?.[rung] ?? 0) }
  }
  const allocateWithin = (room: number): Allocation =>
    allocate(candidates, {
      total: room,
      segments: Object.fromEntries(request.plane.segments.map(({ name, share }) => [name, share * room])),
      borrow: request.plane.segments.filter((segment) => segment.borrow).map((segment) => segment.name),
      groupCost: (group) => headingCosts.get(group) ?? 0,
    })
  return { measure, allocateWithin, settle }
}

/** A line's price with its line break. Quarters of a character are not rounded up line by line, only for the whole. */
function costWith(countTokens: CountTokens, tokenizer: Tokenizer): (text: string) => number {
  if (tokenizer === 'chars4') return (text) => (text.length + 1) / 4
  return (text) => countTokens(`${text}\n`, tokenizer)
}

/**
 * What a rung is worth: utility × depth·ln(1 + tokens/depth). Every token of the best serves most, but the more
 * is said of one thing the less the next word adds.
 */
function priced({ utility }: Contender, line: Line, cost: number, depth: number): Candidate['rungs'][number] {
  if (line.level === 'L3') return { cost, value: utility * SKELETON_WORTH * Math.min(cost, 30) }
  return { cost, value: utility * depth * Math.log1p(cost / depth) }
}

function linesOf({ seed, ladder, utility }: Contender, short: ReadonlyMap<string, string>): Line[] {
  const { handle, kind, name, session, position, ts, project } = seed.item
  const base = {
    handle,
    kind,
    name,
    session,
    position,
    ts,
    project,
    utility,
    short: short.get(handle) ?? handle,
  }
  return ladder.map(({ level, text }) => ({ ...base, level, text }))
}

function headingsOf(
  lines: ReadonlyMap<string, Line[]>,
  { titles, withProject }: ComposeRequest,
): Map<string, string> {
  const headings = new Map<string, string>()
  for (const [first] of lines.values()) {
    if (!first || headings.has(groupOf(first))) continue
    const title = titles.get(first.session)
    headings.set(
      groupOf(first),
      headingText(first, title === undefined ? undefined : cut(title.replace(/\s+/g, ' '), 48), withProject),
    )
  }
  return headings
}

const pastOf = ({ seed: { item }, text }: Contender) => ({
  text,
  session: item.session,
  project: item.project,
  ts: item.ts,
  name: item.name,
})
