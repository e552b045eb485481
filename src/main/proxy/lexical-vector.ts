import type { Vec } from './types'

/** Dimensions of the declared fallback when there is no embedding model. */
export const LEXICAL_DIMENSIONS = 2048

/**
 * A hashed bag of words as a unit vector: each distinct token counts once (a hash picks its place). The cosine of two
 * is their share of common words. No token, no direction: all zero.
 */
export function bagVector(tokens: Iterable<string>): Vec {
  const vector = new Float32Array(LEXICAL_DIMENSIONS)
  const distinct = new Set(tokens)
  if (distinct.size === 0) return vector
  for (const token of distinct) {
    const place = hashOf(token) % LEXICAL_DIMENSIONS
    vector[place] = (vector[place] ?? 0) + 1
  }
  return unit(vector)
}

/** The vector at length 1; zero stays zero. */
export function unit(vector: Vec): Vec {
  let sum = 0
  for (const value of vector) sum += value * value
  if (sum === 0) return vector
  const scale = 1 / Math.sqrt(sum)
  return vector.map((value) => value * scale)
}

/** Cosine of two unit vectors, kept in −1…1; 0 when either has no direction or they are of different spaces. */
export function cosine(a: Vec, b: Vec): number {
  if (a.length !== b.length) return 0
  let dot = 0
  for (let i = 0; i < a.length; i += 1) dot += (a[i] ?? 0) * (b[i] ?? 0)
  return Math.max(-1, Math.min(1, dot))
}

function hashOf(token: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < token.length; i += 1) {
    hash ^= token.charCodeAt(i)
    hash = Math.imul(hash, 0x01000193)
  }
  // FNV's low bits are weak on short tokens; murmur's finaliser spreads them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
