import type { Embedder } from '../models'
import { bagVector, unit } from './lexical-vector'
import type { Vec } from './types'
import { contentWords, stemsOf } from './words'

/** Where the five dimensions are vectors. Vectors of two spaces are never compared. */
export interface VectorSpace {
  /** The model, or `lexical/1`. */
  name: string
  semantic: boolean
  /** Why it is not the semantic one; null when it is. */
  reason: string | null
  /** One unit vector a text; an empty text has no direction. */
  short(texts: readonly string[]): Promise<Vec[]>
  /** One unit vector for a whole artifact. */
  artifact(text: string): Promise<Vec>
}

/** A passage of this many characters fits the model's window. */
const PASSAGE = 900
/** How many passages of a long artifact are read: its head and tail and evenly between. */
const PASSAGES = 4

/** Words and `key=value` marks of a text, for the lexical space. */
export function lexicalTokens(text: string): string[] {
  const marks = text.split(/\s+/).filter((piece) => piece.includes('='))
  const prose = text
    .split(/\s+/)
    .filter((piece) => !piece.includes('='))
    .join(' ')
  return [...marks, ...contentWords(prose).map(({ stem }) => stem)]
}

export function lexicalSpace(reason: string): VectorSpace {
  return {
    name: 'lexical/1',
    semantic: false,
    reason,
    short: async (texts) => texts.map((text) => bagVector(lexicalTokens(text))),
    artifact: async (text) => bagVector(stemsOf(text)),
  }
}

export function semanticSpace(embedder: Embedder, model: string): VectorSpace {
  return {
    name: model,
    semantic: true,
    reason: null,
    short: (texts) => embedSome(embedder, texts),
    artifact: async (text) => pool(await embedSome(embedder, passages(text))),
  }
}

/** The semantic space when the model is there, or is just being loaded; else the lexical one, which says why. */
export async function chooseSpace(embedder: Embedder): Promise<VectorSpace> {
  let status = await embedder.status()
  if (status.state === 'loading') {
    // The first vector comes when loading has ended; whether it came, the status then tells.
    await embedder.embed(['gate']).catch(() => [])
    status = await embedder.status()
  }
  if (status.state === 'ready' && status.model) return semanticSpace(embedder, status.model)
  return lexicalSpace(status.reason ?? `The embedding model is ${status.state}.`)
}

async function embedSome(embedder: Embedder, texts: readonly string[]): Promise<Vec[]> {
  const full = texts.filter((text) => text.trim() !== '')
  const vectors = full.length > 0 ? await embedder.embed(full) : []
  let next = 0
  return texts.map((text) =>
    text.trim() === '' ? new Float32Array() : (vectors[next++] ?? new Float32Array()),
  )
}

/** Head, tail, and evenly between. */
export function passages(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.length <= PASSAGE) return [trimmed]
  const count = Math.min(PASSAGES, Math.ceil(trimmed.length / PASSAGE))
  const step = (trimmed.length - PASSAGE) / (count - 1)
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round(index * step)
    return trimmed.slice(start, start + PASSAGE)
  })
}

function pool(vectors: readonly Vec[]): Vec {
  const [first] = vectors
  if (!first) return new Float32Array()
  const sum = new Float32Array(first.length)
  for (const vector of vectors)
    for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  return unit(sum)
}
