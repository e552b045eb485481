import { deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { packingWords } from './text-words'

/** Below this many characters a text is not packed: it is read more often than its few bytes are worth. */
const COMPRESS_FROM = 100
/** Packed text that is not smaller than this share of the plain one is not worth unpacking. */
const WORTH = 0.9
/** Up to so many bytes a text is packed with words given beforehand; a longer one has enough of its own. */
const WORDS_UP_TO = 4_096
/** What holds the words and the longest text packed with them. */
const WORDS_WINDOW = 14

/** How an item's text lies in its row: exactly one of the two is set. */
export interface PackedText {
  text: string | null
  text_z: Uint8Array | null
}

/**
 * Text as it is stored: plain when short or incompressible, else deflated UTF-8. Where it was packed with words given
 * beforehand, a first byte says with which: one that no deflate stream begins with (block type 3, which RFC 1951
 * reserves), and above its three bits the place of the list, from 1.
 */
export function packText(text: string): PackedText {
  if (text.length >= COMPRESS_FROM) {
    const plain = Buffer.from(text, 'utf8')
    const packed =
      plain.length <= WORDS_UP_TO ? withWords(plain) : deflateRawSync(plain, fitted(plain.length))
    if (packed.length < plain.length * WORTH) return { text: null, text_z: packed }
  }
  return { text, text_z: null }
}

/** A window as large as the text and no larger: setting up a full one costs more than packing a short text. */
function fitted(bytes: number): ZlibOptions {
  const windowBits = Math.min(15, Math.max(9, Math.ceil(Math.log2(bytes))))
  return { level: 6, windowBits, memLevel: Math.min(8, windowBits - 6), chunkSize: Math.max(64, bytes) }
}

const RESERVED = 0b111

function withWords(plain: Buffer): Buffer {
  const dictionary = packingWords.at(-1)
  const packed = deflateRawSync(plain, {
    level: 6,
    windowBits: WORDS_WINDOW,
    memLevel: 7,
    chunkSize: Math.max(64, plain.length),
    ...(dictionary ? { dictionary } : {}),
  })
  return Buffer.concat([Buffer.of((packingWords.length << 3) | RESERVED), packed], packed.length + 1)
}

/**
 * Accepts rows read as plain bytes as well.
 * @throws when the bytes are damaged, or were packed with a list of words this version does not have
 */
export function unpackText(row: { text: string | null; text_z: Uint8Array | null }): string {
  const packed = row.text_z
  if (!packed) return row.text ?? ''
  const mark = packed[0] ?? 0
  if ((mark & RESERVED) !== RESERVED) return inflateRawSync(packed).toString('utf8')
  const dictionary = packingWords[(mark >> 3) - 1]
  if (!dictionary) throw new Error('The text was packed with words that this version does not know.')
  return inflateRawSync(packed.subarray(1), { dictionary, windowBits: WORDS_WINDOW }).toString('utf8')
}
