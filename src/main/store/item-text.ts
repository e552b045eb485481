import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Below this many characters compression gains nothing worth its time. */
const COMPRESS_FROM = 1_024

/** How an item's text lies in its row: exactly one of the two is set. */
export interface PackedText {
  text: string | null
  text_z: Uint8Array | null
}

/** Text as it is stored: plain when short or incompressible, else deflated UTF-8. */
export function packText(text: string): PackedText {
  if (text.length >= COMPRESS_FROM) {
    const packed = deflateRawSync(Buffer.from(text, 'utf8'), { level: 3 })
    if (packed.length < text.length * 0.8) return { text: null, text_z: packed }
  }
  return { text, text_z: null }
}

/** Accepts rows read as plain bytes as well. */
export function unpackText(row: { text: string | null; text_z: Uint8Array | null }): string {
  if (row.text_z) return inflateRawSync(row.text_z).toString('utf8')
  return row.text ?? ''
}
