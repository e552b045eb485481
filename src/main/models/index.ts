export { type BacklogEmbedder, createEmbedder } from './create-embedder'
export { DIMENSIONS, type Embedder, type EmbedderStatus, noEmbedder } from './embedder'
export {
  type Answer,
  type FailureKind,
  isCloudModel,
  isServerFault,
  type LanguageModel,
  type LanguageModelStatus,
  ModelFailure,
  NOTHING_USED,
  type Question,
  type Usage,
} from './language-model'
export { missingModel } from './minilm'
export type { RatioMemory, TokenRatio } from './ollama/calibration'
export { type OllamaOptions, ollamaModel } from './ollama/client'
export { DEFAULT_HOST, isLoopback } from './ollama/transport'
export { countTokens, fitTokens } from './tokens'
