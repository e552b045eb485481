import { readSync } from 'node:fs'
import type { LineReader } from './lines'
import { recordsOf } from './records'

// How a file is cut into records. Each way of cutting knows where every record lies, to the byte.

/** One record, or a stretch of bytes that should have been one. */
export interface Piece {
  /** 1-based, of its first byte. */
  line: number
  offset: number
  length: number
  /** Its bytes, valid until the next step; null where they were not kept. */
  bytes: Buffer | null
  value?: unknown
  /** Why it could not be read. */
  error?: string
  /** Readable, but something in it was damaged; it counts as an error and is kept all the same. */
  damage?: string
  /** Reason why it needs no reading. */
  skipped?: string
  /** Longer than what is parsed: the first 32 hex digits of its sha256. */
  tooLong?: string
  /** The hash of the whole record, where `bytes` are not kept and it is read all the same. */
  hash?: string
}

export interface Step {
  pieces: Piece[]
  /** The byte where reading goes on, and how many lines ended before it. */
  offset: number
  lines: number
  /** It may still grow: whoever reads on later begins here, and gives the cutter this. */
  resume?: { cutter: unknown }
}

export interface Frames {
  /** null at the end of what can be read now. */
  next(): Step | null
}

/** One JSON record a line; reading goes on where it stopped. A last line that is no whole record waits. */
export class LineFrames implements Frames {
  constructor(
    private readonly reader: LineReader,
    private lines: number,
    private readonly skim?: (line: Buffer) => string | null,
  ) {}

  next(): Step | null {
    const line = this.reader.next()
    if (!line) return null
    const { bytes, offset, length, terminated, tooLong } = line
    const place = { line: this.lines + 1, offset, length }
    const done = (pieces: Piece[]): Step => {
      if (terminated) this.lines++
      return { pieces, offset: offset + length + (terminated ? 1 : 0), lines: this.lines }
    }
    if (tooLong !== null) return terminated ? done([{ ...place, bytes: null, tooLong }]) : null
    const skipped = terminated ? this.skim?.(bytes) : null
    if (skipped) return done([{ ...place, bytes: null, skipped }])
    const found = recordsOf(bytes, offset, !terminated)
    if (found === null || (!terminated && found.length === 0)) return null
    return done(
      found.map((one) => ({
        ...one,
        line: place.line,
        offset: offset + one.offset,
        bytes: bytes.subarray(one.offset, one.offset + one.length),
      })),
    )
  }
}

/** Bytes `[from, to)` of an open file; fewer when it has become shorter. */
export function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let got = 0
  while (got < bytes.length) {
    const read = readSync(fd, bytes, got, bytes.length - got, from + got)
    if (read === 0) break
    got += read
  }
  return bytes.subarray(0, got)
}
