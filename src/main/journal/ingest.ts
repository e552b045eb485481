import { sep } from 'node:path'
import type { Agent, ItemKind } from '../../shared/domain'
import type { IngestProgress, IngestReport, RecordError } from '../../shared/journal'
import { journalSql, sourcesSql } from '../store'
import type { JournalContext } from './context'
import { isNoTranscript } from './file-reasons'
import { type GroupReader, groupReader, groups } from './groups'
import type { FileStep } from './ingest-file'
import { patiently } from './patience'
import { type FoundFile, isLeftOut } from './sources/discover'
import { scan } from './sources/scan'
import { addCounts, countsOf, noCounts } from './writing/counts'
import { settle } from './writing/settle'

const ERRORS_REPORTED = 1_000

export interface RunHooks {
  cancelled(): boolean
  progress(now: IngestProgress): void
  /** Sessions that changed, and how many items were added or updated. */
  changed(sessions: readonly string[], items: number): void
  /** A file was brought up to date. */
  read?(source: sourcesSql.SourceRow, file: FoundFile): void
}

export const silent: RunHooks = { cancelled: () => false, progress: () => {}, changed: () => {} }

/** What a run did; embeddings are the engine's to wait for, so only their queue is told. */
export type RunReport = Omit<IngestReport, 'embeddings'>

/** What to bring up to date: a source with its path on the disk, or the part of it at or under a path. */
export type Target = sourcesSql.SourceRow & { within?: string }

interface Work {
  source: Target
  due: FoundFile[]
  all: FoundFile[]
}

export interface RunOptions {
  perFile?: boolean
  /** Folders that are never entered. */
  skip?: readonly string[]
  /** Starts a second reader, for when there is much to read; it is closed with the run. */
  beside?: () => SecondReader
}

export interface SecondReader {
  read: GroupReader
  /** How many envelopes it met that are none of ours. */
  strangers(): number
  close(): Promise<void>
}

/** From how many bytes on a second reader is worth its start and its memory. */
const MUCH = 32 * 1024 * 1024

/**
 * Brings sources up to date. Unchanged files are only looked at. `records`, `bytes`, `new` and `updated` tell what this
 * run did; `files`, `sessions`, `items` and `perFile` tell what these sources hold after it.
 */
export async function ingestSources(
  journal: JournalContext,
  targets: readonly Target[],
  options: RunOptions = {},
  hooks: RunHooks = silent,
): Promise<RunReport> {
  const started = journal.clock()
  const run = new Run(journal, hooks)
  const work = targets.map((target) => workOn(journal, target, options.skip ?? []))
  run.expect(work.flatMap((one) => one.due))
  await readDue(journal, run, work, options)
  return run.report(work, started, options.perFile ?? false)
}

/** The same for a look at everything from time to time: where nothing changed, nothing is counted and nobody is told. */
export async function sweepSources(
  journal: JournalContext,
  targets: readonly Target[],
  options: RunOptions,
  hooks: RunHooks,
): Promise<void> {
  const run = new Run(journal, hooks)
  const work = targets.map((target) => workOn(journal, target, options.skip ?? []))
  const due = work.flatMap((one) => one.due)
  if (due.length > 0) run.expect(due)
  await readDue(journal, run, work, options)
}

async function readDue(
  journal: JournalContext,
  run: Run,
  work: readonly Work[],
  { beside }: RunOptions,
): Promise<void> {
  const due = work.flatMap((one) => one.due)
  const much = due.length > 1 && due.reduce((sum, file) => sum + file.stat.size, 0) >= MUCH
  const second = much ? beside?.() : undefined
  if (much) journal.db.waits(false)
  try {
    // Twice: its next group waits there already when it is done with one, whatever this thread is in the middle of.
    const readers = [groupReader(journal), ...(second ? [second.read, second.read] : [])]
    for (const one of work) await run.files(one.source, one.due, readers)
  } finally {
    await second?.close()
    journal.receipts.strangers += second?.strangers() ?? 0
    if (much) sealed(journal)
  }
  await patiently(() => settle(journal))
}

