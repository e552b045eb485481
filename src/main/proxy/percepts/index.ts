export { type ArtifactView, clip, type Observation, viewArtifact } from './artifact-view'
export {
  isLearned,
  isSpecific,
  type LearnedPhrase,
  learnPhrases,
  mentions,
  parseLearned,
  repeatsRule,
} from './learned'
export { lookFor, namedBy, observe, RULE_PHRASES } from './observe'
export { bare, spokenLearned, topicOf, unseenRule } from './spoken'
export type { Upstream } from './upstream'
