import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Below this many characters together they are not worth packing. */
const PACK_FROM = 1_000

/** A receipt as JSON, and its frame. */
export interface ReceiptText {
  body: string
  frame: string
}

/** How they lie in their row: packed together, since a frame says again what its facts say, or both as they are. */
export interface PackedReceipt extends ReceiptText {
  packed: Uint8Array | null
}

/** A receipt of 30,000 characters takes 9 kB packed; many are written every day, and few are ever opened. */
export function packReceipt({ body, frame }: ReceiptText): PackedReceipt {
  if (body.length + frame.length < PACK_FROM) return { body, frame, packed: null }
  return { body: '', frame: '', packed: deflateRawSync(JSON.stringify([body, frame])) }
}

/** Empty texts when the bytes are damaged: such a receipt cannot be read, and says so where it is opened. */
export function unpackReceipt({ body, frame, packed }: PackedReceipt): ReceiptText {
  if (!packed) return { body, frame }
  try {
    const [unpacked, wrapped] = JSON.parse(inflateRawSync(packed).toString('utf8')) as [string, string]
    return { body: unpacked, frame: wrapped }
  } catch {
    return { body: '', frame: '' }
  }
}
