// Vectors of the baselines, kept beside a data folder that is used again: embedding a few thousand texts takes longer
// than all the rest of a bench. A file of records: 20 bytes of sha1 of the text, then the float32 values.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const KEY = 20
const BYTES = 384 * 4

/** @returns `embed` that asks the model only for texts it has not seen, in this run or an earlier one */
export function keptVectors(file, embed) {
  const known = new Map()
  const stored = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  for (let at = 0; at + KEY + BYTES <= stored.length; at += KEY + BYTES) {
    const bytes = stored.subarray(at + KEY, at + KEY + BYTES)
    known.set(stored.toString('hex', at, at + KEY), new Float32Array(new Uint8Array(bytes).buffer))
  }
  return async (texts) => {
    const keys = texts.map((text) => createHash('sha1').update(text).digest('hex'))
    const unseen = texts.filter((_, i) => !known.has(keys[i]))
    const vectors = unseen.length === 0 ? [] : await embed(unseen)
    unseen.forEach((text, i) => {
      const key = createHash('sha1').update(text).digest()
      known.set(key.toString('hex'), vectors[i])
      appendFileSync(file, Buffer.concat([key, Buffer.from(new Float32Array(vectors[i]).buffer)]))
    })
    return keys.map((key) => known.get(key))
  }
}
