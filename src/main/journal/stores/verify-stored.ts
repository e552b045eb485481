import type { SourceStatus } from '../../../shared/domain'
import { recordHash } from '../handles'
import { type FileStat, statIf } from './names'
import { openStore } from './open-store'
import type { Store } from './store'

/** A store is kept open between two questions for so long, in milliseconds: they come in rows. */
const KEPT_MS = 1_000

interface Kept {
  path: string
  stat: FileStat
  store: Store
  timer: NodeJS.Timeout
}

let kept: Kept | null = null

function release(): void {
  if (!kept) return
  clearTimeout(kept.timer)
  kept.store.close()
  kept = null
}

function storeAt(path: string, stat: FileStat): Store | null {
  const same = kept?.path === path && kept.stat.size === stat.size && kept.stat.mtimeMs === stat.mtimeMs
  if (kept && same) {
    kept.timer.refresh()
    return kept.store
  }
  release()
  const store = openStore(path)
  if (store) kept = { path, stat, store, timer: setTimeout(release, KEPT_MS).unref() }
  return store
}

/** Whether a store still holds a record as it was. */
export function verifyStored(
  { store: path, session: key }: { store: string; session: string },
  pointer: { record_id?: string | null; byte_length: number; record_hash: string; line?: number },
): SourceStatus {
  const stat = statIf(path)
  if (!stat) return 'gone'
  try {
    const store = storeAt(path, stat)
    const records = store?.session(key)?.records() ?? []
    const record =
      records.find((one) => one.key === pointer.record_id) ??
      (pointer.line ? records[pointer.line - 1] : undefined)
    if (!record) return 'gone'
    const bytes = record.read()
    if (!bytes) return 'gone'
    return recordHash(bytes) === pointer.record_hash ? 'unchanged' : 'changed'
  } catch {
    release()
    return 'changed'
  }
}
