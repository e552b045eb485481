import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { sourcesSql } from '../../store'
import { discover, type FoundFile, mayBeTranscript } from '../sources/discover'
import { type FileStat, ownerOf, statIf } from '../stores/names'
import { type Hint, subscribe } from './hints'
import { Lately } from './lately'

export interface WatcherPorts {
  /** Active sources, asked whenever they may have changed. */
  sources(): sourcesSql.SourceRow[]
  /** Reads these files of a source. Called again only when the last call has ended. */
  read(source: sourcesSql.SourceRow, files: FoundFile[]): Promise<void>
  /** Looks at every file of every active source. */
  sweep(): Promise<void>
  clock(): number
}

/** The least between two sweeps, in milliseconds, and how many times longer than a sweep itself it is. */
const SWEEP_EVERY = 3 * 60_000
const SWEEP_SHARE = 500
/** How often it is looked whether a source that is away is back: an unmounted disk tells nobody. */
const BACK_EVERY = 5_000
/** A burst of hints becomes one reading. */
const GATHER = 15

/**
 * Keeps sources up to date while the app runs. The system's notifications are a hint; what counts is stat: the files
 * that changed last are looked at several times a second, all of them every few minutes. Nothing is opened that did not
 * change, and while no file changed lately only the sweep wakes this thread.
 */
export class Watcher {
  private readonly lately = new Lately()
  private readonly due = new Map<string, sourcesSql.SourceRow>()
  private hints: Hint[] = []
  private sweeping: NodeJS.Timeout | null = null
  private looking: NodeJS.Timeout | null = null
  private gather: NodeJS.Timeout | null = null
  private awaiting: NodeJS.Timeout | null = null
  private busy = false
  private running = false

  constructor(private readonly ports: WatcherPorts) {}

  start(): void {
    if (this.running) return
    this.running = true
    this.sweepLater(SWEEP_EVERY)
    this.lookLater()
    void this.refresh()
  }

  /** Call when sources were enrolled, paused, resumed or removed. */
  async refresh(): Promise<void> {
    if (!this.running) return
    const old = this.hints
    this.hints = []
    const sources = this.ports.sources().filter((source) => source.kind !== 'stream')
    this.lately.only(sources)
    await Promise.all(old.map((hint) => hint.stop()))
    const made = await Promise.all(sources.map((source) => this.listen(source)))
    if (!this.running) await Promise.all(made.map((hint) => hint?.stop()))
    else this.hints = made.filter((hint) => hint !== null)
    // Whatever changed between the last look and the first notification was told to nobody.
    if (this.running && sources.length > 0) await this.ports.sweep()
    this.awaitAway()
  }

  async stop(): Promise<void> {
    this.running = false
    for (const timer of [this.sweeping, this.looking, this.gather, this.awaiting])
      if (timer) clearTimeout(timer)
    this.sweeping = this.looking = this.gather = this.awaiting = null
    const hints = this.hints
    this.hints = []
    await Promise.all(hints.map((hint) => hint.stop()))
  }

  /** Tells of a file that was read just now, so that its next change is seen soon. */
  remember(source: sourcesSql.SourceRow, path: string, stat: Pick<FileStat, 'size' | 'mtimeMs'>): void {
    const { size, mtimeMs } = stat
    this.lately.keep(path, { source, size, mtimeMs, changedAt: mtimeMs }, this.ports.clock())
    this.lookLater()
  }

  private listen(source: sourcesSql.SourceRow): Promise<Hint | null> {
    const folder = source.kind === 'folder' ? source.path : dirname(source.path)
    const real = realOf(folder)
    return subscribe(folder, (path) => {
      // The system names the real path; the source may have been enrolled by a link.
      const there = real !== folder && path.startsWith(real + sep) ? folder + path.slice(real.length) : path
      // A database is written to in its log, a session in its messages.
      const given = ownerOf(there)
      if (source.kind === 'file') {
        if (given === source.path) this.notice(source, given)
      } else if (mayBeTranscript(source.path, given)) this.notice(source, given)
      else this.noticeFolder(source, given)
    })
  }

  /**
   * A folder that has just come: what was put into it before the system began to watch it is told by nobody. Of any
   * other path there is nothing to say.
   */
  private noticeFolder(source: sourcesSql.SourceRow, path: string): void {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    for (const file of discover(path).files) {
      if (mayBeTranscript(source.path, file.path)) this.notice(source, file.path)
    }
  }

  private notice(source: sourcesSql.SourceRow, path: string): void {
    this.due.set(path, source)
    this.gather ??= setTimeout(() => {
      this.gather = null
      void this.work()
    }, GATHER)
  }

  /** A look at very many files, or at a slow disk, is taken less often. */
  private sweepLater(ms: number): void {
    const timer = setTimeout(async () => {
      const began = this.ports.clock()
      await this.ports.sweep().catch(() => undefined)
      this.awaitAway()
      if (this.running) this.sweepLater(Math.max(SWEEP_EVERY, SWEEP_SHARE * (this.ports.clock() - began)))
    }, ms)
    this.sweeping = timer.unref()
  }

  /** A source that is away is watched again, and read, as soon as it is back. While none is, nothing is looked at. */
  private awaitAway(): void {
    if (!this.running || this.awaiting) return
    const sources = this.ports.sources().filter((source) => source.kind !== 'stream')
    const away = sources.filter((source) => !existsSync(source.path))
    if (away.length === 0) return
    const timer = setTimeout(() => {
      this.awaiting = null
      if (away.some((source) => existsSync(source.path))) void this.refresh().catch(() => undefined)
      else this.awaitAway()
    }, BACK_EVERY)
    this.awaiting = timer.unref()
  }

  private lookLater(): void {
    if (!this.running || this.looking) return
    const ms = this.lately.nextLook(this.ports.clock())
    if (ms === null) return
    const timer = setTimeout(() => {
      this.looking = null
      for (const [path, source] of this.lately.changed(this.ports.clock(), statIf)) this.notice(source, path)
      this.lookLater()
    }, ms)
    this.looking = timer.unref()
  }

  private async work(): Promise<void> {
    if (this.busy) return
    this.busy = true
    try {
      while (this.due.size > 0 && this.running) await this.readDue()
    } finally {
      this.busy = false
    }
  }

  private async readDue(): Promise<void> {
    const bySource = new Map<string, { source: sourcesSql.SourceRow; files: FoundFile[] }>()
    for (const [path, source] of this.due) {
      const stat = statIf(path)
      if (!stat) continue
      const now = this.ports.clock()
      this.lately.keep(path, { source, size: stat.size, mtimeMs: stat.mtimeMs, changedAt: now }, now)
      const group = bySource.get(source.id) ?? { source, files: [] }
      group.files.push({ path, stat })
      bySource.set(source.id, group)
    }
    this.due.clear()
    this.lookLater()
    for (const { source, files } of bySource.values()) await this.ports.read(source, files)
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
