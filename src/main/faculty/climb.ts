import { Heap } from './heap'
import { nextRung } from './ladder'
import type { Candidate, Ledger } from './ledger'

/** A candidate on its way up its ladder. */
export interface Pending {
  candidate: Candidate
  /** Index of the rung it stands at; -1 is absent. */
  at: number
  /** What it would take next: the rung, -1 at the top of its hull, what that costs more and is worth more. */
  to: number
  cost: number
  value: number
  /** Raised when the entry in the heap no longer says the truth. */
  stamp: number
}

interface Offer {
  pending: Pending
  density: number
  value: number
  stamp: number
}

const better = (a: Offer, b: Offer): boolean =>
  a.density !== b.density
    ? a.density > b.density
    : a.value !== b.value
      ? a.value > b.value
      : a.pending.candidate.id < b.pending.candidate.id

export function pendingFrom(candidate: Candidate, ledger: Ledger): Pending {
  const pending = { candidate, at: -1, to: -1, cost: 0, value: 0, stamp: 0 }
  standAt(pending, ledger.chosen.get(candidate.id) ?? -1)
  return pending
}

function standAt(pending: Pending, at: number): void {
  const { rungs, weight = 1 } = pending.candidate
  const to = nextRung(rungs, at, weight)
  // No element is asked for at -1: that is no index, and slow.
  const from = at < 0 ? undefined : rungs[at]
  const best = to < 0 ? undefined : rungs[to]
  pending.at = at
  pending.to = to
  if (!best) return
  pending.cost = best.cost - (from ? from.cost : 0)
  pending.value = best.value * weight - (from ? from.value * weight : 0)
}

/** One miss in so many of those that wait makes it worth looking through all of them. */
const SWEEP = 8

/**
 * Takes hull steps by value per token. An offer is priced as if its heading were paid: an upper bound, corrected when
 * it comes up. What is left only shrinks, so an offer that it cannot pay never comes in, and those that became so are
 * swept out together.
 */
export function climb(climbers: readonly Pending[], ledger: Ledger, borrowing: boolean): void {
  const canPay = ({ candidate, to, cost }: Pending): boolean =>
    to >= 0 && ledger.fits(candidate, cost, borrowing)
  const opening = climbers.filter(canPay).map((pending) => offerOf(pending, 0))
  const heap = new Heap(better, opening)
  const groups = groupsOf(climbers)
  const offer = (pending: Pending, heading: number): void => {
    if (canPay(pending)) heap.push(offerOf(pending, heading))
  }
  let misses = 0
  for (let top = heap.pop(); top; top = heap.pop()) {
    const { pending } = top
    if (top.stamp !== pending.stamp) continue
    const heading = ledger.heading(pending.candidate)
    const density = densityOf(pending, heading)
    if (density < top.density) {
      const next = heap.peek()
      if (next && better(next, { ...top, density })) {
        offer(pending, heading)
        continue
      }
    }
    if (!ledger.fits(pending.candidate, pending.cost + heading, borrowing)) {
      misses += 1
      if (misses * SWEEP > heap.size) {
        heap.keep(({ pending: one, stamp }) => stamp === one.stamp && canPay(one))
        misses = 0
      }
      continue
    }
    const { group } = pending.candidate
    const opens = group !== undefined && !ledger.isOpen(group)
    ledger.take(pending.candidate, pending.to, pending.cost + heading, pending.value)
    standAt(pending, pending.to)
    pending.stamp += 1
    offer(pending, 0)
    // With the heading paid the others of the group got cheaper.
    if (opens) reoffer(groups.get(group) ?? [], pending, offer)
  }
}

const densityOf = ({ cost, value }: Pending, heading: number): number =>
  value / Math.max(cost + heading, Number.MIN_VALUE)

const offerOf = (pending: Pending, heading: number): Offer => ({
  pending,
  density: densityOf(pending, heading),
  value: pending.value,
  stamp: pending.stamp,
})

function groupsOf(climbers: readonly Pending[]): Map<string, Pending[]> {
  const groups = new Map<string, Pending[]>()
  for (const pending of climbers) {
    const { group } = pending.candidate
    if (group === undefined) continue
    const members = groups.get(group)
    if (members) members.push(pending)
    else groups.set(group, [pending])
  }
  return groups
}

function reoffer(
  members: readonly Pending[],
  taken: Pending,
  offer: (p: Pending, heading: number) => void,
): void {
  for (const member of members) {
    if (member === taken) continue
    member.stamp += 1
    offer(member, 0)
  }
}
