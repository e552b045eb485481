import type { ItemKind } from '../../shared/domain'
import type { ReadDb, SqlValue } from './db'

/** What a recall may draw from. Times are milliseconds UTC: `since` ≤ ts ≤ `asOf`. */
export interface RecallFilter {
  project?: string
  projects?: readonly string[]
  kinds?: readonly ItemKind[]
  /** Sources by id or path; a path stands for all below it. */
  sources?: readonly string[]
  /** Names of entities, of which the item names one. */
  tags?: readonly string[]
  /** Cells by id or by name, of which the item stands in one. */
  cells?: readonly string[]
  since?: number
  asOf?: number
}

const OF_SOURCE = `EXISTS (
  SELECT 1 FROM files AS f JOIN sources AS s ON s.id = f.source_id, json_each(?) AS w WHERE f.id = i.file_id
    AND (s.id = w.value OR s.path = w.value OR substr(f.path, 1, length(w.value) + 1) = w.value || '/'
      OR f.path = w.value))`
const TAGGED = `i.id IN (
  SELECT n.item_id FROM json_each(?) AS w JOIN entities AS e ON e.name = w.value
    JOIN item_entities AS n ON n.entity_id = e.id)`

const IN_CELL = `i.id IN (
  SELECT m.item_id FROM json_each(?) AS w JOIN cells AS c ON c.id = w.value OR c.name = w.value
    JOIN cell_items AS m ON m.cell_id = c.id)`

/** Whether a filter keeps nothing out. */
export const isOpen = (filter: RecallFilter): boolean => conditions(filter).params.length === 0

/** The filter as ` AND …` over the items table under the name `i`. */
export function conditions(filter: RecallFilter): { sql: string; params: SqlValue[] } {
  const parts: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, value: SqlValue): void => {
    parts.push(condition)
    params.push(value)
  }
  if (filter.project !== undefined) add('i.project = ?', filter.project)
  if (filter.projects) add('i.project IN (SELECT value FROM json_each(?))', JSON.stringify(filter.projects))
  if (filter.sources) add(OF_SOURCE, JSON.stringify(filter.sources))
  if (filter.tags) add(TAGGED, JSON.stringify(filter.tags))
  if (filter.cells) add(IN_CELL, JSON.stringify(filter.cells))
  if (filter.kinds) add('i.kind IN (SELECT value FROM json_each(?))', JSON.stringify(filter.kinds))
  if (filter.since !== undefined) add('i.ts >= ?', filter.since)
  if (filter.asOf !== undefined) add('i.ts <= ?', filter.asOf)
  return { sql: parts.map((part) => ` AND ${part}`).join(''), params }
}

/** Which of the items fulfil a filter. */
export function fulfilling(db: ReadDb, ids: readonly number[], filter: RecallFilter): Set<number> {
  const { sql, params } = conditions(filter)
  const rows = db.all<{ id: number }>(
    `SELECT i.id FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value WHERE 1${sql}`,
    [JSON.stringify(ids), ...params],
  )
  return new Set(rows.map((row) => row.id))
}
