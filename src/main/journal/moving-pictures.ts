import { createRequire } from 'node:module'

// GIF and WebP files, decoded to pixels: of a moving picture its first frame. The decoders are loaded when the first
// such picture is met.

/** 8-bit red, green, blue, alpha of each pixel, row by row. */
export interface Decoded {
  width: number
  height: number
  rgba: Uint8Array | Uint8ClampedArray
}

interface Size {
  width: number
  height: number
}

/** What of the decoders is used. Neither package brings types for it that the compiler could rely on. */
interface GifReader {
  numFrames(): number
  frameInfo(frame: number): Size & { x: number; y: number }
  decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void
}
interface GifModule {
  GifReader: new (bytes: Uint8Array) => GifReader
}
interface WebpModule {
  decode(bytes: Uint8Array): Size & { data: Uint8ClampedArray }
}

const load = createRequire(import.meta.url)
const WEBP = '@cwasm/webp'

export const isGif = (bytes: Buffer): boolean => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))

export const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'

/** @param screen what the header says. null when the first frame does not lie within it. @throws on a broken file */
export function gif(bytes: Buffer, screen: Size): Decoded | null {
  const reader = new (load('omggif') as GifModule).GifReader(bytes)
  if (reader.numFrames() === 0) return null
  const { x, y, width, height } = reader.frameInfo(0)
  if (width < 1 || height < 1 || x + width > screen.width || y + height > screen.height) return null
  const rgba = new Uint8Array(screen.width * screen.height * 4)
  reader.decodeAndBlitFrameRGBA(0, rgba)
  return { ...screen, rgba }
}

/** @param canvas what the header says. null when the picture is larger than that. @throws on a broken file */
export function webp(bytes: Buffer, canvas: Size): Decoded | null {
  const picture = bitstreamOf(bytes)
  if (!picture || picture.width > canvas.width || picture.height > canvas.height) return null
  const still = picture.moving ? container(picture.chunk) : bytes
  const { width, height, data } = decodeWebp(still)
  return width === picture.width && height === picture.height ? { width, height, rgba: data } : null
}

function decodeWebp(bytes: Buffer): Size & { data: Uint8ClampedArray } {
  try {
    return (load(WEBP) as WebpModule).decode(bytes)
  } catch (error) {
    // Whatever state a file has left the decoder in, the next picture gets a new one.
    if (error instanceof WebAssembly.RuntimeError) delete load.cache[load.resolve(WEBP)]
    throw error
  }
}

interface Bitstream extends Size {
  /** With its name and length. */
  chunk: Buffer
  /** It is the first frame of several. */
  moving: boolean
}

/** A chunk's payload is so far into a frame of a moving picture. */
const FRAME_HEADER = 16

/** The picture's data, with the size stated there: that one is what a decoder makes room for. */
function bitstreamOf(bytes: Buffer, from = 12, moving = false): Bitstream | null {
  for (let at = from; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (name === 'ANMF' && !moving) return bitstreamOf(bytes.subarray(0, end), at + 8 + FRAME_HEADER, true)
    const size = end <= bytes.length ? sizeIn(name, bytes.subarray(at + 8, end)) : null
    if (size) return { ...size, chunk: bytes.subarray(at, end), moving }
    at = end + (length % 2)
  }
  return null
}

/** Width and height at the beginning of a lossy or lossless bitstream; null of any other chunk. */
export function sizeIn(name: string, data: Buffer): Size | null {
  if (name === 'VP8 ' && data.length >= 10)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  if (name !== 'VP8L' || data.length < 5 || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** A still picture's file around one bitstream. */
function container(chunk: Buffer): Buffer {
  const padded = chunk.length % 2 === 0 ? chunk : Buffer.concat([chunk, Buffer.alloc(1)])
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + padded.length, 4)
  return Buffer.concat([head, padded])
}
