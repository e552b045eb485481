import type { ReadDb } from './db'

/** Grows whenever another connection, of this process or another, has committed. */
export function dataVersion(db: ReadDb): number {
  return db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
}

/** What a window shows of the database, as one text for each part; equal texts, nothing to show anew. */
export interface Shown {
  items: string
  gates: string
  sources: string
}

export function shown(db: ReadDb): Shown {
  return (
    db.get<Shown>(
      `SELECT (SELECT coalesce(max(id), 0) FROM items) || '' AS items,
              (SELECT count(*) || ':' || coalesce(max(created_at), 0) FROM gates) || '/' ||
              (SELECT count(*) FROM decisions) || '/' || (SELECT count(*) FROM artifacts) AS gates,
              (SELECT coalesce(group_concat(id || state, ' '), '') FROM sources) AS sources`,
    ) ?? { items: '', gates: '', sources: '' }
  )
}
