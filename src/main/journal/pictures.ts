import { inflateSync } from 'node:zlib'
import { convertIndexedToRgb, decode as decodePng } from 'fast-png'
import jpeg from 'jpeg-js'
import { hashDistance as bitsBetween, dHash } from '../faculty'
import { type Decoded, gif, isGif, isWebp, webp } from './moving-pictures'

// What a picture looks like, small: a perceptual hash, to tell whether two pictures show the same, and a thumbnail.
// Decoding is bounded by the picture's size alone, so that one picture always gives the same hash.

const MAX_BYTES = 8 * 1024 * 1024
const MAX_PIXELS = 8_000_000
/** A colour profile is packed too; real ones have a few kilobytes. */
const MAX_EXTRA = 64 * 1024
const SIDE = 96
const QUALITY = 70

export interface Look {
  /** The faculty's difference hash as 16 hex digits. */
  phash: string
  thumbnail: Thumbnail
}

/** A JPEG of at most 96 pixels a side. */
export interface Thumbnail {
  width: number
  height: number
  bytes: Uint8Array
}

interface Pixels {
  width: number
  height: number
  /** 8-bit red, green, blue of each pixel, row by row, over white. */
  rgb: Uint8Array
}

/** How a PNG, JPEG, GIF or WebP file looks; null for other formats, for broken files, and for what is too large to decode. */
export function lookOf(bytes: Buffer, size: { width: number; height: number } | null): Look | null {
  if (!size || bytes.length > MAX_BYTES || size.width * size.height > MAX_PIXELS) return null
  if (size.width < 1 || size.height < 1) return null
  try {
    const pixels = pixelsOf(bytes, size)
    return pixels && { phash: differenceHash(pixels), thumbnail: shrink(pixels) }
  } catch {
    return null
  }
}

function pixelsOf(bytes: Buffer, size: { width: number; height: number }): Pixels | null {
  if (bytes.length < 12) return null
  if (bytes.readUInt32BE(0) === 0x89504e47) return png(bytes)
  if (isGif(bytes)) return opaque(gif(bytes, size))
  return isWebp(bytes) ? opaque(webp(bytes, size)) : jpegPixels(bytes)
}

const opaque = (decoded: Decoded | null): Pixels | null =>
  decoded && { ...decoded, rgb: overWhite(decoded.rgba, 4, 0, decoded.width * decoded.height) }

/**
 * A few bytes may unpack to gigabytes: before the picture is decoded, its data must unpack to no more than its header
 * says it has. @throws when it does not
 */
function assertSize(bytes: Buffer): void {
  const [width, height, depth] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24] ?? 8]
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[bytes[25] ?? 6] ?? 4
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length))
    else if (length > MAX_EXTRA) throw new RangeError('a part beside the picture is too large')
    at += length + 12
  }
  // Each row has a byte in front; an interlaced picture has its rows in seven passes.
  const rows = height * (1 + Math.ceil((width * channels * depth) / 8))
  inflateSync(Buffer.concat(parts), { maxOutputLength: rows * 2 + 4096 })
}

function png(bytes: Buffer): Pixels | null {
  assertSize(bytes)
  const decoded = decodePng(bytes)
  const { width, height } = decoded
  const indexed = decoded.palette ? convertIndexedToRgb(decoded) : null
  const data = indexed ?? decoded.data
  const channels = indexed ? (decoded.palette?.[0]?.length ?? 3) : decoded.channels
  if (!indexed && decoded.depth !== 8 && decoded.depth !== 16) return null
  const shift = !indexed && decoded.depth === 16 ? 8 : 0
  return { width, height, rgb: overWhite(data, channels, shift, width * height) }
}

function jpegPixels(bytes: Buffer): Pixels | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: MAX_PIXELS / 1e6,
    maxMemoryUsageInMB: 256,
  })
  return { width, height, rgb: overWhite(data, 4, 0, width * height) }
}

function overWhite(
  data: Uint8Array | Uint8ClampedArray | Uint16Array,
  channels: number,
  shift: number,
  count: number,
): Uint8Array {
  const rgb = new Uint8Array(count * 3)
  const colour = channels >= 3
  const hasAlpha = channels === 2 || channels === 4
  for (let pixel = 0; pixel < count; pixel++) {
    const at = pixel * channels
    const alpha = hasAlpha ? ((data[at + channels - 1] ?? 0) >> shift) / 255 : 1
    for (let c = 0; c < 3; c++) {
      const value = (data[colour ? at + c : at] ?? 0) >> shift
      rgb[pixel * 3 + c] = Math.round(value * alpha + 255 * (1 - alpha))
    }
  }
  return rgb
}

/** Averages of the cells of a grid, red, green and blue. A cell is at least one pixel. */
function grid({ width, height, rgb }: Pixels, columns: number, rows: number): Float64Array {
  const cells = new Float64Array(columns * rows * 3)
  for (let row = 0; row < rows; row++) {
    const top = Math.floor((row * height) / rows)
    const bottom = Math.max(top + 1, Math.floor(((row + 1) * height) / rows))
    for (let column = 0; column < columns; column++) {
      const left = Math.floor((column * width) / columns)
      const right = Math.max(left + 1, Math.floor(((column + 1) * width) / columns))
      average(rgb, width, { top, bottom, left, right }, cells, (row * columns + column) * 3)
    }
  }
  return cells
}

function average(
  rgb: Uint8Array,
  width: number,
  box: { top: number; bottom: number; left: number; right: number },
  into: Float64Array,
  at: number,
): void {
  let [red, green, blue] = [0, 0, 0]
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const pixel = (y * width + x) * 3
      red += rgb[pixel] ?? 0
      green += rgb[pixel + 1] ?? 0
      blue += rgb[pixel + 2] ?? 0
    }
  }
  const count = (box.bottom - box.top) * (box.right - box.left)
  into[at] = red / count
  into[at + 1] = green / count
  into[at + 2] = blue / count
}

function differenceHash(pixels: Pixels): string {
  const cells = grid(pixels, 9, 8)
  // Brightness as ITU-R BT.601 weighs it.
  const bright = Float64Array.from(
    { length: 9 * 8 },
    (_, cell) =>
      0.299 * (cells[cell * 3] ?? 0) +
      0.587 * (cells[cell * 3 + 1] ?? 0) +
      0.114 * (cells[cell * 3 + 2] ?? 0),
  )
  return dHash(bright, 9, 8).toString(16).padStart(16, '0')
}

function shrink(pixels: Pixels): Thumbnail {
  const scale = Math.min(1, SIDE / Math.max(pixels.width, pixels.height))
  const width = Math.max(1, Math.round(pixels.width * scale))
  const height = Math.max(1, Math.round(pixels.height * scale))
  const cells = grid(pixels, width, height)
  const data = Buffer.alloc(width * height * 4, 255)
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let c = 0; c < 3; c++) data[pixel * 4 + c] = Math.round(cells[pixel * 3 + c] ?? 0)
  }
  return { width, height, bytes: jpeg.encode({ width, height, data }, QUALITY).data }
}

/** Bits in which two perceptual hashes differ, 0 to 64; up to about 10 it is the same picture to a person. */
export const hashDistance = (a: string, b: string): number => bitsBetween(BigInt(`0x${a}`), BigInt(`0x${b}`))
