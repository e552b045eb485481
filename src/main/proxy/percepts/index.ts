export { type ArtifactView, clip, viewArtifact } from './artifact-view'
export { isLearned, type LearnedPhrase, learnPhrases, mentions, parseLearned } from './learned'
export { lookFor, namedBy, type Observation, observe, RULE_PHRASES } from './observe'
export type { Upstream } from './upstream'