/**
 * Much is not waited for commit by commit: what a failure of power would take, it takes with the watermarks that say so,
 * and it is read again. It is all on the disk before anybody is told that the reading is done.
 */
function sealed(journal: JournalContext): void {
  journal.db.waits(true)
  journal.turn(() => journal.db.transaction(() => journalSql.tallyItems(journal.db)))
}

/** Reads these files of a source without looking at its others: a watcher's hint. */
export async function ingestFiles(
  journal: JournalContext,
  source: sourcesSql.SourceRow,
  files: readonly FoundFile[],
  hooks: RunHooks = silent,
): Promise<void> {
  const run = new Run(journal, hooks)
  await run.files(source, files)
  await patiently(() => settle(journal))
}

function workOn(journal: JournalContext, target: Target, skip: readonly string[]): Work {
  const { due, all, missing } = scan(journal, target, skip)
  const error = missing ? 'The folder or file is not there.' : null
  sourcesSql.setSourceScan(journal.db, target.id, journal.clock(), { error, away: missing })
  const inside = (file: FoundFile): boolean => isWithin(file.path, target.within ?? target.path)
  return { source: target, due: due.filter(inside), all: all.filter(inside) }
}

const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

class Run {
  cancelled = false
  private failed = false
  private readonly counts = noCounts()
  private readonly errors: RecordError[] = []
  private bytes = 0
  private fresh = 0
  private updated = 0
  private masked = 0
  private readonly strangers: number
  private filesDone = 0
  private filesTotal = 0
  private bytesTotal = 0
  private source: string | null = null

  constructor(
    private readonly journal: JournalContext,
    private readonly hooks: RunHooks,
  ) {
    this.strangers = journal.receipts.strangers
  }

  expect(due: readonly FoundFile[]): void {
    this.filesTotal = due.length
    this.bytesTotal = due.reduce((sum, file) => sum + file.stat.size, 0)
    this.tell(true)
  }

