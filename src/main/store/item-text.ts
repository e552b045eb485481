import { deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib'

/** Below this many characters compression gains nothing worth its time. */
const COMPRESS_FROM = 160
/** Packed text that is not smaller than this share of the plain one is not worth unpacking. */
const WORTH = 0.9

/** How an item's text lies in its row: exactly one of the two is set. */
export interface PackedText {
  text: string | null
  text_z: Uint8Array | null
}

/** Text as it is stored: plain when short or incompressible, else deflated UTF-8. */
export function packText(text: string): PackedText {
  if (text.length >= COMPRESS_FROM) {
    const plain = Buffer.from(text, 'utf8')
    const packed = deflateRawSync(plain, fitted(plain.length))
    if (packed.length < plain.length * WORTH) return { text: null, text_z: packed }
  }
  return { text, text_z: null }
}

/** A window as large as the text and no larger: setting up a full one costs more than packing a short text. */
function fitted(bytes: number): ZlibOptions {
  const windowBits = Math.min(15, Math.max(9, Math.ceil(Math.log2(bytes))))
  return { level: 6, windowBits, memLevel: Math.min(8, windowBits - 6), chunkSize: Math.max(64, bytes) }
}

/** Accepts rows read as plain bytes as well. */
export function unpackText(row: { text: string | null; text_z: Uint8Array | null }): string {
  if (row.text_z) return inflateRawSync(row.text_z).toString('utf8')
  return row.text ?? ''
}
