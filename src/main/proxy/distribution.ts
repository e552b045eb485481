import type { Outcome } from '../../shared/domain'
import { OUTCOMES, type Probabilities } from './types'

/** What is believed of a person before any decision was seen. */
export const POOL_PRIOR: Probabilities = { approve: 1, correct: 0.8, reject: 0.2 }

/** Scales three weights to sum 1. */
export function normalise(weights: Probabilities): Probabilities {
  const sum = weights.approve + weights.correct + weights.reject
  return { approve: weights.approve / sum, correct: weights.correct / sum, reject: weights.reject / sum }
}

/** The pooled rate g of all outcomes so far under Dirichlet(1, 0.8, 0.2). */
export function pooledRate(outcomes: Iterable<Outcome>): Probabilities {
  const counts = { ...POOL_PRIOR }
  for (const outcome of outcomes) counts[outcome] += 1
  return normalise(counts)
}

/** α_j = Σ_{y_i=j} w_i + κ·g_j, normalised: weighted cases smoothed by the pooled rate. */
export function smoothed(
  cases: readonly { outcome: Outcome; weight: number }[],
  pooled: Probabilities,
  kappa: number,
): Probabilities {
  const alpha: Probabilities = {
    approve: kappa * pooled.approve,
    correct: kappa * pooled.correct,
    reject: kappa * pooled.reject,
  }
  for (const { outcome, weight } of cases) alpha[outcome] += weight
  return normalise(alpha)
}

/** Half of each of two beliefs. */
export function mixed(a: Probabilities, b: Probabilities): Probabilities {
  return {
    approve: 0.5 * a.approve + 0.5 * b.approve,
    correct: 0.5 * a.correct + 0.5 * b.correct,
    reject: 0.5 * a.reject + 0.5 * b.reject,
  }
}

/** The most probable outcome; the milder one when two are equal. */
export function winner(p: Probabilities): Outcome {
  let best: Outcome = 'approve'
  for (const outcome of OUTCOMES) if (p[outcome] > p[best]) best = outcome
  return best
}

/** TV(p, q) = ½ Σ |p − q|, in 0…1. */
export function totalVariation(p: Probabilities, q: Probabilities): number {
  return 0.5 * OUTCOMES.reduce((sum, outcome) => sum + Math.abs(p[outcome] - q[outcome]), 0)
}

/** KL(p ‖ q) in bits; q is positive wherever p is. */
export function klBits(p: Probabilities, q: Probabilities): number {
  return OUTCOMES.reduce((sum, o) => (p[o] > 0 ? sum + p[o] * Math.log2(p[o] / q[o]) : sum), 0)
}

export interface Surprise {
  fired: boolean
  tv: number
  klBits: number
  /** Posterior confidence less prior confidence. */
  confidenceShift: number
}

/** Whether the artifact changed enough to matter, and by how much. */
export function surpriseBetween(prior: Probabilities, posterior: Probabilities): Surprise {
  const tv = totalVariation(prior, posterior)
  const before = winner(prior)
  const after = winner(posterior)
  const confidenceShift = posterior[after] - prior[before]
  return {
    fired: tv >= 0.3 || (before !== after && tv >= 0.15) || Math.abs(confidenceShift) > 0.3,
    tv,
    klBits: klBits(posterior, prior),
    confidenceShift,
  }
}

/** The second surprise, −log2 p(y): how unexpected the decision itself was, in bits. */
export function surpriseBits(p: Probabilities, outcome: Outcome): number {
  return -Math.log2(p[outcome])
}
