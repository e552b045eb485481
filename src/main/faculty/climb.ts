import { Heap } from './heap'
import { type LadderStep, nextStep } from './ladder'
import type { Candidate, Ledger } from './ledger'

/** A candidate on its way up its ladder. */
export interface Pending {
  candidate: Candidate
  /** Index of the rung it stands at; -1 is absent. */
  at: number
  /** What it would take next; null at the top of its hull. */
  step: LadderStep | null
  /** Raised when the entry in the heap no longer says the truth. */
  stamp: number
}

interface Offer {
  pending: Pending
  density: number
  step: LadderStep
  stamp: number
}

const better = (a: Offer, b: Offer): boolean =>
  a.density !== b.density
    ? a.density > b.density
    : a.step.value !== b.step.value
      ? a.step.value > b.step.value
      : a.pending.candidate.id < b.pending.candidate.id

export function pendingFrom(candidate: Candidate, ledger: Ledger): Pending {
  const at = ledger.chosen.get(candidate.id) ?? -1
  return { candidate, at, step: nextStep(candidate.rungs, at), stamp: 0 }
}

/** One miss in so many of those that wait makes it worth looking through all of them. */
const SWEEP = 8

/**
 * Takes hull steps by value per token. An offer is priced as if its heading were paid: an upper bound, corrected when
 * it comes up. What is left only shrinks, so an offer that it cannot pay never comes in, and those that became so are
 * swept out together.
 */
export function climb(climbers: readonly Pending[], ledger: Ledger, borrowing: boolean): void {
  const payable = ({ pending, step }: Offer): boolean => ledger.fits(pending.candidate, step.cost, borrowing)
  const heap = new Heap(better, openingOffers(climbers, payable))
  const groups = groupsOf(climbers)
  const offer = (pending: Pending, heading: number): void => {
    const next = offerOf(pending, heading)
    if (next && payable(next)) heap.push(next)
  }
  let misses = 0
  for (let top = heap.pop(); top; top = heap.pop()) {
    const { pending, step } = top
    if (top.stamp !== pending.stamp) continue
    const heading = ledger.heading(pending.candidate)
    const density = densityOf(step, heading)
    if (density < top.density) {
      const next = heap.peek()
      if (next && better(next, { ...top, density })) {
        offer(pending, heading)
        continue
      }
    }
    if (!ledger.fits(pending.candidate, step.cost + heading, borrowing)) {
      misses += 1
      if (misses * SWEEP > heap.size) {
        heap.keep(payable)
        misses = 0
      }
      continue
    }
    const { group } = pending.candidate
    const opens = group !== undefined && !ledger.isOpen(group)
    ledger.take(pending.candidate, step.to, step.cost + heading, step.value)
    pending.at = step.to
    pending.step = nextStep(pending.candidate.rungs, step.to)
    pending.stamp += 1
    offer(pending, 0)
    // With the heading paid the others of the group got cheaper.
    if (opens) reoffer(groups.get(group) ?? [], pending, offer)
  }
}

const densityOf = (step: LadderStep, heading: number): number =>
  step.value / Math.max(step.cost + heading, Number.MIN_VALUE)

function offerOf(pending: Pending, heading: number): Offer | null {
  const { step, stamp } = pending
  return step && { pending, density: densityOf(step, heading), step, stamp }
}

function openingOffers(climbers: readonly Pending[], payable: (offer: Offer) => boolean): Offer[] {
  const offers: Offer[] = []
  for (const pending of climbers) {
    const offer = offerOf(pending, 0)
    if (offer && payable(offer)) offers.push(offer)
  }
  return offers
}

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
