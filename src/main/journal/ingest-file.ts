import { closeSync, openSync } from 'node:fs'
import type { Agent } from '../../shared/domain'
import { sourcesSql } from '../store'
import type { JournalContext } from './context'
import { dropped, type Format, type FormatReader, type Outcome, type Place } from './drafts'
import { formatNamed, recognise } from './formats'
import { fileLines, type Line, type LineReader } from './reading/lines'
import { loadRecord, RecordPlace } from './reading/place'
import { recordsOf } from './reading/records'
import { sniff } from './reading/sniff'
import { compare, hashesAt, type Stamp, stamp, unchanged } from './reading/watermark'
import { isObject } from './text'
import { Chunk } from './writing/chunk'
import { type ChunkResult, writeChunk } from './writing/write-chunk'

const CHUNK_BYTES = 4 * 1024 * 1024
const CHUNK_RECORDS = 3_000
/** A file that grows as fast as it is read is left to the next sweep after so many rounds. */
const MAX_ROUNDS = 20

export interface FileJob {
  sourceId: string
  path: string
  format: Agent | null
  project: string | null
}

export interface FileHooks {
  /** Asked between chunks; true stops the reading. What was written stays. */
  cancelled(): boolean
  /** After each chunk that was written. */
  wrote(result: ChunkResult, bytes: number): void
}

export type FileOutcome = 'read' | 'unchanged' | 'unreadable' | 'cancelled'

/**
 * Brings one file up to date: from its watermark when it has only grown, from the start when it is another file now.
 * Problems of the file are written to its row, never thrown. @throws AppError of the database
 */
export async function ingestFile(
  journal: JournalContext,
  job: FileJob,
  hooks: FileHooks,
): Promise<FileOutcome> {
  const { db } = journal
  const row = sourcesSql.fileByPath(db, job.path) ?? sourcesSql.ensureFile(db, job.sourceId, job.path)
  let fd: number
  try {
    fd = openSync(job.path, 'r')
  } catch (error) {
    sourcesSql.setFileStatus(db, row.id, 'unreadable', openReason(error))
    return 'unreadable'
  }
  try {
    return await new FileIngest(journal, job, hooks, fd, row).run()
  } catch (error) {
    const reason = ioReason(error)
    if (reason === null) throw error
    sourcesSql.setFileStatus(db, row.id, 'unreadable', reason)
    return 'unreadable'
  } finally {
    closeSync(fd)
  }
}

export function openReason(error: unknown): string {
  const code = (error as { code?: string }).code
  if (code === 'EACCES' || code === 'EPERM') return 'Fovea may not read this file'
  if (code === 'ENOENT') return 'the file is gone'
  if (code === 'ELOOP') return 'a link that leads to itself'
  if (code === 'EISDIR') return 'a folder with the name of a transcript'
  return `the file cannot be opened (${code ?? 'unknown reason'})`
}

function ioReason(error: unknown): string | null {
  const code = (error as { code?: string; syscall?: string }).code
  const call = (error as { syscall?: string }).syscall
  if (code === 'EISDIR') return 'a folder with the name of a transcript'
  return call === 'read' || call === 'fstat' ? `the file cannot be read (${code ?? 'unknown reason'})` : null
}

const UNKNOWN_FORMAT = 'no transcript format that Fovea knows'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Saved {
  lastTs: number | null
  reader: unknown
}

class FileIngest {
  private format: Format | null = null
  private reader: FormatReader | null = null
  private lastTs: number | null = null
  /** Lines ended before `offset`. */
  private line = 0
  private offset = 0

  constructor(
    private readonly journal: JournalContext,
    private readonly job: FileJob,
    private readonly hooks: FileHooks,
    private readonly fd: number,
    private row: sourcesSql.FileRow,
  ) {}

