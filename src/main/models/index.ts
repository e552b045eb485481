export { DIMENSIONS, type Embedder, type EmbedderStatus, noEmbedder } from './embedder'
