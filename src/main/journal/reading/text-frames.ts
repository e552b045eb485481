import { isUtf8 } from 'node:buffer'
import type { TextCutter, TextRecord } from '../drafts'
import { type Frames, type Piece, readRange, type Step } from './frames'
import { fileLines, LINE_LIMIT, type Line, type LineReader } from './lines'

/** A cutter sees at most so much of a line: what begins a record is short. */
const SEEN = 2_000
const BOM = '\uFEFF'

/** A document of text, cut where its format says that a record begins. Always read from its start. */
export class TextFrames implements Frames {
  private readonly reader: LineReader
  private start = 0
  private startLine = 1
  private lines = 0
  private ended = false

  constructor(
    private readonly fd: number,
    private readonly to: number,
    private readonly cutter: TextCutter,
  ) {
    this.reader = fileLines(fd, 0, to)
  }

  next(): Step | null {
    if (this.ended) return null
    for (let line = this.reader.next(); line; line = this.reader.next()) {
      const number = ++this.lines
      if (!this.cutter.begins(textOf(line)) || line.offset === this.start) continue
      const step = this.take(line.offset, number - 1, true)
      this.start = line.offset
      this.startLine = number
      if (step.pieces.length > 0) return step
    }
    this.ended = true
    return this.to > this.start ? this.take(this.to, this.lines, false) : null
  }

  private take(end: number, lines: number, closed: boolean): Step {
    const place = { line: this.startLine, offset: this.start, length: end - this.start }
    const step = (pieces: Piece[]): Step => ({ pieces, offset: end, lines })
    if (place.length > LINE_LIMIT) {
      const error = `a passage of ${Math.round(place.length / 1024 / 1024)} MB, over the limit of 32 MB`
      return step([{ ...place, bytes: null, error }])
    }
    const bytes = readRange(this.fd, this.start, end)
    const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
    const value: TextRecord = { text: text.startsWith(BOM) ? text.slice(1) : text, closed }
    if (value.text.trim() === '') return step([])
    const damaged = text.includes('\uFFFD') && !isUtf8(bytes)
    const damage = 'bytes that are not UTF-8 (kept, with replacement marks)'
    return step([{ ...place, bytes, value, ...(damaged ? { damage } : {}) }])
  }
}

function textOf({ bytes, offset }: Line): string {
  const text = bytes.toString('utf8', 0, Math.min(bytes.length, SEEN))
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  return offset === 0 && line.startsWith(BOM) ? line.slice(1) : line
}
