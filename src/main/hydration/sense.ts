import { AppError } from '../../shared/errors'
import type { Embedder } from '../models'
import { type GoalWords, hasWords } from './goal-words'

/** The goal's vector, or in one sentence why there is none. */
export type Sense = { model: string | null } & ({ vector: Float32Array } | { reason: string })

/** Never throws: without a model, recall goes on by words and says so. The vector is asked for before it returns. */
export async function sense(embedder: Embedder, words: GoalWords, vectors: number): Promise<Sense> {
  // The model knows one vector for all it cannot read, and that lies near whatever else is hard to read.
  if (!hasWords(words)) return { model: null, reason: NO_WORDS }
  if (vectors === 0) {
    const status = await embedder.status()
    const reason =
      status.state === 'missing' || status.state === 'failed'
        ? noModel(status.reason)
        : 'Nothing in memory has a vector yet.'
    return { model: status.model, reason }
  }
  try {
    const [vector] = await embedder.embed([words.text])
    const { model } = await embedder.status()
    return vector ? { model, vector } : { model, reason: noModel(null) }
  } catch (error) {
    return { model: null, reason: noModel(error instanceof AppError ? error.message : null) }
  }
}

const NO_WORDS = 'Nothing in it can be read as a word.'

const noModel = (reason: string | null): string =>
  `no embedding model: ${reason ?? 'the embedding of the goal failed'}`
