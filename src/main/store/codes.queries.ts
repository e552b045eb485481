import type { ItemKind } from '../../shared/domain'
import type { ReadDb } from './db'
import { conditions, type RecallFilter } from './recall-filter'

// What a thread that keeps the sign codes in memory reads from the database.

export interface CodeRow {
  vectorId: number
  itemId: number
  unit: string
  code: Buffer
}

/** The next codes in order of their numbers, which are never given twice. */
export function codesAfter(db: ReadDb, vectorId: number, limit: number): CodeRow[] {
  return db.all(
    `SELECT vector_id AS vectorId, item_id AS itemId, unit, code FROM vector_codes WHERE vector_id > ?
     ORDER BY vector_id LIMIT ?`,
    [vectorId, limit],
  )
}

export interface ItemTraits {
  id: number
  kind: ItemKind
  project: string | null
  ts: number
}

export function traitsAfter(db: ReadDb, itemId: number, limit: number): ItemTraits[] {
  return db.all('SELECT id, kind, project, ts FROM items WHERE id > ? ORDER BY id LIMIT ?', [itemId, limit])
}

export function traitsOf(db: ReadDb, itemIds: readonly number[]): ItemTraits[] {
  return db.all(
    `SELECT i.id, i.kind, i.project, i.ts FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value`,
    [JSON.stringify(itemIds)],
  )
}

/** How far the database is: its newest code, item and change. Three look-ups at the ends of trees. */
export interface CodeState {
  vector: number
  item: number
  change: number
}

export function codeState(db: ReadDb): CodeState {
  const state = db.get<CodeState>(
    `SELECT (SELECT coalesce(max(vector_id), 0) FROM vector_codes) AS vector,
            (SELECT coalesce(max(id), 0) FROM items) AS item,
            (SELECT coalesce(max(seq), 0) FROM recall_changes) AS change`,
  )
  return state ?? { vector: 0, item: 0, change: 0 }
}

export interface CodeChange {
  seq: number
  vectorId: number | null
  itemId: number | null
}

/** What went or changed since; null when some of it is forgotten already. */
export function changesSince(db: ReadDb, seq: number): CodeChange[] | null {
  const changes = db.all<CodeChange>(
    `SELECT seq, vector_id AS vectorId, item_id AS itemId FROM recall_changes WHERE seq > ? ORDER BY seq`,
    [seq],
  )
  const first = changes[0]
  return first && first.seq > seq + 1 ? null : changes
}

/** The items of some sources, or that name something. */
export function itemsWith(db: ReadDb, filter: Pick<RecallFilter, 'sources' | 'tags'>): number[] {
  const { sql, params } = conditions(filter)
  return db.all<{ id: number }>(`SELECT i.id FROM items AS i WHERE 1${sql}`, params).map((row) => row.id)
}
