import { mixed, smoothed } from './distribution'
import { type PerceptEvidence, percepticPosterior, weighPercepts } from './evidence'
import { cosine } from './lexical-vector'
import type { ArtifactView, Observation } from './percepts'
import {
  heaviestFirst,
  KAPPA,
  type Prior,
  type PriorInput,
  pooled,
  SHARPNESS,
  votes,
  type WeightedCase,
} from './prior'
import { contextSimilarity, retrieve, retrieveSalience } from './retrieval'
import { type AttentionMap, DEFAULT_OPTIONS, type Probabilities, type Vec } from './types'

/** What the second pass knows besides: the artifact, what it answers to (as percepts), and where attention goes. */
export interface Inspection {
  vector: Vec
  view: ArtifactView
  observations: readonly Observation[]
  attention: AttentionMap
}

export interface Posterior {
  p: Probabilities
  /** Half of it: cases alike in context and artifact. */
  byCases: Probabilities
  /** The other half: the prior moved by percepts. */
  byPercepts: Probabilities
  cases: WeightedCase[]
  percepts: PerceptEvidence[]
}

/** p¹ = ½p^k + ½p^f: cases weighted by w_i = e^{4(sim_c − 1) + 4(sim_a − 1)}, and percepts with Beta evidence. */
export function predictPosterior(context: PriorInput, prior: Prior, inspection: Inspection): Posterior {
  const options = context.options ?? DEFAULT_OPTIONS
  const { situation, stimulus, memory, now } = context
  const query = { situation, stimulus, artifact: inspection.vector }
  const cases = retrieve(memory, query, now, options).map((remembered) => {
    const similarity = contextSimilarity(query, remembered)
    const artifact = cosine(inspection.vector, remembered.vectors.artifact)
    return {
      remembered,
      similarity: artifact,
      weight: Math.exp(SHARPNESS * (similarity - 1) + SHARPNESS * (artifact - 1)),
    }
  })
  const surprising = options.salience
    ? retrieveSalience(memory, { situation, artifact: inspection.vector })
    : []
  const percepts = weighPercepts({ state: context.state, memory, surprising, options, ...inspection })
  const byCases = smoothed(votes(cases), pooled(memory), KAPPA)
  const byPercepts = percepticPosterior(prior.p, percepts)
  return { p: mixed(byCases, byPercepts), byCases, byPercepts, cases: heaviestFirst(cases), percepts }
}
