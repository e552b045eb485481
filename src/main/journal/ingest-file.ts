import { closeSync } from 'node:fs'
import type { Agent } from '../../shared/domain'
import { sourcesSql } from '../store'
import { type JournalContext, maskOf } from './context'
import type { Format } from './drafts'
import { DAMAGED, ioReason, isLasting, isOpen, openReason, UNKNOWN_FORMAT } from './file-reasons'
import { FORMATS_VERSION, formatNamed, formatsNamed, recognise } from './formats'
import { Pump, type Tail } from './pump'
import { readBeside } from './reading/beside'
import { type Content, contentOf } from './reading/content'
import { type Frames, LineFrames } from './reading/frames'
import { JsonFrames } from './reading/json-frames'
import { openRegular } from './reading/open-regular'
import { isLines } from './reading/sniff'
import { TextFrames, textAt } from './reading/text-frames'
import { type Stamp, stamp, unchanged } from './reading/watermark'
import { CompressionError } from './reading/zst'
import { tailOf, tallyOf } from './tail'
import type { Chunk } from './writing/chunk'
import { type ChunkResult, writeChunk } from './writing/write-chunk'

/** A file that grows as fast as it is read is left to the next sweep after so many rounds. */
const MAX_ROUNDS = 20

export interface FileJob {
  sourceId: string
  /** Where it lies on the disk; the database knows it by its stored form. */
  path: string
  format: Agent | null
  project: string | null
  /** The source's folder: files a transcript names are read inside it only. */
  root?: string
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
  const all = () => {
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
  }
  return journal.turn(() => journal.db.transaction(all))
}

function openFile(journal: JournalContext, job: FileJob): FileIngest | null {
  const { db } = journal
  // It may have been removed, here or by another process, since its files were listed.
  if (!sourcesSql.sourceById(db, job.sourceId)) return null
  const path = journal.paths.stored(job.path)
  const row = sourcesSql.fileByPath(db, path) ?? sourcesSql.ensureFile(db, job.sourceId, path)
  try {
    return new FileIngest(journal, job, openRegular(job.path), row)
  } catch (error) {
    sourcesSql.setFileStatus(db, row.id, 'unreadable', openReason(error))
    return null
  }
}

const isDocument = (format: Format): boolean => (format.framing ?? { kind: 'lines' }).kind !== 'lines'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

class FileIngest {
  private pump: Pump | null = null
  /** The reading of this round, up to the size the file had when it began. */
  private round: { frames: Frames; now: Stamp } | null = null
  private rounds = 0
  /** What the cutter of a document knew where reading goes on. */
  private cutter: unknown
  /** A document's last record, and what was counted before it. */
  private tail: { of: Tail; counts: sourcesSql.FileTally } | null = null
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

  private begin(): { frames: Frames; now: Stamp } | null {
    if (this.rounds++ >= MAX_ROUNDS) return null
    const now = stamp(this.fd)
    const same = unchanged(this.stampOfRow(), now)
    if (same && !this.isUndecided()) {
      this.readableAgain()
      return null
    }
    if (!same && this.content.compare(this.watermark(), now) === 'rewritten') this.restart()
    if (this.isMistaken(now)) this.restart()
    else if (same && this.row.format !== null) return null
    this.pump ??= this.start(now)
    if (this.pump && this.pump.offset > 0 && isDocument(this.pump.format)) {
      if (!this.rewind()) this.restart()
      this.pump = this.start(now)
    }
    return this.pump && { frames: this.framesOf(this.pump, now), now }
  }

  private isUndecided(): boolean {
    return this.job.format === null && isOpen(this.row)
  }

  /**
   * Its first lines were broken or cut, or an older version did not know better, so that it was taken for lines of no
   * agent's; by now they tell whose it is. What lines of that kind became items of is theirs.
   */
  private isMistaken(now: Stamp): boolean {
    const { format, offset, used, attached } = this.row
    if (this.job.format || format !== 'generic' || offset === 0 || used + attached > 0) return false
    const better = recognise(this.content.sniff(now))
    if (better !== null && better.agent !== 'generic') return true
    this.looked()
    return false
  }

