import { join } from 'node:path'
import { ForeignProblem, sourcesSql } from '../../store'
import { type JournalContext, maskOf } from '../context'
import type { Place } from '../drafts'
import { openReason, UNKNOWN_FORMAT } from '../file-reasons'
import { sha256 } from '../handles'
import type { FileHooks, FileJob } from '../ingest-file'
import { Pump } from '../pump'
import { stampOf, unchanged } from '../reading/watermark'
import { isObject } from '../text'
import { writeChunk } from '../writing/write-chunk'
import { type FileStat, statOf } from './names'
import { openStore } from './open-store'
import { nameHash, type Store, type StoredRecord, type StoredSession } from './store'
import { recordIn, StoredFrames } from './stored-frames'

/** A record that is still being written waits; one that nobody has touched for so long, in milliseconds, does not. */
const IDLE_MS = 60_000
/** How often a store is opened anew that was written while it was read, and how long is waited before. */
const ATTEMPTS = 4
const PAUSE_MS = 60
/** Two writes within one tick of the file system's clock have one time. */
const TICK_MS = 25

interface Saved {
  store: unknown
  /** Sessions whose last records were not finished, by the hash of their names. */
  waiting: string[]
}

/**
 * Brings a store up to date: of its sessions only those that may have changed, of a session only the records behind its
 * watermark. Problems of the store are written to its row, never thrown. false when it was cancelled.
 * @throws AppError of the database
 */
export async function ingestStore(journal: JournalContext, job: FileJob, hooks: FileHooks): Promise<boolean> {
  const path = journal.paths.stored(job.path)
  const row = sourcesSql.fileByPath(journal.db, path) ?? sourcesSql.ensureFile(journal.db, job.sourceId, path)
  for (let attempt = 1; ; attempt++) {
    try {
      const stat = await settledStat(job.path)
      const known = { dev: row.dev ?? '', inode: row.inode ?? '', size: row.size, mtimeMs: row.mtime_ms }
      if (row.status === 'ok' && unchanged(known, stampOf(stat))) return true
      return await new StoreIngest(journal, job, hooks, row).run(stat)
    } catch (error) {
      const problem = problemOf(error)
      if (problem === null) throw error
      if (problem.again && attempt < ATTEMPTS) await pause(PAUSE_MS * attempt)
      else {
        if (problem.lasting) saveStamp(journal, row.id, statOf(job.path))
        sourcesSql.setFileStatus(journal.db, row.id, 'unreadable', problem.reason)
        return true
      }
    }
  }
}

