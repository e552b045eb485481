import { climb, type Pending, pendingFrom } from './climb'
import type { RungCost } from './ladder'
import { type Allocation, type Budgets, type Candidate, Ledger } from './ledger'

// Detail under budgets. A multiple-choice knapsack, solved greedily along each candidate's concave hull: every
// candidate starts with nothing, the step with the most value per token is taken, again and again; what is left over
// is filled with whatever still fits. Pure: no clock, no randomness, and the order of the input does not matter.

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
  const heavy = byValue(
    all.filter((choice) => choice.rung.cost <= budgets.total && worthOf(choice) > worth),
  ).slice(0, TRIED)
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

const worthOf = ({ candidate: { weight = 1 }, rung }: Choice): number => rung.value * weight

function byValue(choices: readonly Choice[]): Choice[] {
  return [...choices].sort(
    (a, b) =>
      worthOf(b) - worthOf(a) ||
      (a.candidate.id < b.candidate.id ? -1 : a.candidate.id > b.candidate.id ? 1 : a.index - b.index),
  )
}

/** Finer rungs than each candidate has that what is left could pay for; mostly there are hardly any. */
function fitting(climbers: readonly Pending[], ledger: Ledger): Choice[] {
  const choices: Choice[] = []
  const { left } = ledger
  for (const { candidate, at } of climbers) {
    const had = at < 0 ? 0 : (candidate.rungs[at]?.cost ?? 0)
    for (let index = at + 1; index < candidate.rungs.length; index++) {
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
  const climbers = candidates.map((candidate) => pendingFrom(candidate, ledger))
  // First everyone within what is theirs, then those who may borrow within what is left.
  climb(climbers, ledger, false)
  if (budgets.borrow.length > 0) climb(climbers, ledger, true)
  for (const choice of byValue(fitting(climbers, ledger))) upgrade(choice, ledger)
  return ledger.result()
}

function hold(candidates: readonly Candidate[], held: Start['held'], ledger: Ledger): void {
  for (const candidate of candidates) {
    const index = held.get(candidate.id)
    const rung = index === undefined ? undefined : candidate.rungs[index]
    if (index === undefined || !rung) continue
    ledger.take(candidate, index, rung.cost + ledger.heading(candidate), worthOf({ candidate, rung, index }))
  }
}

/** Takes one rung if it is finer, worth more and fits: what is left by the hull's steps goes to rungs beneath it. */
function upgrade(choice: Choice, ledger: Ledger): void {
  const { candidate, rung, index } = choice
  const from = ledger.chosen.get(candidate.id) ?? -1
  const had = candidate.rungs[from]
  const more = worthOf(choice) - (had ? worthOf({ candidate, rung: had, index: from }) : 0)
  if (index <= from || more <= 0) return
  const cost = rung.cost - (had?.cost ?? 0) + ledger.heading(candidate)
  if (ledger.fits(candidate, cost, true)) ledger.take(candidate, index, cost, more)
}