  /** Nobody's, as far as today's formats know. */
  private looked(): void {
    if (this.row.sniffed === FORMATS_VERSION) return
    sourcesSql.setSniffed(this.journal.db, this.row.id, FORMATS_VERSION)
    this.row.sniffed = FORMATS_VERSION
  }

  private chunk(pump: Pump, { frames, now }: { frames: Frames; now: Stamp }): FileStep | null {
    const started = pump.offset
    const { chunk, ended } = pump.fill(frames, now.mtimeMs)
    const result = this.write(pump, chunk, now, ended)
    if (!result) {
      // Another process read on meanwhile: go on from where it stands. Or it took the file away: then there is no more.
      const row = sourcesSql.fileById(this.journal.db, this.row.id)
      if (!row) return null
      this.row = row
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

  /** A document that has grown is read on from its last record, as if that had never been read. */
  private rewind(): boolean {
    const { db } = this.journal
    const tail = tailOf(this.row)
    if (!tail) return false
    db.transaction(() => {
      sourcesSql.rewindFile(db, this.row.id, tail)
      this.row = sourcesSql.fileById(db, this.row.id) ?? this.row
    })
    this.cutter = tail.cutter
    this.pump = null
    return true
  }

  /** null when there is nothing yet to tell the format by, or when it is no transcript. */
  private start(now: Stamp): Pump | null {
    const format = this.chooseFormat(now)
    return format && this.pumpFrom(format)
  }

  private chooseFormat(now: Stamp): Format | null {
    const known = this.job.format ?? (this.row.format as Agent | null)
    const [only, ...others] = known ? formatsNamed(known) : []
    if (only && others.length === 0) return only
    const head = this.content.sniff(now)
    const format = recognise(head, known) ?? only
    if (format && format.agent !== 'generic') return format
    this.looked()
    if (format) return format
    // Nothing readable in a file that calls itself JSON lines: read it as such, so that each loss is counted.
    if (head.complete && isLines(this.job.path)) return formatNamed('generic')
    this.save(now)
    if (now.size > 0 && head.complete) {
      sourcesSql.setFileStatus(this.journal.db, this.row.id, 'unreadable', UNKNOWN_FORMAT)
    }
    return null
  }

  private framesOf({ format, offset, line }: Pump, now: Stamp): Frames {
    const framing = format.framing ?? { kind: 'lines' }
    if (framing.kind === 'text') {
      const cutter = framing.cutter(offset > 0 ? this.cutter : undefined)
      return new TextFrames(this.fd, now.size, cutter, { offset, line })
    }
    if (framing.kind === 'json') return new JsonFrames(this.fd, now.size, framing.streamed)
    return new LineFrames(this.content.lines(offset, now), line, format.skim)
  }

  private pumpFrom(format: Format): Pump {
    const { state, offset, line } = this.row
    const mask = maskOf(this.journal)
    const { root } = this.job
    const beside = root === undefined ? undefined : (path: string) => readBeside(root, path)
    return new Pump({
      path: this.job.path,
      format,
      state,
      offset,
      line,
      load: format.framing?.kind === 'text' ? (place) => textAt(this.fd, place) : this.content.load,
      mask,
      receipts: this.journal.receipts,
      zone: this.journal.zone,
      ...(beside ? { beside } : {}),
    })
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
    if (pump.tail && this.tail?.of !== pump.tail) this.tail = { of: pump.tail, counts: tallyOf(this.row) }
    const tail = this.tail && pump.tail ? { tail: { ...this.tail.of, ...this.tail.counts } } : {}
    return writeChunk(
      this.journal,
      {
        file: this.row,
        agent: pump.format.agent,
        rendering: pump.format.rendering !== undefined,
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
          state: pump.state(tail),
        },
      },
      chunk,
    )
  }
}

const fileStamp = (now: Stamp) => ({ dev: now.dev, inode: now.inode, size: now.size, mtime_ms: now.mtimeMs })
