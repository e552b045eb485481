import type { GateState } from '../../shared/domain'
import { pooledRate, smoothed } from './distribution'
import { contextSimilarity, retrieve, retrieveSalience } from './retrieval'
import { type Case, DEFAULT_OPTIONS, type EngineOptions, type Probabilities, type Vec } from './types'

/** κ: how many cases the pooled rate is worth. */
export const KAPPA = 2
/** How sharply weight falls with distance: w = e^{4(sim − 1)}. */
export const SHARPNESS = 4

/**
 * All the first pass may know. There is no artifact in it, and `artifact?: never` keeps one from being handed over by
 * accident: a value that holds one is no PriorInput.
 */
export interface PriorInput {
  state: GateState
  situation: Vec
  stimulus: Vec
  memory: readonly Case[]
  /** The number of this interaction; traces count on the same scale. */
  now: number
  options?: EngineOptions
  artifact?: never
}

export interface WeightedCase {
  remembered: Case
  /** sim_c for the prior; sim_a rides along in the posterior's weight only. */
  similarity: number
  weight: number
}

export interface Prior {
  p: Probabilities
  /** Heaviest first. */
  cases: WeightedCase[]
  /** Gates in which the person was surprising in a situation like this. */
  surprising: Case[]
}

/** p⁰: cases weighted by w_i = e^{4(sim_c − 1)}, smoothed by the pooled rate with κ = 2. */
export function predictPrior(input: PriorInput): Prior {
  const options = input.options ?? DEFAULT_OPTIONS
  const query = { situation: input.situation, stimulus: input.stimulus }
  const cases = retrieve(input.memory, query, input.now, options).map((remembered) => {
    const similarity = contextSimilarity(query, remembered)
    return { remembered, similarity, weight: Math.exp(SHARPNESS * (similarity - 1)) }
  })
  return {
    p: smoothed(votes(cases), pooled(input.memory), KAPPA),
    cases: heaviestFirst(cases),
    surprising: options.salience ? retrieveSalience(input.memory, { situation: input.situation }) : [],
  }
}

/** g over everything the person answered. */
export function pooled(memory: readonly Case[]): Probabilities {
  return pooledRate(memory.filter(({ answeredBy }) => answeredBy === 'person').map(({ outcome }) => outcome))
}

export const votes = (cases: readonly WeightedCase[]) =>
  cases.map(({ remembered, weight }) => ({ outcome: remembered.outcome, weight }))

export const heaviestFirst = (cases: readonly WeightedCase[]): WeightedCase[] =>
  [...cases].sort((a, b) => b.weight - a.weight || (a.remembered.id < b.remembered.id ? -1 : 1))
