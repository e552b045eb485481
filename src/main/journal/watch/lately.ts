import type { sourcesSql } from '../../store'
import type { FileStat } from '../stores/names'

/** How often files that were written lately are looked at, in milliseconds. */
const HOT_EVERY = 200
const WARM_EVERY = 1_000
/** How long after its last change a file counts as hot, and as warm. */
const HOT_FOR = 60_000
const WARM_FOR = 15 * 60_000
/**
 * So many files at most are looked at again and again: more that changed lately were copied here, not written by as
 * many agents, and a look at each of thousands takes half a core. The others have the system's notifications and the sweep.
 */
const MOST = 64

interface Watched {
  source: sourcesSql.SourceRow
  size: number
  mtimeMs: number
  changedAt: number
}

/** The files that changed last, and when it is time to look at which of them. */
export class Lately {
  private readonly files = new Map<string, Watched>()
  private lastLook = 0

  /** Keeps a file among the last changed, unless enough others changed after it. */
  keep(path: string, file: Watched, now: number): void {
    if (now - file.changedAt > WARM_FOR) return
    this.files.set(path, file)
    if (this.files.size <= MOST) return
    let oldest = path
    let at = file.changedAt
    for (const [other, { changedAt }] of this.files) {
      if (changedAt < at) [oldest, at] = [other, changedAt]
    }
    this.files.delete(oldest)
  }

  /** Forgets the files of sources that are not among these. */
  only(sources: readonly sourcesSql.SourceRow[]): void {
    for (const [path, { source }] of this.files) {
      if (!sources.some((one) => one.id === source.id)) this.files.delete(path)
    }
  }

  /** In how many milliseconds the next look is due; null when no file changed lately. */
  nextLook(now: number): number | null {
    if (this.files.size === 0) return null
    for (const { changedAt } of this.files.values()) if (now - changedAt <= HOT_FOR) return HOT_EVERY
    return WARM_EVERY
  }

  /** Those due now whose size or time is another than before. */
  changed(
    now: number,
    stat: (path: string) => FileStat | null,
  ): [path: string, source: sourcesSql.SourceRow][] {
    const all = now - this.lastLook >= WARM_EVERY
    if (all) this.lastLook = now
    const found: [string, sourcesSql.SourceRow][] = []
    for (const [path, file] of this.files) {
      const age = now - file.changedAt
      if (age > WARM_FOR) this.files.delete(path)
      else if (all || age <= HOT_FOR) {
        const is = stat(path)
        if (is && (is.size !== file.size || is.mtimeMs !== file.mtimeMs)) found.push([path, file.source])
      }
    }
    return found
  }
}
