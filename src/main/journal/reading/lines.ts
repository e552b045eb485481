import { createHash, type Hash } from 'node:crypto'
import { readSync } from 'node:fs'

/** Longest line that is parsed, in bytes. What is longer becomes a stub with its pointer. */
export const LINE_LIMIT = 32 * 1024 * 1024
const BLOCK = 1024 * 1024
const SMALL = 4096
const NEWLINE = 10

export interface Line {
  /** The line without its newline. Valid until the next line is asked for; empty when it was too long. */
  bytes: Buffer
  offset: number
  /** Bytes of the line without its newline, also when it was too long. */
  length: number
  /** false for the last bytes of a file that does not end in a newline. */
  terminated: boolean
  /** Set when the line was longer than the limit: the first 32 hex digits of its sha256. */
  tooLong: string | null
}

/** Bytes `[from, to)` of something readable, given out line by line. Holds at most one line and one block. */
export class LineReader {
  private buffer: Buffer<ArrayBuffer>
  /** Unread bytes are buffer[start, end); they lie at `position` in the file. */
  private start = 0
  private end = 0
  private position: number
  private searched = 0

  constructor(
    private readonly readAt: (into: Buffer, at: number, length: number, position: number) => number,
    from: number,
    private readonly to: number,
    private readonly limit = LINE_LIMIT,
  ) {
    this.position = from
    // Thousands of small files must not take a megabyte each.
    this.buffer = Buffer.allocUnsafeSlow(Math.min(BLOCK, Math.max(SMALL, to - from)))
  }

  /** The next line, or null when there is none before the end. */
  next(): Line | null {
    for (;;) {
      const found = this.buffer.subarray(0, this.end).indexOf(NEWLINE, this.start + this.searched)
      if (found !== -1) return this.take(found - this.start, true)
      this.searched = this.end - this.start
      if (this.searched > this.limit) return this.skipLong()
      if (!this.fill()) return this.searched === 0 ? null : this.take(this.searched, false)
    }
  }

  private take(length: number, terminated: boolean): Line {
    const line: Line = {
      bytes: this.buffer.subarray(this.start, this.start + length),
      offset: this.position,
      length,
      terminated,
      tooLong: null,
    }
    const consumed = terminated ? length + 1 : length
    this.start += consumed
    this.position += consumed
    this.searched = 0
    if (length > this.limit) {
      line.tooLong = createHash('sha256').update(line.bytes).digest('hex').slice(0, 32)
      line.bytes = Buffer.alloc(0)
    }
    return line
  }

  /** Reads on to the end of a line that is too long, hashing it, keeping nothing. */
  private skipLong(): Line {
    const offset = this.position
    const hash: Hash = createHash('sha256')
    let length = 0
    for (;;) {
      const found = this.buffer.subarray(0, this.end).indexOf(NEWLINE, this.start)
      const stop = found === -1 ? this.end : found
      hash.update(this.buffer.subarray(this.start, stop))
      length += stop - this.start
      this.position += stop - this.start
      this.start = stop
      if (found !== -1 || !this.refill()) {
        if (found !== -1) {
          this.start++
          this.position++
        }
        this.searched = 0
        if (this.buffer.length > 4 * BLOCK) this.shrink()
        const tooLong = hash.digest('hex').slice(0, 32)
        return { bytes: Buffer.alloc(0), offset, length, terminated: found !== -1, tooLong }
      }
    }
  }

  /** Adds bytes behind the unread ones, growing the buffer when the line needs it. false at the end. */
  private fill(): boolean {
    if (this.position + (this.end - this.start) >= this.to) return false
    if (this.start > 0) {
      this.buffer.copyWithin(0, this.start, this.end)
      this.end -= this.start
      this.start = 0
    }
    if (this.end === this.buffer.length) {
      // Beyond the limit nothing is kept, so room for more than the limit would never be filled with use.
      // The old bytes are given back at once: as garbage they would lie about beside the new ones.
      const size = Math.min(this.buffer.length * 2, this.limit + BLOCK)
      this.buffer = Buffer.from(this.buffer.buffer.transfer(size))
    }
    return this.read()
  }

  /** Throws away what is in the buffer and reads the next block. */
  private refill(): boolean {
    this.start = 0
    this.end = 0
    return this.read()
  }

  private read(): boolean {
    const at = this.position + (this.end - this.start)
    const room = Math.min(this.buffer.length - this.end, this.to - at)
    if (room <= 0) return false
    const got = this.readAt(this.buffer, this.end, room, at)
    this.end += got
    return got > 0
  }

  private shrink(): void {
    const rest = this.buffer.subarray(this.start, this.end)
    const smaller = Buffer.allocUnsafeSlow(Math.max(BLOCK, rest.length))
    rest.copy(smaller)
    this.end = rest.length
    this.start = 0
    this.buffer = smaller
  }
}

/** Lines of an open file between two byte positions. */
export const fileLines = (fd: number, from: number, to: number, limit?: number): LineReader =>
  new LineReader((into, at, length, position) => readSync(fd, into, at, length, position), from, to, limit)

/** Lines of bytes already in memory. */
export const memoryLines = (bytes: Buffer, limit?: number): LineReader =>
  new LineReader(
    (into, at, length, position) => bytes.copy(into, at, position, Math.min(bytes.length, position + length)),
    0,
    bytes.length,
    limit,
  )
