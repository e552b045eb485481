import { allocate } from './allocate'
import { pinsOverBudget } from './check'
import { BUDGET, type Entrant, interrupts } from './entrants'
import type { RungCost } from './ladder'
import type { AssembleRequest, BidRung } from './types'

/** A rung's worth grows with its length, ever more slowly; at this many tokens the first ones are worth most. */
const DEPTH = 300

const cheapest = ({ rungs }: Entrant): number => rungs[0]?.tokens ?? 0
const finest = ({ rungs }: Entrant): number => rungs.at(-1)?.tokens ?? 0

/** Every bid's price holds the blank line after it; the last has none, so the room is that much larger. */
export interface Room {
  budget: number
  separator: number
}

/**
 * Pins at their coarsest, the least they need.
 * @throws AppError that names them when they alone do not fit
 */
export function pinsFit(pins: readonly Entrant[], { budget, separator }: Room): void {
  const needed = pins.reduce((sum, pin) => sum + cheapest(pin) + separator, 0) - separator
  if (pins.length > 0 && needed > budget)
    throw pinsOverBudget(
      pins.map(({ id }) => id),
      needed,
      budget,
    )
}

/**
 * The finest rung of everything, dropping from the end of the priority list until the rest fits. With shares each
 * source first has its own part of the room, and what that leaves goes down the same list.
 */
export function selectFixed(
  entrants: readonly Entrant[],
  room: Room,
  shares?: AssembleRequest['shares'],
): void {
  const open = entrants.filter(({ out }) => !out)
  const pins = open.filter(({ pin }) => pin).sort(byPriority)
  pinsFit(pins, room)
  const left = room.budget + room.separator - pinsAtTheirFinest(pins, room)
  const others = open.filter(({ pin }) => !pin).sort(byPriority)
  if (shares) fillByShares(others, left, { shares, separator: room.separator })
  else fillInOrder(others, left, room.separator)
}

function fillInOrder(others: readonly Entrant[], room: number, separator: number): void {
  let left = room
  let full = false
  for (const one of others) {
    const cost = finest(one) + separator
    full ||= cost > left
    if (full) {
      one.out = BUDGET
      continue
    }
    left -= cost
    one.rung = one.rungs.length - 1
  }
}

function fillByShares(
  others: readonly Entrant[],
  room: number,
  { shares, separator }: { shares: NonNullable<AssembleRequest['shares']>; separator: number },
): void {
  const shareOf = ({ entry }: Entrant): number => shares[entry.source] ?? entry.share
  const bidding = new Map(others.map((one) => [one.entry.source, shareOf(one)]))
  const whole = [...bidding.values()].reduce((sum, share) => sum + share, 0)
  const spent = new Map<string, number>()
  let left = room
  for (const own of [true, false]) {
    for (const one of others) {
      const { source } = one.entry
      const cost = finest(one) + separator
      const taken = spent.get(source) ?? 0
      if (one.rung >= 0 || cost > left || (own && taken + cost > (shareOf(one) / whole) * room)) continue
      spent.set(source, taken + cost)
      left -= cost
      one.rung = one.rungs.length - 1
    }
  }
  for (const one of others) if (one.rung < 0) one.out = BUDGET
}

/** Pins stand at their finest; where that is too much, the last of them step down first. */
function pinsAtTheirFinest(pins: readonly Entrant[], room: Room): number {
  let spent = 0
  for (const pin of pins) {
    pin.rung = pin.rungs.length - 1
    spent += finest(pin) + room.separator
  }
  for (const pin of pins.toReversed()) {
    while (spent > room.budget + room.separator && pin.rung > 0) {
      spent -= (pin.rungs[pin.rung]?.tokens ?? 0) - (pin.rungs[pin.rung - 1]?.tokens ?? 0)
      pin.rung -= 1
    }
  }
  return spent
}

const byPriority = (a: Entrant, b: Entrant): number =>
  a.entry.priority - b.entry.priority ||
  (a.bid.rank ?? a.order) - (b.bid.rank ?? b.order) ||
  (a.id < b.id ? -1 : 1)

/** What the zone leaves of a budget: red halves it, never below what pins and interrupts need. */
export function zoneBudget(
  entrants: readonly Entrant[],
  request: AssembleRequest,
  separator: number,
): number {
  if (request.zone !== 'red') return request.budget
  const needed = entrants
    .filter((one) => !one.out && (one.pin || interrupts(one)))
    .reduce((sum, one) => sum + cheapest(one) + separator, -separator)
  return Math.min(request.budget, Math.max(Math.floor(request.budget / 2), needed))
}

/**
 * Biased competition under the budget: pins and, in red, interrupts hold their coarsest rung; then the allocator gives
 * room by salience per token, each source within its share first. A loser is compressed before it is dropped.
 */
export function selectAdaptive(entrants: readonly Entrant[], request: AssembleRequest, room: Room): void {
  const open = entrants.filter(({ out }) => !out)
  const pins = open.filter(({ pin }) => pin)
  pinsFit(pins, room)
  const held = new Map(pins.map((pin) => [pin.id, 0]))
  if (request.zone === 'red') holdInterrupts(open, held, room)
  const total = room.budget + room.separator
  const segments: Record<string, number> = {}
  for (const { entry } of open)
    segments[entry.source] ??= (request.shares?.[entry.source] ?? entry.share) * total
  const price = pricing(room)
  const allocation = allocate(
    open.map((one) => ({
      id: one.id,
      segment: one.bid.source,
      rungs: one.rungs.map(price),
      weight: worth(one),
    })),
    { total, segments, borrow: Object.keys(segments) },
    { held, trials: false },
  )
  for (const one of open) {
    one.rung = allocation.chosen.get(one.id) ?? -1
    if (one.rung < 0) one.out = BUDGET
  }
}

// Hydration values a rung at salience × depth·ln(1 + tokens/depth): the last part is one for all of the same length.

const worth = ({ salience }: Entrant): number => Math.max(salience, Number.EPSILON) * DEPTH

function pricing({ separator }: Room): (rung: BidRung) => RungCost {
  const known = new Map<number, RungCost>()
  return ({ tokens }) => {
    let price = known.get(tokens)
    if (price === undefined) {
      price = { cost: tokens + separator, value: Math.log1p(tokens / DEPTH) }
      known.set(tokens, price)
    }
    return price
  }
}

function holdInterrupts(open: readonly Entrant[], held: Map<string, number>, room: Room): void {
  let left =
    room.budget +
    room.separator -
    open.reduce((sum, one) => sum + (one.pin ? cheapest(one) + room.separator : 0), 0)
  const loud = open.filter((one) => !one.pin && interrupts(one))
  loud.sort((a, b) => b.salience - a.salience || (a.id < b.id ? -1 : 1))
  for (const one of loud) {
    const cost = cheapest(one) + room.separator
    if (cost > left) continue
    left -= cost
    held.set(one.id, 0)
  }
}
