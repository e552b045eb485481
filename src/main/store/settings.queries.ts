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
