import { fstatSync, readSync } from 'node:fs'
import * as zlib from 'node:zlib'
import { Decompress } from 'fzstd'

export const isCompressed = (path: string): boolean => /\.zst$/i.test(path)

/** The compressed file is cut or damaged. */
export class CompressionError extends Error {}

const BLOCK = 128 * 1024
/** A compressed file up to this size whose content stays below the second is unpacked in one go. */
const WHOLE_COMPRESSED = 8 * 1024 * 1024
const WHOLE = 48 * 1024 * 1024

/** Node's own decompressor; null where the runtime has none (Node 20). */
const native: ((bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer) | null =
  (zlib as { zstdDecompressSync?: typeof native }).zstdDecompressSync ?? null

/**
 * The content of a `.zst` file by position. Reading goes forward; a step back begins at the front again. Holds one
 * block and the decompressor's window, whatever the size of the content; small files are held whole.
 * Every read @throws CompressionError when the file is cut or damaged
 */
export class ZstContent {
  private whole: Buffer | null
  private decoder: Decompress | null = null
  private pieces: Uint8Array[] = []
  /** Position of the first piece in the content. */
  private position = 0
  private compressedAt = 0
  private ended = false

  constructor(
    private readonly fd: number,
    useNative = true,
  ) {
    this.whole = useNative ? unpackWhole(fd) : null
  }

  /** Reads up to `length` bytes of content from `position` on; 0 at the end. */
  read(into: Buffer, at: number, length: number, position: number): number {
    if (this.whole) {
      const part = this.whole.subarray(position, position + length)
      into.set(part, at)
      return part.length
    }
    if (position < this.position || !this.decoder) this.restart()
    let got = 0
    while (got < length && this.reach(position + got)) {
      const piece = this.pieces[0]
      if (!piece) break
      const part = piece.subarray(position + got - this.position).subarray(0, length - got)
      into.set(part, at + got)
      got += part.length
    }
    return got
  }

  private restart(): void {
    this.pieces = []
    this.position = 0
    this.compressedAt = 0
    this.ended = false
    this.decoder = new Decompress((piece) => {
      if (piece.length > 0) this.pieces.push(piece)
    })
  }

  /** Moves on until the first piece holds `position`. false at the end. */
  private reach(position: number): boolean {
    for (;;) {
      const [first] = this.pieces
      if (first && position < this.position + first.length) return true
      if (first) {
        this.position += first.length
        this.pieces.shift()
      } else if (!this.pull()) return false
    }
  }

  private pull(): boolean {
    if (this.ended || !this.decoder) return false
    const block = Buffer.allocUnsafe(BLOCK)
    const got = readSync(this.fd, block, 0, BLOCK, this.compressedAt)
    this.compressedAt += got
    this.ended = got === 0
    try {
      this.decoder.push(block.subarray(0, got), this.ended)
    } catch (cause) {
      throw new CompressionError('cut or damaged', { cause })
    }
    return true
  }
}

function unpackWhole(fd: number): Buffer | null {
  const { size } = fstatSync(fd)
  if (!native || size === 0 || size > WHOLE_COMPRESSED) return null
  const bytes = Buffer.allocUnsafe(size)
  if (readSync(fd, bytes, 0, size, 0) !== size || firstFrameEnd(bytes) !== size) return null
  try {
    return native(bytes, { maxOutputLength: WHOLE })
  } catch {
    // Too large, or damaged: read piece by piece, what stands before the damage is there.
    return null
  }
}

const MAGIC = 0xfd2fb528

/**
 * Where the first frame ends (RFC 8878 §3.1.1); -1 when it does not. Node's decompressor stops there without a word
 * about what follows.
 */
function firstFrameEnd(bytes: Buffer): number {
  if (bytes.length < 9 || bytes.readUInt32LE(0) !== MAGIC) return -1
  const descriptor = bytes[4] ?? 0
  const single = (descriptor & 0x20) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  let at = 5 + (single ? 0 : 1) + dictionary + contentSize
  while (at + 3 <= bytes.length) {
    const block = bytes.readUIntLE(at, 3)
    const repeated = ((block >> 1) & 3) === 1
    at += 3 + (repeated ? 1 : block >> 3)
    if (block & 1) return at + ((descriptor & 4) === 0 ? 0 : 4)
  }
  return -1
}