  /** Each reader takes the next group as soon as it is done with one. */
  async files(
    source: sourcesSql.SourceRow,
    files: readonly FoundFile[],
    readers: readonly GroupReader[] = [groupReader(this.journal)],
  ): Promise<void> {
    this.source = source.id
    const waiting = groups(files)
    const ends = await Promise.allSettled(readers.map((reader) => this.take(reader, source, waiting)))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  private async take(
    reader: GroupReader,
    source: sourcesSql.SourceRow,
    waiting: Iterator<FoundFile[]>,
  ): Promise<void> {
    try {
      for (;;) {
        if (this.hooks.cancelled()) this.cancelled = true
        if (this.cancelled || this.failed) return
        const next = waiting.next()
        if (next.done) return
        await this.group(reader, source, next.value)
        this.filesDone += next.value.length
        this.tell(true)
      }
    } catch (error) {
      // What the others have begun they end; they begin nothing more.
      this.failed = true
      throw error
    }
  }

  private async group(
    reader: GroupReader,
    source: sourcesSql.SourceRow,
    files: readonly FoundFile[],
  ): Promise<void> {
    const format = source.format as Agent | null
    const root = source.kind === 'folder' ? { root: source.path } : {}
    const jobs = files.map(({ path }) => ({
      sourceId: source.id,
      path,
      format,
      project: source.project,
      ...root,
    }))
    const whole = await reader(jobs, {
      cancelled: () => this.hooks.cancelled(),
      wrote: (path, step) => this.wrote(path, step),
    })
    if (!whole) this.cancelled = true
    if (!this.cancelled) for (const file of files) this.hooks.read?.(source, file)
  }

  private wrote(path: string, { result, bytes }: FileStep): void {
    const file = this.journal.paths.stored(path)
    addCounts(this.counts, result.counts)
    this.bytes += bytes
    const added = Object.values(result.added).reduce((sum, n) => sum + n, 0)
    this.fresh += added
    this.updated += result.updated
    this.masked += result.masked
    for (const error of result.errors) {
      if (this.errors.length < ERRORS_REPORTED) this.errors.push({ file, ...error })
    }
    if (added + result.updated > 0) this.hooks.changed(result.sessions, added + result.updated)
    this.tell(true)
  }

  private tell(running: boolean): void {
    this.hooks.progress({
      running,
      sourceId: this.source,
      filesDone: this.filesDone,
      filesTotal: this.filesTotal,
      bytesDone: this.bytes,
      bytesTotal: this.bytesTotal,
      items: this.fresh,
      errors: this.counts.errors,
      cancelled: this.cancelled,
    })
  }

  report(work: readonly Work[], started: number, perFile: boolean): RunReport {
    const { db, clock } = this.journal
    this.tell(false)
    const held = heldBy(this.journal, work)
    return {
      files: work.reduce((sum, one) => sum + one.all.length, 0),
      bytes: this.bytes,
      sessions: held.sessions,
      items: held.items,
      new: this.fresh,
      updated: this.updated,
      records: this.counts,
      errors: [...this.errors, ...unreadable(this.journal, work)].slice(0, ERRORS_REPORTED),
      unrecognised: unrecognised(this.journal, work),
      masked: this.masked,
      unknownEnvelopes: this.journal.receipts.strangers - this.strangers,
      pendingEmbeddings: journalSql.countEmbedQueue(db),
      cancelled: this.cancelled,
      ms: clock() - started,
      ...(perFile ? { perFile: filesOf(this.journal, work) } : {}),
    }
  }
}

function heldBy(journal: JournalContext, work: readonly Work[]) {
  const items: Partial<Record<ItemKind, number>> = {}
  const sessions = new Set<string>()
  for (const { source } of work) {
    const held = sourcesSql.heldUnder(
      journal.db,
      source.id,
      journal.paths.stored(source.within ?? source.path),
    )
    for (const id of held.sessions) sessions.add(id)
    for (const { kind, n } of held.kinds) items[kind as ItemKind] = (items[kind as ItemKind] ?? 0) + n
  }
  return { items, sessions: sessions.size }
}

/** Files and folders that could not be read at all, as line 0. What is no transcript is none of them. */
function unreadable(journal: JournalContext, work: readonly Work[]): RecordError[] {
  return work.flatMap(({ source }) =>
    sourcesSql
      .unreadableFiles(journal.db, source.id)
      .filter((row) => !isLeftOut(row.reason) && !isNoTranscript(row.reason))
      .filter((row) => isWithin(row.path, source.within ?? source.path))
      .map((row) => ({ file: row.path, line: 0, reason: row.reason ?? 'it cannot be read' })),
  )
}

const UNRECOGNISED_NAMED = 10

/** Files that are no transcripts as far as Fovea knows: the first of them, and how many there are. */
function unrecognised(journal: JournalContext, work: readonly Work[]): RunReport['unrecognised'] {
  const paths = work.flatMap(({ source }) =>
    sourcesSql
      .unreadableFiles(journal.db, source.id)
      .filter((row) => isNoTranscript(row.reason))
      .filter((row) => isWithin(row.path, journal.paths.stored(source.within ?? source.path)))
      .map((row) => row.path),
  )
  const files = [...new Set(paths)]
  return { files: files.slice(0, UNRECOGNISED_NAMED), total: files.length }
}

function filesOf(journal: JournalContext, work: readonly Work[]): RunReport['perFile'] {
  return work.flatMap(({ source }) =>
    sourcesSql
      .filesOf(journal.db, source.id)
      .filter((row) => isWithin(row.path, journal.paths.stored(source.within ?? source.path)))
      .map((row) => ({
        file: row.path,
        format: row.format as Agent | null,
        bytes: row.size,
        records: countsOf(row),
      })),
  )
}