function problemOf(error: unknown): { reason: string; again: boolean; lasting: boolean } | null {
  if (error instanceof ForeignProblem) {
    const busy = error.kind === 'busy'
    return { reason: error.reason, again: busy, lasting: !busy }
  }
  const { code, syscall } = error as { code?: string; syscall?: string }
  const ofTheDisk = syscall !== undefined && code !== undefined
  return ofTheDisk ? { reason: openReason(error), again: false, lasting: false } : null
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The stamp of something that was not written just now, so that the next write shows in it. */
async function settledStat(path: string): Promise<FileStat> {
  for (let attempt = 1; ; attempt++) {
    const stat = statOf(path)
    const age = Date.now() - stat.mtimeMs
    if (age < 0 || age >= TICK_MS) return stat
    if (attempt === ATTEMPTS) return { ...stat, mtimeMs: stat.mtimeMs - 1 }
    await pause(TICK_MS)
  }
}

function saveStamp(
  { db }: JournalContext,
  id: number,
  stat: FileStat,
  more: Partial<sourcesSql.FileRow> = {},
) {
  const row = sourcesSql.fileById(db, id)
  if (!row) return
  const { dev, inode, size, mtimeMs } = stampOf(stat)
  sourcesSql.saveProgress(db, id, { ...row, dev, inode, size, mtime_ms: mtimeMs, offset: size, ...more })
}

class StoreIngest {
  private readonly waiting: string[] = []

  constructor(
    private readonly journal: JournalContext,
    private readonly job: FileJob,
    private readonly hooks: FileHooks,
    private readonly row: sourcesSql.FileRow,
  ) {}

  async run(stat: FileStat): Promise<boolean> {
    const { journal, job, row } = this
    const store = openStore(job.path)
    if (!store) {
      saveStamp(journal, row.id, stat)
      if (stat.size > 0) sourcesSql.setFileStatus(journal.db, row.id, 'unreadable', UNKNOWN_FORMAT)
      return true
    }
    try {
      const saved = savedOf(this.row)
      const waits = new Set(saved?.waiting)
      for (const session of store.sessions(saved?.store ?? null, (key) => waits.has(nameHash(key)))) {
        if (this.hooks.cancelled() || !(await this.session(store, session, stat))) return false
      }
      store.check()
      this.done(store, stat)
      return true
    } finally {
      store.close()
    }
  }

  /** The store's own row: its stamp, where its next reading goes on, and what of it could not be read. */
  private done(store: Store, stat: FileStat): void {
    const { db } = this.journal
    const { id, errors } = this.row
    db.transaction(() => {
      if (errors > 0) sourcesSql.restartFile(db, id)
      for (const [at, reason] of store.damage.entries())
        sourcesSql.addFileError(db, id, { line: 0, byte_offset: at, reason })
      const state: Saved = { store: store.state(), waiting: [...new Set(this.waiting)] }
      const lost = store.damage.length
      // What waits is looked at again even if nobody writes to it any more.
      const mtimeMs = state.waiting.length > 0 ? stat.mtimeMs - 1 : stat.mtimeMs
      const format = store.format.agent
      const counts = { read: lost, errors: lost }
      saveStamp(this.journal, id, { ...stat, mtimeMs }, { ...counts, format, state: JSON.stringify(state) })
    })
  }

  /** Brings one session up to date. false when it was cancelled. */
  private async session(store: Store, session: StoredSession, stat: FileStat): Promise<boolean> {
    const { db, paths, clock } = this.journal
    const path = paths.stored(join(this.job.path, session.key))
    const records = session.records()
    const idle = clock() - (session.updatedAt ?? stat.mtimeMs) > IDLE_MS
    const unfinished = idle ? -1 : records.findIndex((record) => !record.closed)
    const to = unfinished === -1 ? records.length : unfinished
    if (unfinished !== -1) this.waiting.push(nameHash(session.key))
    let row = sourcesSql.fileByPath(db, path) ?? sourcesSql.ensureFile(db, this.job.sourceId, path)
    if (!goesOn(row, records)) row = this.restart(row)
    if (row.line >= to && row.head_hash !== null) {
      const size = row.offset + bytesFrom(records, row.line)
      if (row.size !== size) sourcesSql.saveProgress(db, row.id, { ...row, size })
      return true
    }
    const undatedTs = Math.trunc(session.updatedAt ?? stat.mtimeMs)
    const pump = new Pump({
      path: join(this.job.path, session.key),
      format: store.format,
      state: row.state,
      offset: row.offset,
      line: row.line,
      load: (place) => loaded(session, records, place),
      mask: maskOf(this.journal),
      receipts: this.journal.receipts,
      zone: this.journal.zone,
    })
    const frames = new StoredFrames(session, records, row.line, row.offset, to)
    for (let ended = false; !ended; ) {
      const started = pump.offset
      const filled = pump.fill(frames, undatedTs)
      ended = filled.ended
      store.check()
      const progress = this.progress(row, pump, records, undatedTs, store)
      const target = {
        file: row,
        agent: store.format.agent,
        sourceProject: this.job.project,
        undatedTs,
        progress,
      }
      const result = writeChunk(this.journal, target, filled.chunk)
      // Another process read on meanwhile: it goes on from there the next time.
      if (!result) return true
      row = result.file
      this.hooks.wrote(join(this.job.path, session.key), { result, bytes: pump.offset - started })
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (!ended && this.hooks.cancelled()) return false
    }
    return true
  }

  private restart(row: sourcesSql.FileRow): sourcesSql.FileRow {
    const { db } = this.journal
    return db.transaction(() => {
      sourcesSql.restartFile(db, row.id)
      sourcesSql.setFileStatus(db, row.id, 'ok', null)
      return sourcesSql.fileById(db, row.id) ?? row
    })
  }

  private progress(
    row: sourcesSql.FileRow,
    pump: Pump,
    records: readonly StoredRecord[],
    updatedAt: number,
    store: Store,
  ) {
    return {
      ...row,
      format: store.format.agent,
      // It is no file of its own, and never found again by its inode.
      dev: null,
      inode: null,
      size: pump.offset + bytesFrom(records, pump.line),
      mtime_ms: updatedAt,
      offset: pump.offset,
      line: pump.line,
      head_hash: chainOf(records, 1),
      tail_hash: chainOf(records, pump.line),
      state: pump.state(),
    }
  }
}

function savedOf(row: sourcesSql.FileRow): Saved | null {
  const saved: unknown = row.status === 'ok' ? JSON.parse(row.state) : null
  return isObject(saved) && Array.isArray(saved.waiting) ? (saved as unknown as Saved) : null
}

/** Whether the records before the watermark are those that were read. */
const goesOn = (row: sourcesSql.FileRow, records: readonly StoredRecord[]): boolean =>
  row.line === 0
    ? row.status === 'ok'
    : row.status === 'ok' && row.line <= records.length && row.tail_hash === chainOf(records, row.line)

/** Bytes of the records that wait. */
const bytesFrom = (records: readonly StoredRecord[], from: number): number =>
  records.slice(from).reduce((sum, record) => sum + Math.max(1, record.size), 0)

/** One hash over the names and stamps of the first `n` records. */
const chainOf = (records: readonly StoredRecord[], n: number): string =>
  sha256(
    records
      .slice(0, n)
      .map(({ key, stamp }) => `${key} ${stamp}`)
      .join('\n'),
  ).slice(0, 32)

function loaded(session: StoredSession, records: readonly StoredRecord[], place: Place): unknown {
  const record = records[place.line - 1]
  const bytes = record?.read() ?? null
  return record && bytes ? recordIn(session, record, bytes) : null
}
