/** Decay of base-level activation (ACT-R). */
export const DECAY = 0.5
/** Under this a memory is no longer listed. The prediction knows no threshold. */
export const LISTED_ABOVE = -3.5

/**
 * Base-level activation B = ln Σ max(now − trace, 1)^−d, an exact sum.
 * `now` and traces count interactions, never seconds. Without a trace it is −∞.
 */
export function baseLevel(traces: readonly number[], now: number, decay = DECAY): number {
  let sum = 0
  for (const trace of traces) sum += Math.max(now - trace, 1) ** -decay
  return Math.log(sum)
}

/** Whether a memory is still fresh enough to be listed to a person. */
export function isListed(traces: readonly number[], now: number, threshold = LISTED_ABOVE): boolean {
  return baseLevel(traces, now) >= threshold
}

/**
 * Logistic(0, s) noise for a uniform number in (0, 1); its standard deviation is πs/√3. Off unless a caller adds
 * it, and the uniform number is the caller's, so that a gate can always be computed again.
 */
export function logisticNoise(uniform: number, s: number): number {
  return s * Math.log(uniform / (1 - uniform))
}
