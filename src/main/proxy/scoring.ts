import type { Outcome } from '../../shared/domain'
import { normalise, winner } from './distribution'
import { OUTCOMES, type Probabilities } from './types'

/** A prediction and what the person then did. */
export interface Scored {
  p: Probabilities
  outcome: Outcome
}

export const CERTAIN_APPROVE: Probabilities = { approve: 1, correct: 0, reject: 0 }
/** What log loss takes for a probability of zero. */
const FLOOR = 1e-6

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

export function accuracy(scored: readonly Scored[]): number | null {
  return mean(scored.map(({ p, outcome }) => (winner(p) === outcome ? 1 : 0)))
}

/** Brier score over the three classes, Σ (p_j − [y = j])², mean; 0 is perfect, 2 the worst. */
export function brier(scored: readonly Scored[]): number | null {
  return mean(
    scored.map(({ p, outcome }) =>
      OUTCOMES.reduce((sum, o) => sum + (p[o] - (o === outcome ? 1 : 0)) ** 2, 0),
    ),
  )
}

/** Mean −ln p(y), in nats; a probability under 10⁻⁶ counts as that. */
export function logLoss(scored: readonly Scored[]): number | null {
  return mean(scored.map(({ p, outcome }) => -Math.log(Math.max(p[outcome], FLOOR))))
}

/** 1 − Brier/reference; null when the reference is perfect or there is nothing to score. */
export function skill(scored: readonly Scored[], reference: readonly Scored[]): number | null {
  const own = brier(scored)
  const other = brier(reference)
  return own === null || other === null || other === 0 ? null : 1 - own / other
}

/**
 * The same gates told by their own outcome frequencies. It has seen what it is scored on, so it is the harder one
 * of the two usual references.
 */
export function baseRateReference(outcomes: readonly Outcome[]): Scored[] {
  if (outcomes.length === 0) return []
  const counts: Probabilities = { approve: 0, correct: 0, reject: 0 }
  for (const outcome of outcomes) counts[outcome] += 1
  const p = normalise(counts)
  return outcomes.map((outcome) => ({ p, outcome }))
}

/** The same gates told by a rubber stamp. */
export function alwaysApproveReference(outcomes: readonly Outcome[]): Scored[] {
  return outcomes.map((outcome) => ({ p: CERTAIN_APPROVE, outcome }))
}
