export { type ArtifactView, clip, type Observation, viewArtifact } from './artifact-view'
export { isLearned, type LearnedPhrase, learnPhrases, mentions, parseLearned } from './learned'
export { lookFor, namedBy, observe, RULE_PHRASES } from './observe'
export type { Upstream } from './upstream'
