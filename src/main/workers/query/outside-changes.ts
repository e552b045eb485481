import type { Emit } from '../../../shared/contract'
import { outsideSql, type ReadDb } from '../../store'

/** How often the database is asked whether anybody wrote, in milliseconds; one pragma that reads no page. */
const EVERY = 1_000

/**
 * Tells the window what a command line or another process changed, which no event of this process speaks of. Returns
 * the way to stop.
 */
export function watchOutside(read: ReadDb, emit: Emit): () => void {
  let version = outsideSql.dataVersion(read)
  let before = outsideSql.shown(read)
  const timer = setInterval(() => {
    const now = outsideSql.dataVersion(read)
    if (now === version) return
    version = now
    const after = outsideSql.shown(read)
    if (after.items !== before.items) emit('journal.changed', { items: 0, sessions: [] })
    if (after.gates !== before.gates) emit('gates.changed', { id: null })
    if (after.sources !== before.sources) emit('sources.changed', {})
    before = after
  }, EVERY)
  timer.unref()
  return () => clearInterval(timer)
}
