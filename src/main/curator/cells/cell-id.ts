import { createHash } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** `cel_` and 16 letters of base32 from the handle of the item a cell began with: the same on every machine. */
export function cellId(handle: string): string {
  const bytes = createHash('sha256').update(`cell ${handle}`).digest()
  return `cel_${Array.from(bytes.subarray(0, 16), (byte) => ALPHABET[byte & 31]).join('')}`
}
