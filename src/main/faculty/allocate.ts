import { Heap } from './heap'
import { concaveSteps, type LadderStep, type RungCost } from './ladder'

// Detail under budgets. A multiple-choice knapsack, solved greedily along each candidate's concave hull: every
// candidate starts with nothing, the step with the most value per token is taken, again and again; what is left over
// is filled with whatever still fits. Pure: no clock, no randomness, and the order of the input does not matter.

export interface Candidate {
  /** Unique; breaks ties. */
  id: string
  segment: string
  /** Candidates of one group share a heading, paid by the first of them that is taken. */
  group?: string
  /** Rungs from coarse to fine, costs in tokens of the whole line. */
  rungs: readonly RungCost[]
}

export interface Budgets {
  total: number
  /** What each segment may spend of the total; a segment not named here may spend nothing of its own. */
  segments: Readonly<Record<string, number>>
  /** Segments that may also take what others left unspent. */
  borrow: readonly string[]
  /** Tokens of a group's heading. */
  groupCost?: (group: string) => number
}

/** One upgrade, in the order it was made; undoing from the end gives the same frame under a smaller budget. */
export interface Upgrade {
  id: string
  /** Index into the candidate's rungs; -1 is absent. */
  from: number
  to: number
}

export interface Allocation {
  /** Index of the rung each present candidate got. */
  chosen: Map<string, number>
  upgrades: Upgrade[]
  spent: number
  bySegment: Record<string, number>
  value: number
}

interface Pending {
  candidate: Candidate
  steps: LadderStep[]
  next: number
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

/** A rung worth this part of the whole or more may be what greed passed over; so many of them are tried first. */
const HEAVY = 0.15
const TRIED = 6

/** How an allocation may begin. */
export interface Start {
  /** Rungs (by index) that are taken whatever they are worth; the caller has seen that they fit. */
  held: ReadonlyMap<string, number>
  /** Off: one pass of greed, which never drops a candidate because it became worth more. */
  trials: boolean
}

/**
 * Chooses a rung, or nothing, for each candidate so that the summed value is as high as the budgets allow.
 * Never spends more than `total`, nor more than a segment's own budget unless that segment may borrow.
 * Greed by value per token fails where one dear rung is worth more than many cheap ones, so the heaviest rungs are
 * each tried as the first choice too; with many small candidates there are none.
 */
export function allocate(
  candidates: readonly Candidate[],
  budgets: Budgets,
  start: Start = { held: new Map(), trials: true },
): Allocation {
  const sorted = [...candidates].sort((a, b) => (a.id < b.id ? -1 : 1))
  let best = greedy(sorted, budgets, null, start.held)
  if (!start.trials) return best
  const all = sorted.flatMap((candidate) =>
    candidate.rungs.map((rung, index) => ({ candidate, rung, index })),
  )
  const worth = HEAVY * best.value
  const heavy = byValue(all.filter(({ rung }) => rung.cost <= budgets.total && rung.value > worth)).slice(
    0,
    TRIED,
  )
  for (const first of heavy) {
    const other = greedy(sorted, budgets, first, start.held)
    if (other.value > best.value) best = other
  }
  return best
}

interface Choice {
  candidate: Candidate
  rung: RungCost
  index: number
}

function byValue(choices: readonly Choice[]): Choice[] {
  return [...choices].sort(
    (a, b) =>
      b.rung.value - a.rung.value ||
      (a.candidate.id < b.candidate.id ? -1 : a.candidate.id > b.candidate.id ? 1 : a.index - b.index),
  )
}

/** Finer rungs than each candidate has that what is left could pay for; mostly there are hardly any. */
function fitting(candidates: readonly Candidate[], ledger: Ledger): Choice[] {
  const choices: Choice[] = []
  const { left } = ledger
  for (const candidate of candidates) {
    const from = ledger.chosen.get(candidate.id) ?? -1
    const had = candidate.rungs[from]?.cost ?? 0
    for (let index = from + 1; index < candidate.rungs.length; index++) {
      const rung = candidate.rungs[index]
      if (rung && rung.cost - had <= left) choices.push({ candidate, rung, index })
    }
  }
  return choices
}

function greedy(
  candidates: readonly Candidate[],
  budgets: Budgets,
  first: Choice | null,
  held: Start['held'],
): Allocation {
  const ledger = new Ledger(budgets)
  if (held.size > 0) hold(candidates, held, ledger)
  if (first) upgrade(first, ledger)
  // First everyone within what is theirs, then those who may borrow within what is left.
  const least = climb(candidates, ledger, false)
  if (budgets.borrow.length > 0 && ledger.left >= least) climb(candidates, ledger, true)
  for (const choice of byValue(fitting(candidates, ledger))) upgrade(choice, ledger)
  return ledger.result()
}

function hold(candidates: readonly Candidate[], held: Start['held'], ledger: Ledger): void {
  for (const candidate of candidates) {
    const index = held.get(candidate.id)
    const rung = index === undefined ? undefined : candidate.rungs[index]
    if (index === undefined || !rung) continue
    ledger.take(candidate, index, rung.cost + ledger.heading(candidate), rung.value)
  }
}

class Ledger {
  readonly chosen = new Map<string, number>()
  private readonly upgrades: Upgrade[] = []
  private readonly open = new Set<string>()
  private readonly bySegment: Record<string, number> = {}
  private readonly borrowers: ReadonlySet<string>
  private spent = 0
  private value = 0

