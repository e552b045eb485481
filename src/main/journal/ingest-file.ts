import { closeSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../../shared/domain'
import { sourcesSql } from '../store'
import { type JournalContext, maskOf } from './context'
import type { Format } from './drafts'
import { formatNamed, recognise } from './formats'
import { Pump } from './pump'
import { type Content, contentOf } from './reading/content'
import type { LineReader } from './reading/lines'
import { type Stamp, stamp, unchanged } from './reading/watermark'
import { CompressionError } from './reading/zst'
import type { Chunk } from './writing/chunk'
import { type ChunkResult, writeChunk } from './writing/write-chunk'

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
  /** After each chunk that is in the database. */
  wrote(path: string, step: FileStep): void
}

/** One chunk that was written. */
export interface FileStep {
  result: ChunkResult
  bytes: number
}

/**
 * Brings one file up to date: from its watermark when it has only grown, from the start when it is another file now.
 * Problems of the file are written to its row, never thrown. false when it was cancelled.
 * @throws AppError of the database
 */
export async function ingestFile(journal: JournalContext, job: FileJob, hooks: FileHooks): Promise<boolean> {
  const file = openFile(journal, job)
  if (!file) return true
  try {
    for (let step = file.step(); step; step = file.step()) {
      hooks.wrote(job.path, step)
      await tick()
      if (hooks.cancelled()) return false
    }
    return true
  } finally {
    file.close()
  }
}

/**
 * Brings several small files up to date in one transaction: a commit waits for the disk, and thousands of small files
 * would wait thousands of times. Answers after the commit what was written.
 */
export function ingestTogether(
  journal: JournalContext,
  jobs: readonly FileJob[],
): { path: string; step: FileStep }[] {
  return journal.db.transaction(() => {
    const written: { path: string; step: FileStep }[] = []
    for (const job of jobs) {
      const file = openFile(journal, job)
      if (!file) continue
      try {
        for (let step = file.step(); step; step = file.step()) written.push({ path: job.path, step })
      } finally {
        file.close()
      }
    }
    return written
  })
}

