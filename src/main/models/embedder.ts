import { AppError } from '../../shared/errors'

/** What stands behind semantic recall right now. */
export interface EmbedderStatus {
  state: 'ready' | 'loading' | 'missing' | 'failed'
  /** The model's name and how it was quantised, for example `all-MiniLM-L6-v2/q8`; null when there is none. */
  model: string | null
  /** A plain sentence when the state is not `ready`. */
  reason: string | null
}

/** Turns text into unit vectors. */
export interface Embedder {
  status(): Promise<EmbedderStatus>
  /**
   * One unit-length vector of 384 float32 for each text, in order.
   * @throws AppError `unavailable` when there is no model; callers then take their lexical path and say so.
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

/** Dimensions of every vector in the store. */
export const DIMENSIONS = 384

/** An embedder for when there is none: every recall takes its declared lesser path. */
export function noEmbedder(reason: string): Embedder {
  return {
    status: async () => ({ state: 'missing', model: null, reason }),
    embed: async () => {
      throw new AppError('unavailable', reason)
    },
  }
}