  async run(): Promise<FileOutcome> {
    let outcome: FileOutcome = 'unchanged'
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const now = stamp(this.fd)
      if (unchanged(this.stampOfRow(), now)) {
        this.readableAgain()
        return outcome
      }
      if (compare(this.fd, this.watermark(), now) === 'rewritten') this.restart()
      if (!this.chooseFormat(now)) return outcome
      if (!(await this.readTo(now))) return 'cancelled'
      outcome = 'read'
    }
    return outcome
  }

  /** It could not be opened for a while; its content is what it was. */
  private readableAgain(): void {
    if (this.row.status !== 'ok' && this.row.reason !== UNKNOWN_FORMAT) {
      sourcesSql.setFileStatus(this.journal.db, this.row.id, 'ok', null)
    }
  }

  private stampOfRow(): Stamp {
    const { dev, inode, size, mtime_ms } = this.row
    return { dev: dev ?? '', inode: inode ?? '', size, mtimeMs: mtime_ms }
  }

  private watermark() {
    return {
      ...this.stampOfRow(),
      offset: this.row.offset,
      headHash: this.row.head_hash,
      tailHash: this.row.tail_hash,
    }
  }

  private restart(): void {
    const { db } = this.journal
    db.transaction(() => {
      sourcesSql.restartFile(db, this.row.id)
      this.row = sourcesSql.fileById(db, this.row.id) ?? this.row
    })
    this.reader = null
    this.format = null
  }

  /** false when there is nothing yet to tell the format by, or when it is no transcript. */
  private chooseFormat(now: Stamp): boolean {
    const known = this.job.format ?? (this.row.format as Agent | null)
    if (known) {
      this.format = formatNamed(known)
      return true
    }
    const { records, complete } = sniff(this.fd, now.size)
    this.format = recognise(records)
    if (this.format) return true
    // Nothing readable in a file that calls itself JSON lines: read it as such, so that each loss is counted.
    if (complete && /\.(jsonl|ndjson)$/i.test(this.job.path)) this.format = formatNamed('generic')
    if (this.format) return true
    this.save(now)
    if (now.size > 0 && complete) {
      sourcesSql.setFileStatus(this.journal.db, this.row.id, 'unreadable', UNKNOWN_FORMAT)
    }
    return false
  }

  /** Remembers what the file looks like without having read a record. */
  private save(now: Stamp): void {
    const { db } = this.journal
    db.transaction(() => {
      sourcesSql.saveProgress(db, this.row.id, { ...this.row, ...fileStamp(now) })
      this.row = sourcesSql.fileById(db, this.row.id) ?? this.row
    })
  }

  private loadState(): void {
    const saved: unknown = JSON.parse(this.row.state)
    const state = isObject(saved) ? (saved as unknown as Partial<Saved>) : {}
    this.lastTs = state.lastTs ?? null
    this.offset = this.row.offset
    this.line = this.row.line
    const context = { path: this.job.path, load: (place: Place) => loadRecord(this.fd, place) }
    this.reader = this.format ? this.format.open(context, state.reader) : null
  }

  private async readTo(now: Stamp): Promise<boolean> {
    if (!this.reader) this.loadState()
    let lines = fileLines(this.fd, this.offset, now.size)
    for (;;) {
      const started = this.offset
      const { chunk, ended } = this.fill(lines, now)
      const result = this.write(chunk, now, ended)
      if (!result) {
        this.row = sourcesSql.fileById(this.journal.db, this.row.id) ?? this.row
        this.loadState()
        lines = fileLines(this.fd, this.offset, now.size)
        continue
      }
      this.row = result.file
      this.hooks.wrote(result, this.offset - started)
      if (ended) return true
      await tick()
      if (this.hooks.cancelled()) return false
    }
  }

  /** Reads lines until the chunk is full or the file's end is reached. */
  private fill(lines: LineReader, now: Stamp): { chunk: Chunk; ended: boolean } {
    const chunk = new Chunk()
    const from = this.offset
    while (this.offset - from < CHUNK_BYTES && chunk.records.length < CHUNK_RECORDS) {
      const line = lines.next()
      if (!line) return { chunk, ended: true }
      if (!this.take(line, chunk, now)) return { chunk, ended: true }
    }
    return { chunk, ended: false }
  }

  /** false when the last line is not finished yet and waits. */
  private take(line: Line, chunk: Chunk, now: Stamp): boolean {
    const number = this.line + 1
    if (line.tooLong !== null) {
      if (!line.terminated) return false
      this.takeLong(line, number, chunk, now)
    } else {
      const reason = line.terminated ? this.format?.skim?.(line.bytes) : null
      if (reason) {
        chunk.add(
          dropped(reason),
          { line: number, byteOffset: line.offset, byteLength: line.length, hash: '' },
          0,
        )
      } else {
        const found = recordsOf(line.bytes, line.offset, !line.terminated)
        // A last line that is no whole record waits for the rest of it.
        if (!line.terminated && (found === null || found.length === 0)) return false
        for (const record of found ?? []) {
          const bytes = line.bytes.subarray(record.offset, record.offset + record.length)
          const place = new RecordPlace(number, line.offset + record.offset, record.length, bytes)
          if (record.error !== undefined) chunk.add(lost(record.error), place, now.mtimeMs)
          else this.record(record.value, place, chunk, now, record.damage)
          place.release(false)
        }
      }
    }
    this.offset = line.offset + line.length + (line.terminated ? 1 : 0)
    if (line.terminated) this.line = number
    return true
  }

  private record(value: unknown, place: RecordPlace, chunk: Chunk, now: Stamp, damage?: string): void {
    const reader = this.reader
    if (!reader) return
    const outcome = safely(() => reader.read(value, place))
    place.release(outcome.own.length > 0 || outcome.disposition.kind === 'attached')
    const ts = outcome.facts?.ts ?? null
    if (ts !== null) this.lastTs = ts
    for (const draft of outcome.own) draft.ts ??= this.lastTs
    chunk.add(outcome, place, this.lastTs ?? now.mtimeMs, damage)
  }

  private takeLong(line: Line, number: number, chunk: Chunk, now: Stamp): void {
    const place = new RecordPlace(number, line.offset, line.length, null, line.tooLong ?? '')
    const stub = this.reader?.stub(place) ?? null
    const outcome = lost(
      `a line of ${Math.round(line.length / 1024 / 1024)} MB, over the limit of 32 MB (kept as a pointer)`,
    )
    if (stub) outcome.own.push({ ...stub, ts: this.lastTs })
    chunk.add(outcome, place, this.lastTs ?? now.mtimeMs)
  }

  private write(chunk: Chunk, now: Stamp, ended: boolean): ChunkResult | null {
    const saved: Saved = { lastTs: this.lastTs, reader: this.reader?.state() }
    const marks = hashesAt(this.fd, this.offset)
    // Until the end is reached the size stays what was read, so that an interrupted reading goes on.
    const seen = ended ? fileStamp(now) : { ...fileStamp(now), size: this.offset, mtime_ms: 0 }
    return writeChunk(
      this.journal,
      {
        file: this.row,
        agent: this.format?.agent ?? 'generic',
        sourceProject: this.job.project,
        undatedTs: now.mtimeMs,
        progress: {
          ...seen,
          format: this.format?.agent ?? null,
          offset: this.offset,
          line: this.line,
          head_hash: marks.headHash,
          tail_hash: marks.tailHash,
          tail_offset: marks.tailOffset,
          state: JSON.stringify(saved),
        },
      },
      chunk,
    )
  }
}

const fileStamp = (now: Stamp) => ({ dev: now.dev, inode: now.inode, size: now.size, mtime_ms: now.mtimeMs })

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
