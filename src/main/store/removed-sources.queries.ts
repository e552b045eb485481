import type { ReadDb, WriteDb } from './db'
import { type SourceRow, sourceById } from './sources.queries'

// Sources that were removed while what they brought was kept. Their files' rows are gone; an item they brought has its
// path, and is told by it.

export interface RemovedRow {
  id: string
  path: string
  kind: SourceRow['kind']
  format: string | null
  project: string | null
  enrolled_at: number
  removed_at: number
}

/** Items that no source holds, from a file at or under the path `:path`. */
const LEFT = `file_id IS NULL AND (file_path = :path OR substr(file_path, 1, length(:path) + 1) IN (:path || '/', :path || '\\'))`

export function leftItems(db: ReadDb, path: string): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM items WHERE ${LEFT}`, { path })?.n ?? 0
}

/** Those of which something is left, the last removed first. */
export function removedSources(db: ReadDb): (RemovedRow & { items: number })[] {
  return db
    .all<RemovedRow>('SELECT * FROM removed_sources ORDER BY removed_at DESC, path')
    .map((row) => ({ ...row, items: leftItems(db, row.path) }))
    .filter(({ items }) => items > 0)
}

export function removedSource(db: ReadDb, id: string): RemovedRow | undefined {
  return db.get<RemovedRow>('SELECT * FROM removed_sources WHERE id = ?', [id])
}

/** Ends a source's enrolment and remembers that there was one. */
export function removeKeeping(db: WriteDb, id: string, at: number): void {
  db.run(
    `INSERT OR REPLACE INTO removed_sources (id, path, kind, format, project, enrolled_at, removed_at)
     SELECT id, path, kind, format, project, enrolled_at, ? FROM sources WHERE id = ?`,
    [at, id],
  )
  db.run('DELETE FROM sources WHERE id = ?', [id])
}

/** Puts a removed source among the others again, paused, so that what it brought can go by the way of any source's. */
export function bringBack(db: WriteDb, row: Omit<RemovedRow, 'removed_at'>): void {
  if (sourceById(db, row.id)) return
  db.run(
    `INSERT INTO sources (id, path, kind, format, project, state, enrolled_at) VALUES (?, ?, ?, ?, ?, 'paused', ?)
     ON CONFLICT (path) DO NOTHING`,
    [row.id, row.path, row.kind, row.format, row.project, row.enrolled_at],
  )
  forgetRemoved(db, row.path)
}

export function forgetRemoved(db: WriteDb, path: string): void {
  db.run('DELETE FROM removed_sources WHERE path = ?', [path])
}

/** What no source holds of a path becomes this source's, under the files it came from; these are gone as far as is known. */
export function takeBackItems(db: WriteDb, source: Pick<SourceRow, 'id' | 'path'>): void {
  const at = { path: source.path, id: source.id }
  db.run(
    `INSERT INTO files (source_id, path, status, reason)
     SELECT DISTINCT :id, file_path, 'gone', 'the file is gone' FROM items WHERE ${LEFT} ON CONFLICT (path) DO NOTHING`,
    at,
  )
  const file = '(SELECT f.id FROM files f WHERE f.path = item_rows.file_path AND f.source_id = :id)'
  db.run(`UPDATE item_rows SET file_id = ${file} WHERE ${LEFT} AND ${file} IS NOT NULL`, at)
  db.run(
    `INSERT OR IGNORE INTO file_sessions (file_id, session_id, first_ts, last_ts)
     SELECT i.file_id, i.session_id, min(i.ts), max(i.ts) FROM items i JOIN files f ON f.id = i.file_id
     WHERE f.source_id = :id AND i.file_path <> '' GROUP BY 1, 2`,
    { id: source.id },
  )
  db.run(
    `UPDATE item_rows SET file_path = '' WHERE file_path <> '' AND file_id IN (SELECT id FROM files WHERE source_id = ?)`,
    [source.id],
  )
}
