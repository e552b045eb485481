import type { Emit, ParsedInput } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'
import type { IngestProgress, IngestReport } from '../../../shared/journal'
import {
  enrol,
  type FoundFile,
  ingestFiles,
  ingestSources,
  ingestStream,
  type JournalContext,
  onDisk,
  type RunHooks,
  type RunOptions,
  type RunReport,
  type SecondReader,
  sweepSources,
  type Target,
  targetAt,
  Watcher,
} from '../../journal'
import type { ErasureReport } from '../../sharing'
import { erasureSql, sourcesSql } from '../../store'

export interface IngestServiceOptions {
  journal: JournalContext
  emit: Emit
  /** Folders never read: Fovea's own data. */
  skip: readonly string[]
  watch: boolean
  /** Starts a second reader for a large run; none where there is one core only. */
  beside?: () => SecondReader
  /** Told of each batch that was written, before it is announced. */
  changed?: (sessions: readonly string[]) => void
}

const PROGRESS_EVERY = 100

const idle: IngestProgress = {
  running: false,
  sourceId: null,
  filesDone: 0,
  filesTotal: 0,
  bytesDone: 0,
  bytesTotal: 0,
  items: 0,
  errors: 0,
  cancelled: false,
}

/** One reading at a time; requests wait for each other in the order they came. */
export class IngestService {
  progress: IngestProgress = idle
  readonly watcher: Watcher
  private tail: Promise<unknown> = Promise.resolve()
  private cancelRequested = false
  private closed = false
  /** The person stopped the reading: nothing starts in the background until they ask for something. */
  private halted = false
  private toldAt = 0

  constructor(private readonly options: IngestServiceOptions) {
    this.watcher = new Watcher({
      sources: () => this.activeSources(),
      read: (source, files) => this.readHint(source, files),
      sweep: () => this.sweep(),
      clock: options.journal.clock,
    })
  }

  /** Begins to watch, after a first look at everything. */
  start(): void {
    void this.finishErasures().catch(() => undefined)
    if (!this.options.watch) return
    this.watcher.start()
    void this.sweep()
  }

  async close(): Promise<void> {
    this.closed = true
    this.cancelRequested = true
    await this.watcher.stop()
    await this.tail
  }

  async run(input: ParsedInput<'ingest.run'>): Promise<IngestReport> {
    this.halted = false
    const { journal } = this.options
    const targets = input.paths.map((path) =>
      targetAt(journal, { path, format: input.format, project: input.project }),
    )
    for (const source of targets) {
      if (source.state === 'paused') {
        throw new AppError(
          'conflict',
          `The source ${journal.paths.stored(source.path)} is paused. Resume it to read it again.`,
        )
      }
    }
    this.options.emit('sources.changed', {})
    const report = await this.alone((hooks) =>
      ingestSources(journal, unique(targets), { ...this.runOptions(), perFile: input.perFile }, hooks),
    )
    // Behind the reading: it ends with a sweep, which would otherwise do this run's work and leave it nothing to tell.
    await this.watcher.refresh()
    this.options.emit('sources.changed', {})
    return withEmbeddings(report)
  }

  async stream(input: ParsedInput<'ingest.stream'>): Promise<IngestReport> {
    const { journal, emit } = this.options
    const report = await this.alone((hooks) => ingestStream(journal, input, hooks))
    emit('sources.changed', {})
    return withEmbeddings(report)
  }

  cancel(): boolean {
    if (!this.progress.running) return false
    this.cancelRequested = true
    this.halted = true
    return true
  }

  /** Items were renamed, outside a reading. */
  told(items: number): void {
    this.options.emit('journal.changed', { items, sessions: [] })
  }

  /** A source is new or active again: read it in the background when sources are watched. */
  sourcesChanged(): void {
    this.halted = false
    this.options.emit('sources.changed', {})
    if (!this.options.watch) return
    void this.watcher.refresh()
    void this.sweep()
  }