function openFile(journal: JournalContext, job: FileJob): FileIngest | null {
  const { db } = journal
  const row = sourcesSql.fileByPath(db, job.path) ?? sourcesSql.ensureFile(db, job.sourceId, job.path)
  try {
    return new FileIngest(journal, job, openSync(job.path, 'r'), row)
  } catch (error) {
    sourcesSql.setFileStatus(db, row.id, 'unreadable', openReason(error))
    return null
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
const DAMAGED = 'the compressed file is cut or damaged'

/** What makes a file unreadable is in its content: there is no use in another try before it changes. */
export const isLasting = (reason: string | null): boolean => reason === UNKNOWN_FORMAT || reason === DAMAGED

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

class FileIngest {
  private pump: Pump | null = null
  /** The reading of this round, up to the size the file had when it began. */
  private round: { lines: LineReader; now: Stamp } | null = null
  private rounds = 0
  private readonly content: Content

  constructor(
    private readonly journal: JournalContext,
    private readonly job: FileJob,
    private readonly fd: number,
    private row: sourcesSql.FileRow,
  ) {
    this.content = contentOf(job.path, fd)
  }

  close(): void {
    closeSync(this.fd)
  }

  /** Reads and writes the next chunk; null when there is nothing more to read now. */
  step(): FileStep | null {
    try {
      this.round ??= this.begin()
      return this.round && this.pump ? this.chunk(this.pump, this.round) : null
    } catch (error) {
      const damaged = error instanceof CompressionError
      const reason = damaged ? DAMAGED : ioReason(error)
      if (reason === null) throw error
      if (damaged) this.save(stamp(this.fd))
      sourcesSql.setFileStatus(this.journal.db, this.row.id, 'unreadable', reason)
      return null
    }
  }

  private begin(): { lines: LineReader; now: Stamp } | null {
    if (this.rounds++ >= MAX_ROUNDS) return null
    const now = stamp(this.fd)
    if (unchanged(this.stampOfRow(), now)) {
      this.readableAgain()
      return null
    }
    if (this.content.compare(this.watermark(), now) === 'rewritten') this.restart()
    this.pump ??= this.start(now)
    return this.pump && { lines: this.content.lines(this.pump.offset, now), now }
  }

  private chunk(pump: Pump, { lines, now }: { lines: LineReader; now: Stamp }): FileStep | null {
    const started = pump.offset
    const { chunk, ended } = pump.fill(lines, now.mtimeMs)
    const result = this.write(pump, chunk, now, ended)
    if (!result) {
      // Another process read on meanwhile: go on from where it stands.
      this.row = sourcesSql.fileById(this.journal.db, this.row.id) ?? this.row
      this.pump = null
      this.round = null
      return this.step()
    }
    this.row = result.file
    if (ended) this.round = null
    return { result, bytes: pump.offset - started }
  }

  /** It could not be opened for a while; its content is what it was. */
  private readableAgain(): void {
    if (this.row.status !== 'ok' && !isLasting(this.row.reason)) {
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
    this.pump = null
  }

  /** null when there is nothing yet to tell the format by, or when it is no transcript. */
  private start(now: Stamp): Pump | null {
    const format = this.chooseFormat(now)
    return format && this.pumpFrom(format)
  }

  private chooseFormat(now: Stamp): Format | null {
    const known = this.job.format ?? (this.row.format as Agent | null)
    if (known) return formatNamed(known)
    const { records, complete } = this.content.sniff(now)
    const format = recognise(records)
    if (format) return format
    // Nothing readable in a file that calls itself JSON lines: read it as such, so that each loss is counted.
    if (complete && /\.(jsonl|ndjson)(\.zst)?$/i.test(this.job.path)) return formatNamed('generic')
    this.save(now)
    if (now.size > 0 && complete) {
      sourcesSql.setFileStatus(this.journal.db, this.row.id, 'unreadable', UNKNOWN_FORMAT)
    }
    return null
  }

  private pumpFrom(format: Format): Pump {
    const { state, offset, line } = this.row
    const mask = maskOf(this.journal)
    const { load } = this.content
    const beside = (relative: string): string | null => smallText(join(dirname(this.job.path), relative))
    return new Pump({ path: this.job.path, format, state, offset, line, load, beside, mask })
  }

  /** Remembers what the file looks like without having read a record. */
  private save(now: Stamp): void {
    const { db } = this.journal
    db.transaction(() => {
      sourcesSql.saveProgress(db, this.row.id, { ...this.row, ...fileStamp(now) })
      this.row = sourcesSql.fileById(db, this.row.id) ?? this.row
    })
  }

  private write(pump: Pump, chunk: Chunk, now: Stamp, ended: boolean): ChunkResult | null {
    const marks = this.content.marks(pump.offset)
    // Until the end is reached the size stays what was read, so that an interrupted reading goes on.
    const seen = ended ? fileStamp(now) : { ...fileStamp(now), size: pump.offset, mtime_ms: 0 }
    return writeChunk(
      this.journal,
      {
        file: this.row,
        agent: pump.format.agent,
        sourceProject: this.job.project,
        undatedTs: now.mtimeMs,
        progress: {
          ...seen,
          format: pump.format.agent,
          offset: pump.offset,
          line: pump.line,
          head_hash: marks.headHash,
          tail_hash: marks.tailHash,
          tail_offset: marks.tailOffset,
          state: pump.state(),
        },
      },
      chunk,
    )
  }
}

const fileStamp = (now: Stamp) => ({ dev: now.dev, inode: now.inode, size: now.size, mtime_ms: now.mtimeMs })

const SMALL = 4096

/** The beginning of a small file an agent keeps beside its transcripts; null when it is not there. */
function smallText(path: string): string | null {
  try {
    const fd = openSync(path, 'r')
    try {
      const bytes = Buffer.allocUnsafe(SMALL)
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, SMALL, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return null
  }
}
