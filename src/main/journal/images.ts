import { hash } from 'node:crypto'
import type { ItemData } from './item-data'
import { sizeIn } from './moving-pictures'
import { lookOf, type Thumbnail } from './pictures'
import { isObject } from './text'

/** Facts about a picture given as base64; null when it is none. The base64 itself is never kept. */
export function imageFacts(base64: unknown, mediaType: unknown): ItemData<'image'> | null {
  if (typeof base64 !== 'string' || base64.length < 8) return null
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) return null
  const size = dimensions(bytes)
  const look = lookOf(bytes, size)
  const facts: ItemData<'image'> = {
    sha256: hash('sha256', bytes, 'hex'),
    bytes: bytes.length,
    mediaType: typeof mediaType === 'string' ? mediaType.slice(0, 60) : 'image/unknown',
    ...(size ?? {}),
    ...(look ? { phash: look.phash } : {}),
  }
  if (look) thumbnails.set(facts, look.thumbnail)
  return facts
}

/** A format hands on a picture's facts; its thumbnail goes with them until they are written. */
const thumbnails = new WeakMap<object, Thumbnail>()

export const thumbnailOf = (facts: object): Thumbnail | undefined => thumbnails.get(facts)

/** Width and height from the header of a PNG, GIF, JPEG or WebP file. */
export function dimensions(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 30) return null
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  const head = bytes.toString('latin1', 0, 4)
  if (head === 'GIF8') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (head === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return webp(bytes)
  return bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : null
}

function webp(bytes: Buffer): { width: number; height: number } | null {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  return sizeIn(kind, bytes.subarray(20))
}

function jpeg(bytes: Buffer): { width: number; height: number } | null {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** One line that stands for a picture in lists and in the index. */
export function imageText(facts: ItemData<'image'>): string {
  const size = facts.width ? ` ${facts.width}×${facts.height}` : ''
  return `Picture ${facts.mediaType}${size}, ${Math.ceil(facts.bytes / 1024)} KB, ${facts.sha256.slice(0, 12)}`
}

/** A picture as a transcript may hold it: a data URL, or an object with base64 in `data`. */
export function pictureIn(value: unknown): { data: string; mediaType: unknown; alt: string | null } | null {
  if (typeof value === 'string') {
    const match = /^data:([\w.+/-]{1,60});base64,/.exec(value.slice(0, 100))
    return match ? { data: value.slice(match[0].length), mediaType: match[1], alt: null } : null
  }
  if (!isObject(value) || typeof value.data !== 'string') return null
  const nested = pictureIn(value.data)
  const alt = typeof value.alt === 'string' ? value.alt : null
  return nested
    ? { ...nested, alt }
    : { data: value.data, mediaType: value.mediaType ?? value.media_type, alt }
}