  /** Erases what a source brought; nothing reads meanwhile. @throws AppError as `eraseSource` does */
  async erase(id: string): Promise<ErasureReport> {
    const { eraseSource } = await import('../../sharing')
    const report = await this.alone(() => eraseSource(this.options.journal, id))
    this.told(report.counts.items)
    return report
  }

  /** Goes on with an erasure that was cut short. */
  private async finishErasures(): Promise<void> {
    const { journal } = this.options
    if (erasureSql.openErasures(journal.db).length === 0) return
    const { resumeErasures } = await import('../../sharing')
    await this.alone(() => resumeErasures(journal))
    this.options.emit('sources.changed', {})
    this.told(0)
  }

  /** Waits until nothing reads, so that a source can be taken away. */
  async settled(): Promise<void> {
    await this.tail
  }

  enrol(input: ParsedInput<'sources.enrol'>): sourcesSql.SourceRow {
    const row = enrol(this.options.journal, input)
    this.sourcesChanged()
    return row
  }

  private runOptions(): RunOptions {
    const { skip, beside } = this.options
    return { skip, ...(beside ? { beside } : {}) }
  }

  private activeSources(): sourcesSql.SourceRow[] {
    const { journal } = this.options
    const active = sourcesSql.sources(journal.db).filter((source) => source.state === 'active')
    return active.map((source) => onDisk(journal, source))
  }

  private async sweep(): Promise<void> {
    if (this.halted || this.closed) return
    await this.finishErasures()
    await this.alone(async (hooks) => {
      const targets = this.activeSources().filter((source) => source.kind !== 'stream')
      if (targets.length === 0) return
      const before = this.away()
      await sweepSources(this.options.journal, targets, this.runOptions(), hooks)
      if (this.away() !== before) this.options.emit('sources.changed', {})
    })
  }

  /** Which sources are not where they were. */
  private away(): string {
    const gone = sourcesSql.sources(this.options.journal.db).filter((source) => source.away_since !== null)
    return gone.map(({ id }) => id).join()
  }

  private async readHint(source: sourcesSql.SourceRow, files: FoundFile[]): Promise<void> {
    if (this.closed) return
    await this.alone(async (hooks) => {
      // It may have been paused or removed since the hint came.
      const row = sourcesSql.sourceById(this.options.journal.db, source.id)
      if (row?.state === 'active') {
        await ingestFiles(this.options.journal, onDisk(this.options.journal, row), files, {
          ...hooks,
          progress: () => {},
        })
      }
    })
  }

  private alone<T>(work: (hooks: RunHooks) => Promise<T>): Promise<T> {
    const next = this.tail.then(async () => {
      this.cancelRequested = this.closed
      try {
        return await work(this.hooks())
      } finally {
        if (this.progress.running) this.tell({ ...this.progress, running: false })
      }
    })
    this.tail = next.catch(() => undefined)
    return next
  }

  private hooks(): RunHooks {
    return {
      cancelled: () => this.cancelRequested,
      progress: (now) => this.tell(now),
      changed: (sessions, items) => {
        this.options.changed?.(sessions)
        this.options.emit('journal.changed', { items, sessions: [...sessions] })
      },
      read: (source, file) => this.watcher.remember(source, file.path, file.stat),
    }
  }

  /** The first, the last, and at most ten a second between. */
  private tell(now: IngestProgress): void {
    const turned = now.running !== this.progress.running
    this.progress = now
    const at = this.options.journal.clock()
    if (!turned && at - this.toldAt < PROGRESS_EVERY) return
    this.toldAt = at
    this.options.emit('ingest.progress', now)
  }
}

function unique(targets: readonly Target[]): Target[] {
  const seen = new Set<string>()
  return targets.filter(({ path, within }) => {
    const key = within ?? path
    return seen.has(key) ? false : seen.add(key)
  })
}

/** Whether vectors exist is the index worker's to say; whoever asked both fills this in. */
const withEmbeddings = (report: RunReport): IngestReport => ({
  ...report,
  embeddings: { path: 'none', reason: 'embeddings follow in the background' },
})