  constructor(private readonly budgets: Budgets) {
    this.borrowers = new Set(budgets.borrow)
    for (const segment of Object.keys(budgets.segments)) this.bySegment[segment] = 0
  }

  get left(): number {
    return this.budgets.total - this.spent
  }

  heading(candidate: Candidate): number {
    if (candidate.group === undefined || this.open.has(candidate.group)) return 0
    return this.budgets.groupCost?.(candidate.group) ?? 0
  }

  isOpen(group: string): boolean {
    return this.open.has(group)
  }

  fits(candidate: Candidate, cost: number, borrowing: boolean): boolean {
    if (this.spent + cost > this.budgets.total) return false
    if (borrowing && this.borrowers.has(candidate.segment)) return true
    const own = this.budgets.segments[candidate.segment] ?? 0
    return (this.bySegment[candidate.segment] ?? 0) + cost <= own
  }

  take(candidate: Candidate, to: number, cost: number, value: number): void {
    this.upgrades.push({ id: candidate.id, from: this.chosen.get(candidate.id) ?? -1, to })
    this.chosen.set(candidate.id, to)
    if (candidate.group !== undefined) this.open.add(candidate.group)
    this.bySegment[candidate.segment] = (this.bySegment[candidate.segment] ?? 0) + cost
    this.spent += cost
    this.value += value
  }

  result(): Allocation {
    const { chosen, upgrades, spent, bySegment, value } = this
    return { chosen, upgrades, spent, bySegment, value }
  }
}

/**
 * Takes hull steps by value per token, and gives back what the cheapest of them costs. An offer is priced as if its
 * heading were paid: an upper bound, corrected when it comes up.
 */
function climb(candidates: readonly Candidate[], ledger: Ledger, borrowing: boolean): number {
  const heap = new Heap<Offer>(better)
  const groups = new Map<string, Pending[]>()
  let least = Number.POSITIVE_INFINITY
  const offer = (pending: Pending, heading: number): void => {
    const step = pending.steps[pending.next]
    if (!step) return
    heap.push({
      pending,
      density: step.value / Math.max(step.cost + heading, Number.MIN_VALUE),
      value: step.value,
      stamp: pending.stamp,
    })
  }
  for (const candidate of candidates) {
    const from = ledger.chosen.get(candidate.id) ?? -1
    const pending: Pending = { candidate, steps: concaveSteps(candidate.rungs, from), next: 0, stamp: 0 }
    for (const { cost } of pending.steps) least = Math.min(least, cost)
    offer(pending, 0)
    if (candidate.group === undefined) continue
    const members = groups.get(candidate.group)
    if (members) members.push(pending)
    else groups.set(candidate.group, [pending])
  }
  for (let top = heap.pop(); top; top = heap.pop()) {
    // Not even the cheapest step of all could be paid any more.
    if (ledger.left < least) return least
    const { pending } = top
    if (top.stamp !== pending.stamp) continue
    const step = pending.steps[pending.next]
    if (!step) continue
    const heading = ledger.heading(pending.candidate)
    const density = step.value / Math.max(step.cost + heading, Number.MIN_VALUE)
    if (density < top.density) {
      const next = heap.peek()
      if (next && better(next, { ...top, density })) {
        offer(pending, heading)
        continue
      }
    }
    if (!ledger.fits(pending.candidate, step.cost + heading, borrowing)) continue
    const { group } = pending.candidate
    const opens = group !== undefined && !ledger.isOpen(group)
    ledger.take(pending.candidate, step.to, step.cost + heading, step.value)
    pending.next += 1
    pending.stamp += 1
    offer(pending, 0)
    // With the heading paid the others of the group got cheaper.
    if (opens) reoffer(groups.get(group) ?? [], pending, offer)
  }
  return least
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

/** Takes one rung if it is finer, worth more and fits: what is left by the hull's steps goes to rungs beneath it. */
function upgrade({ candidate, rung, index }: Choice, ledger: Ledger): void {
  const from = ledger.chosen.get(candidate.id) ?? -1
  const had = candidate.rungs[from] ?? { cost: 0, value: 0 }
  if (index <= from || rung.value <= had.value) return
  const cost = rung.cost - had.cost + ledger.heading(candidate)
  if (ledger.fits(candidate, cost, true)) ledger.take(candidate, index, cost, rung.value - had.value)
}
