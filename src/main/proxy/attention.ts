import type { Outcome } from '../../shared/domain'
import type { AttentionLine } from '../../shared/review'
import { betaTail } from './beta'
import { isLearned, isSpecific, parseLearned, repeatsRule } from './percepts'
import type { AttentionCount, AttentionMap } from './types'

/** A percept is listed when it is this sure that "not approved" follows it more often than elsewhere. */
const SURE = 0.9
const LISTED_FROM = 3
const IGNORED_FROM = 8
/** How far a percept may move the posterior while nothing is known about it yet. */
const UNDECIDED_WEIGHT = 0.5

export const NO_ATTENTION: AttentionMap = { counts: new Map(), gates: 0, notApproved: 0 }

/** P(lift > 1): the not-approved rate when present, Beta(½ + c, ½ + n − c), against the state's rate in all. */
export function liftProbability(count: AttentionCount, map: AttentionMap): number {
  if (map.gates === 0) return 0.5
  const base = map.notApproved / map.gates
  return betaTail(base, 0.5 + count.notApproved, 0.5 + count.present - count.notApproved)
}

/** Something the person demonstrably looks for here. */
export function isLooked(count: AttentionCount, map: AttentionMap): boolean {
  return count.present >= LISTED_FROM && liftProbability(count, map) >= SURE
}

/** Something that was there often, never moved a prediction, and that the person never named. */
export function isIgnored(count: AttentionCount): boolean {
  return count.present >= IGNORED_FROM && count.salient === 0 && count.named === 0
}

/** How far a percept may move the posterior: 1 listed, 0 ignored, half while undecided. */
export function perceptWeight(phrase: string, map: AttentionMap): number {
  const count = map.counts.get(phrase)
  if (!count) return UNDECIDED_WEIGHT
  if (isLooked(count, map)) return 1
  return isIgnored(count) ? 0 : UNDECIDED_WEIGHT
}

/** Generic words counted earlier stay untold, and a learned word for what a rule sees is left to the rule. */
const isTold = (phrase: string): boolean =>
  !isLearned(phrase) || (isSpecific(parseLearned(phrase)) && !repeatsRule(phrase))

/** The map as lines for a person: what is looked for first, what is ignored last. */
export function attentionLines(map: AttentionMap): AttentionLine[] {
  const rank = (line: AttentionLine): number => (line.listed ? 0 : line.ignored ? 2 : 1)
  return [...map.counts]
    .filter(([phrase, count]) => count.present > 0 && isTold(phrase))
    .map(([phrase, count]) => ({
      phrase,
      salient: count.salient,
      present: count.present,
      named: count.named,
      rate: count.notApproved / count.present,
      listed: isLooked(count, map),
      ignored: isIgnored(count),
    }))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || b.rate - a.rate || b.present - a.present || (a.phrase < b.phrase ? -1 : 1),
    )
}

/** What one decided gate says about attention. */
export interface AttentionObservation {
  outcome: Outcome
  present: readonly string[]
  salient: readonly string[]
  /** Percepts the person's words point at, whether or not they were seen. */
  named: readonly string[]
}

/** The change of each percept's counts that one decided gate brings. */
export function attentionDeltas(seen: AttentionObservation): Map<string, AttentionCount> {
  const deltas = new Map<string, AttentionCount>()
  const at = (phrase: string): AttentionCount => {
    const count = deltas.get(phrase) ?? { present: 0, salient: 0, notApproved: 0, named: 0 }
    deltas.set(phrase, count)
    return count
  }
  for (const phrase of seen.present) {
    const count = at(phrase)
    count.present = 1
    if (seen.outcome !== 'approve') count.notApproved = 1
  }
  for (const phrase of seen.salient) at(phrase).salient = 1
  for (const phrase of seen.named) at(phrase).named = 1
  return deltas
}

/** The map after one more decided gate. */
export function observed(map: AttentionMap, seen: AttentionObservation): AttentionMap {
  const counts = new Map(map.counts)
  for (const [phrase, delta] of attentionDeltas(seen)) {
    const old = counts.get(phrase) ?? { present: 0, salient: 0, notApproved: 0, named: 0 }
    counts.set(phrase, {
      present: old.present + delta.present,
      salient: old.salient + delta.salient,
      notApproved: old.notApproved + delta.notApproved,
      named: old.named + delta.named,
    })
  }
  return {
    counts,
    gates: map.gates + 1,
    notApproved: map.notApproved + (seen.outcome === 'approve' ? 0 : 1),
  }
}
