import type { ReadDb, WriteDb } from './db'

/** A value of the `meta` table, or undefined. */
export function readMeta(db: ReadDb, key: string): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value
}

export function writeMeta(db: WriteDb, key: string, value: string): void {
  db.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, value],
  )
}

/** One section of the person's settings as it is stored, to be checked by its owner; empty where it is missing or damaged. */
export function readSection(db: ReadDb, name: string): object {
  let stored: unknown = null
  try {
    stored = JSON.parse(readMeta(db, 'settings') ?? '{}')
  } catch {
    // Not JSON: every setting takes its default.
  }
  const own: unknown = stored !== null && typeof stored === 'object' ? Reflect.get(stored, name) : null
  return own !== null && typeof own === 'object' ? own : {}
}
