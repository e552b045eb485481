import { dropped, type Format, type FormatReader, type Outcome, type Place } from './drafts'
import { type Receipts, withReceipts } from './envelope'
import { inZone } from './local-time'
import type { Frames, Piece, Step } from './reading/frames'
import { RecordPlace } from './reading/place'
import { spent } from './reading/spent'
import { isObject, saneTime } from './text'
import { Chunk } from './writing/chunk'

const CHUNK_BYTES = 2 * 1024 * 1024
const CHUNK_RECORDS = 3_000

interface Saved {
  lastTs: number | null
  reader: unknown
}

/** Where a document's last record begins, which may still grow, and what reading it again needs. */
export interface Tail {
  offset: number
  line: number
  /** As `Pump.state` gave it there. */
  state: string
  cutter: unknown
}

export interface PumpStart {
  path: string
  format: Format
  /** `files.state` of the last reading. */
  state: string
  offset: number
  /** Lines ended before `offset`. */
  line: number
  load: (place: Place) => unknown
  /** Text of a file the transcript names, when it lies within the source. */
  beside?: (path: string) => string | null
  mask: (name: string) => string
  receipts: Receipts
  /** Of times that name none. */
  zone: string
}

/** Turns records into chunks of drafts, keeping count of where it stands. */
export class Pump {
  readonly format: Format
  private readonly reader: FormatReader
  private readonly receipts: Receipts
  private readonly zone: string
  private lastTs: number | null
  /** A step that belongs into the next chunk. */
  private held: Step | null = null
  /** Set once reading has come so far. */
  tail: Tail | null = null
  offset: number
  line: number

  constructor(start: PumpStart) {
    const saved: unknown = JSON.parse(start.state)
    const state = isObject(saved) ? (saved as unknown as Partial<Saved>) : {}
    this.format = start.format
    this.lastTs = state.lastTs ?? null
    this.offset = start.offset
    this.line = start.line
    const { path, load, mask, receipts, zone, beside } = start
    this.receipts = receipts
    this.zone = zone
    const context = { path, load, mask, receipts, ...(beside ? { beside } : {}) }
    this.reader = start.format.open(context, state.reader)
  }

  /** What the next reading needs: ids, handles and places, never text. */
  state(more: object = {}): string {
    const saved: Saved = { lastTs: this.lastTs, reader: this.reader.state() }
    return JSON.stringify({ ...saved, ...more })
  }

  /** Reads until a chunk is full or the end is reached. `undatedTs` stands in for times nobody stated. */
  fill(frames: Frames, undatedTs: number): { chunk: Chunk; ended: boolean } {
    return inZone(this.zone, () => this.filled(frames, undatedTs))
  }

  private filled(frames: Frames, undatedTs: number): { chunk: Chunk; ended: boolean } {
    const chunk = new Chunk()
    const from = this.offset
    while (this.offset - from < CHUNK_BYTES && chunk.records.length < CHUNK_RECORDS) {
      const step = this.held ?? frames.next()
      this.held = null
      if (!step) return { chunk, ended: true }
      if (step.resume && !this.tail) {
        // What may still grow is counted apart from what stays as it is.
        if (chunk.records.length > 0) {
          this.held = step
          return { chunk, ended: false }
        }
        const { offset, line } = this
        this.tail = { offset, line, state: this.state(), cutter: step.resume.cutter }
      }
      // First the text it was parsed from, which nobody needs any more; then its value.
      spent(step.offset - this.offset)
      for (const piece of step.pieces) this.take(piece, chunk, undatedTs)
      spent(step.offset - this.offset)
      this.offset = step.offset
      this.line = step.lines
    }
    return { chunk, ended: false }
  }

  private take(piece: Piece, chunk: Chunk, undatedTs: number): void {
    const { line, offset, length, bytes, value, error, damage, skipped, tooLong, hash } = piece
    // A large record is let go as soon as it is read, not when the next one is.
    piece.value = undefined
    if (skipped) {
      chunk.add(dropped(skipped), { line, byteOffset: offset, byteLength: length, hash: '' }, 0)
      return
    }
    const place = new RecordPlace(line, offset, length, bytes, tooLong ?? hash)
    if (tooLong !== undefined) this.takeLong(place, chunk, undatedTs)
    else if (error !== undefined) chunk.add(lost(error), place, undatedTs)
    else this.record(value, place, chunk, undatedTs, damage)
    place.release(false)
  }

  private record(value: unknown, place: RecordPlace, chunk: Chunk, undatedTs: number, damage?: string): void {
    const outcome = safely(() => withReceipts(this.receipts, () => this.reader.read(value, place)))
    const answers = this.format.answersOnly === true && outcome.completes.length > 0
    place.release(outcome.own.length > 0 || (outcome.disposition.kind === 'attached' && !answers))
    // Every format reads times through the same door; should one not, its record is undated and no more.
    if (outcome.facts) outcome.facts.ts = saneTime(outcome.facts.ts)
    const ts = outcome.facts?.ts ?? null
    if (ts !== null) this.lastTs = ts
    for (const draft of outcome.own) draft.ts = saneTime(draft.ts) ?? this.lastTs
    chunk.add(outcome, place, this.lastTs ?? undatedTs, damage)
  }

  private takeLong(place: RecordPlace, chunk: Chunk, undatedTs: number): void {
    const megabytes = Math.round(place.byteLength / 1024 / 1024)
    const outcome = lost(`a line of ${megabytes} MB, over the limit of 32 MB (kept as a pointer)`)
    const stub = this.reader.stub(place)
    if (stub) outcome.own.push({ ...stub, ts: this.lastTs })
    chunk.add(outcome, place, this.lastTs ?? undatedTs)
  }
}

const lost = (reason: string): Outcome => ({
  disposition: { kind: 'error', reason },
  facts: null,
  own: [],
  completes: [],
  revises: [],
})

/** A record of a shape nobody foresaw costs itself only. */
function safely(read: () => Outcome): Outcome {
  try {
    return read()
  } catch {
    return lost('a record of an unexpected shape')
  }
}
