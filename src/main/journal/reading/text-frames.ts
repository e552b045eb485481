import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Place, TextCutter, TextRecord } from '../drafts'
import { recordHash } from '../handles'
import { type Frames, type Piece, readRange, type Step } from './frames'
import { fileLines, LINE_LIMIT, type Line, type LineReader } from './lines'

/** A cutter sees at most so much of a line: what begins a record is short. */
const SEEN = 2_000
const BOM = '\uFEFF'
/** So much of the beginning and of the end of a passage over the limit is read, in bytes. */
const KEPT = 256 * 1024
const BLOCK = 1024 * 1024

/**
 * A document of text, cut where its format says that a record begins. Read from its start, or from where a record begins
 * that may have grown.
 */
export class TextFrames implements Frames {
  private readonly reader: LineReader
  private start: number
  private startLine: number
  private lines: number
  private ended = false
  /** The cutter's state before the first line of the record. */
  private state: unknown

  constructor(
    private readonly fd: number,
    private readonly to: number,
    private readonly cutter: TextCutter,
    from: { offset: number; line: number } = { offset: 0, line: 0 },
  ) {
    this.reader = fileLines(fd, from.offset, to)
    this.start = from.offset
    this.startLine = from.line + 1
    this.lines = from.line
    this.state = cutter.state?.()
  }

  next(): Step | null {
    if (this.ended) return null
    for (let line = this.reader.next(); line; line = this.reader.next()) {
      const number = ++this.lines
      const before = this.cutter.state?.()
      if (!this.cutter.begins(textOf(line)) || line.offset === this.start) continue
      const step = this.take(line.offset, number - 1, true)
      // A line that has not ended may turn out to begin nothing.
      const resume = line.terminated ? null : this.resume()
      this.start = line.offset
      this.startLine = number
      this.state = before
      if (step.pieces.length > 0) return { ...step, ...resume }
    }
    this.ended = true
    if (this.to <= this.start) return null
    return { ...this.take(this.to, this.lines, false), ...this.resume() }
  }

  private resume(): Pick<Step, 'resume'> {
    return this.cutter.state ? { resume: { cutter: this.state } } : {}
  }

  private take(end: number, lines: number, closed: boolean): Step {
    const place = { line: this.startLine, offset: this.start, length: end - this.start }
    const step = (pieces: Piece[]): Step => ({ pieces, offset: end, lines })
    if (place.length > LINE_LIMIT) return step([this.long(place, closed)])
    const bytes = readRange(this.fd, this.start, end)
    const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
    const value: TextRecord = { text: text.startsWith(BOM) ? text.slice(1) : text, closed }
    if (value.text.trim() === '') return step([])
    const damaged = text.includes('\uFFFD') && !isUtf8(bytes)
    const damage = 'bytes that are not UTF-8 (kept, with replacement marks)'
    return step([{ ...place, bytes, value, ...(damaged ? { damage } : {}) }])
  }

  /** A passage over the limit keeps its beginning, its end and its pointer. */
  private long(place: Pick<Piece, 'line' | 'offset' | 'length'>, closed: boolean): Piece {
    const { offset, length } = place
    const hash = createHash('sha256')
    for (let at = offset; at < offset + length; at += BLOCK)
      hash.update(readRange(this.fd, at, Math.min(at + BLOCK, offset + length)))
    const head = wholeLines(readRange(this.fd, offset, offset + KEPT).toString('utf8'), 'head')
    const tail = wholeLines(
      readRange(this.fd, offset + length - KEPT, offset + length).toString('utf8'),
      'tail',
    )
    const text = `${head}\n[… the middle of a passage of ${megabytes(length)} MB left out …]\n${tail}`
    const value: TextRecord = { text: text.replaceAll('\r\n', '\n'), closed }
    const damage = `a passage of ${megabytes(length)} MB, over the limit of 32 MB (its beginning, its end and its pointer kept)`
    return { ...place, bytes: null, hash: hash.digest('hex').slice(0, 32), value, damage }
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)

/** Without the line that was cut, where there is another one. */
function wholeLines(text: string, part: 'head' | 'tail'): string {
  const cut = part === 'head' ? text.lastIndexOf('\n') : text.indexOf('\n')
  if (cut === -1) return text
  return part === 'head' ? text.slice(0, cut) : text.slice(cut + 1)
}

/** A record of a text at a place; null when other bytes are there now. */
export function textAt(fd: number, { byteOffset, byteLength, hash }: Place): TextRecord | null {
  if (byteLength > LINE_LIMIT) return null
  const bytes = readRange(fd, byteOffset, byteOffset + byteLength)
  if (recordHash(bytes) !== hash) return null
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
  return { text: text.startsWith(BOM) ? text.slice(1) : text, closed: true }
}

function textOf({ bytes, offset }: Line): string {
  const text = bytes.toString('utf8', 0, Math.min(bytes.length, SEEN))
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  return offset === 0 && line.startsWith(BOM) ? line.slice(1) : line
}
