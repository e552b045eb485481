export { baseLevel, isListed, LISTED_ABOVE, logisticNoise } from './activation'
export {
  type AttentionObservation,
  attentionDeltas,
  attentionLines,
  isIgnored,
  isLooked,
  liftProbability,
  NO_ATTENTION,
  observed,
} from './attention'
export { type CasePrediction, predictCase } from './case-engine'
export {
  klBits,
  pooledRate,
  type Surprise,
  surpriseBetween,
  surpriseBits,
  totalVariation,
  winner,
} from './distribution'
export { bagVector, cosine, LEXICAL_DIMENSIONS } from './lexical-vector'
export { attentionBids, type Count, caseBids, situationBid } from './memory.bids'
export { learnPhrases, mentions, namedBy, observe, type Upstream, viewArtifact } from './percepts'
export { type Inspection, type Posterior, predictPosterior } from './posterior'
export { type Prior, type PriorInput, predictPrior } from './prior'
export {
  creationTraces,
  type Experience,
  learn,
  NO_EXPERIENCE,
  observationOf,
  type PastGate,
  type Prepared,
  prepare,
  presentPercepts,
  replay,
  type Step,
  summarise,
} from './replay'
export {
  accuracy,
  alwaysApproveReference,
  baseRateReference,
  brier,
  logLoss,
  type Scored,
  skill,
} from './scoring'
export { canonicalJson, sealHolds, sealOf } from './seal'
export { REVIEWERS, type Reviewer, seeded, simulate } from './simulated'
export { salienceText, situationText } from './situation'
export {
  type AttentionCount,
  type AttentionMap,
  type Case,
  DEFAULT_OPTIONS,
  type EngineOptions,
  OUTCOMES,
  type Probabilities,
  type Situation,
  type Vec,
} from './types'
export {
  chooseSpace,
  lexicalSpace,
  lexicalTokens,
  passages,
  semanticSpace,
  type VectorSpace,
} from './vector-space'
export { contentWords, stemsOf } from './words'
