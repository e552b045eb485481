import { Faculties, facultyId, type Signal } from '../faculty'
import { traceSql, type WriteDb } from '../store'
import { facultyStore } from './faculty-store'

/** A session is live while its newest item is this young; its faculty is closed when it is older than twice that. */
export const LIVE_MS = 15 * 60_000

/**
 * Faculties of live sessions: born when a session is first seen at work, told what happens in it, closed when it has
 * gone quiet. A signal's id is made from its item's handle, so that reading a transcript again tells nothing twice.
 */
export class LiveAttention {
  private readonly faculties: Faculties
  /** The last row each session told of. After a restart it tells again, and what is known is not heard twice. */
  private readonly told = new Map<string, number>()

  constructor(
    private readonly db: WriteDb,
    private readonly clock: () => number,
    /** Whether the person wants interrupts; while not, no session's faculty is born. */
    private readonly listening: () => boolean,
  ) {
    this.faculties = new Faculties(facultyStore(db))
  }

  get size(): number {
    return this.faculties.size
  }

  /** Sessions that got items just now. */
  changed(sessions: readonly string[]): void {
    if (!this.listening()) return
    const now = this.clock()
    try {
      this.tellAll(sessions, now)
    } catch (error) {
      // Nothing of it was written, so the next change tells it all again.
      this.told.clear()
      throw error
    }
  }

  private tellAll(sessions: readonly string[], now: number): void {
    this.db.transaction(() => {
      for (const { id, parent } of traceSql.liveSessions(this.db, sessions, now - LIVE_MS)) {
        this.faculties.of(id, now)
        this.tell(id, parent)
      }
      this.closeQuiet(now)
    })
  }

  private tell(session: string, parent: string | null): void {
    const born = traceSql.facultyBirth(this.db, facultyId(session)) ?? 0
    const since = born - LIVE_MS
    const others = this.living().filter((one) => one !== session)
    const after = this.told.get(session) ?? 0
    for (const item of traceSql.stirringItems(this.db, session, { since, after })) {
      this.told.set(session, Math.max(item.id, this.told.get(session) ?? 0))
      const own = signalOf(item)
      if (own) this.hear(session, own)
      if (item.kind === 'conclusion' && parent !== null && others.includes(parent)) {
        this.hear(parent, signal('sub-agent-finished', item))
      }
      if (item.path === null || others.length === 0) continue
      const file = { path: item.path, project: item.project, since }
      for (const other of traceSql.alsoTouched(this.db, others, file)) {
        this.hear(other, signal('shared-file', item))
      }
    }
  }

  private hear(session: string, told: Signal): void {
    this.faculties.of(session, told.at).hear(told)
  }

  /** All that live, also those of an earlier run; the proxy's own is nobody's session. */
  private living(): string[] {
    return traceSql.facultyParents(this.db).filter((parent) => parent.includes(':'))
  }

  /** Closes the faculties of sessions that have gone quiet, whichever run bore them. */
  closeQuiet(now: number): void {
    const living = this.living()
    const awake = new Set(traceSql.liveSessions(this.db, living, now - 2 * LIVE_MS).map(({ id }) => id))
    for (const parent of living) {
      if (awake.has(parent)) continue
      this.faculties.of(parent, now)
      this.faculties.close(parent)
      this.told.delete(parent)
    }
  }
}

/** What an item of its own session is worth a signal for. A request is the person speaking up. */
function signalOf(item: traceSql.StirringItem): Signal | null {
  if (item.kind === 'goal') return signal('mention', item)
  if (item.kind === 'error' || item.kind === 'command') return signal('failing-command', item)
  return item.kind === 'plan' && item.gate === 1 ? signal('gate-opened', item) : null
}

const signal = (kind: Signal['kind'], { handle, ts }: traceSql.StirringItem): Signal => ({
  id: `${kind}:${handle}`,
  kind,
  at: ts,
  handle,
})
