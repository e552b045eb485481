import { AppError } from '../../shared/errors'
import type { Embedder, EmbedderStatus } from './embedder'
import { Lanes } from './lanes'
import { Lru } from './lru'
import { loadMiniLm, missingModel, type TextModel } from './minilm'

/** An embedder that also works through a backlog without making a question wait for it. */
export interface BacklogEmbedder extends Embedder {
  /** As `embed`, but every waiting `embed` goes first, also in the middle of this. */
  embedLater(texts: readonly string[]): Promise<Float32Array[]>
  /** Resolves when loading has ended, one way or the other. */
  loaded(): Promise<EmbedderStatus>
  /** Finishes the text that is being embedded; those that wait are refused with `unavailable`. */
  close(): Promise<void>
}

/** Questions and repeated lines (the same file edited again) that are answered from memory: 512 × 1.5 kB. */
const CACHED = 512
const CLOSED = 'The embedding model is closed.'

/**
 * The MiniLM of `modelsDir`, loading from now on. A text always gets the same vector, alone or among others.
 * A missing or broken model is a status with a reason, and `embed` then throws `unavailable`.
 * @param options.load for tests of the failures; the real loader by default
 */
export function createEmbedder(options: {
  modelsDir: string
  threads: number
  load?: typeof loadMiniLm
}): BacklogEmbedder {
  const lanes = new Lanes<Float32Array>()
  const cache = new Lru<Float32Array>(CACHED)
  let status: EmbedderStatus = { state: 'loading', model: null, reason: 'The embedding model is loading.' }
  let closing: Promise<void> | undefined

  const loading = (async (): Promise<TextModel | null> => {
    const missing = missingModel(options.modelsDir)
    if (missing) {
      status = { state: 'missing', model: null, reason: missing }
      return null
    }
    try {
      const model = await (options.load ?? loadMiniLm)(options)
      status = { state: 'ready', model: model.id, reason: null }
      return model
    } catch (error) {
      const reason = error instanceof AppError ? error.message : 'The embedding model cannot be loaded.'
      status = { state: 'failed', model: null, reason }
      return null
    }
  })()

  const one = async (text: string, lane: 'urgent' | 'background'): Promise<Float32Array> => {
    const model = await loading
    if (!model) throw new AppError('unavailable', status.reason ?? CLOSED)
    const known = cache.get(text)
    if (known) return known.slice()
    const vector = await lanes[lane](async () => {
      if (closing) throw new AppError('unavailable', CLOSED)
      return model.run(text)
    })
    // A long text is hardly asked twice, and would be kept whole as a key.
    if (text.length <= 1_000) cache.set(text, vector)
    return vector.slice()
  }

  return {
    status: async () => status,
    loaded: async () => {
      await loading
      return status
    },
    embed: (texts) => Promise.all(texts.map((text) => one(text, 'urgent'))),
    embedLater: (texts) => Promise.all(texts.map((text) => one(text, 'background'))),
    close: () => {
      closing ??= (async () => {
        const model = await loading
        // A session that is gone while a text is in it fails with a message of the runtime's own.
        await lanes.idle()
        await model?.close()
      })()
      return closing
    },
  }
}
