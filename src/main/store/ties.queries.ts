import type { ReadDb, WriteDb } from './db'
import { type PackedText, unpackText } from './item-text'

/** What relating needs of an item. `project` is '' when it has none. */
export interface TieItem {
  id: number
  handle: string
  kind: string
  project: string
  arc: string | null
  goalId: number | null
  text: string
  data: Record<string, unknown>
}

type Row = PackedText & Omit<TieItem, 'text' | 'data'> & { data: string }

export function tiedItem(db: ReadDb, id: number): TieItem | undefined {
  const row = db.get<Row>(
    `SELECT id, handle, kind, coalesce(project, '') AS project, arc_id AS arc, text, text_z, data,
       (SELECT g.id FROM items AS g WHERE g.handle = items.goal_handle) AS goalId FROM items WHERE id = ?`,
    [id],
  )
  if (!row) return undefined
  const { text, text_z, data, ...rest } = row
  return { ...rest, text: unpackText({ text, text_z }), data: JSON.parse(data) as Record<string, unknown> }
}

/** What ties items: not a version or a command, which half the sessions of a project share. */
const TYING = "('path', 'symbol', 'package', 'issue', 'error', 'url')"

/** What an item names, the plainest first: entities by id. */
export function tyingEntities(db: ReadDb, itemId: number, limit: number): number[] {
  return db
    .all<{ id: number }>(
      `SELECT e.id FROM item_entities AS n JOIN entities AS e ON e.id = n.entity_id
       WHERE n.item_id = ? AND e.kind IN ${TYING} AND length(e.name) > 3 ORDER BY n.weight DESC, e.id LIMIT ?`,
      [itemId, limit],
    )
    .map((row) => row.id)
}

/** The newest other items that name an entity, at most `limit`. */
export function naming(db: ReadDb, entityId: number, itemId: number, limit: number): number[] {
  return db
    .all<{ id: number }>(
      `SELECT item_id AS id FROM item_entities WHERE entity_id = ? AND item_id <> ? ORDER BY item_id DESC LIMIT ?`,
      [entityId, itemId, limit],
    )
    .map((row) => row.id)
}

/** Projects of items, '' for none. */
export function projectsOf(db: ReadDb, ids: readonly number[]): Map<number, string> {
  const rows = db.all<{ id: number; project: string }>(
    "SELECT i.id, coalesce(i.project, '') AS project FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value",
    [JSON.stringify(ids)],
  )
  return new Map(rows.map((row) => [row.id, row.project]))
}

/** The links an item starts, in place of those it had. */
export function putLinks(db: WriteDb, itemId: number, links: ReadonlyMap<number, number>): void {
  db.run('DELETE FROM item_links WHERE item_id = ?', [itemId])
  for (const [other, weight] of links) {
    db.run('INSERT INTO item_links (item_id, other_id, weight) VALUES (?, ?, ?)', [itemId, other, weight])
  }
}

/** How strongly an item is tied to each cell, by the links it starts or that lead to it. */
export function cellsAround(db: ReadDb, itemId: number): { cell: string; weight: number }[] {
  return db.all(
    `SELECT c.cell_id AS cell, sum(l.weight) AS weight FROM (
       SELECT other_id AS other, weight FROM item_links WHERE item_id = ?
       UNION ALL SELECT item_id, weight FROM item_links WHERE other_id = ? LIMIT 64
     ) AS l JOIN cell_items AS c ON c.item_id = l.other GROUP BY c.cell_id ORDER BY weight DESC, cell`,
    [itemId, itemId],
  )
}

/** The newest items of a project that have links, for balancing its cells. */
export function linkedItems(db: ReadDb, project: string, limit: number): number[] {
  return db
    .all<{ id: number }>(
      `SELECT i.id FROM items AS i WHERE i.project IS nullif(?, '')
       AND (EXISTS (SELECT 1 FROM item_links WHERE item_id = i.id) OR EXISTS (SELECT 1 FROM item_links WHERE other_id = i.id))
       ORDER BY i.ts DESC, i.id DESC LIMIT ?`,
      [project, limit],
    )
    .map((row) => row.id)
}

/** The goal each item was said or done for, or the item itself; in the order of the ids. */
export function tasksOf(db: ReadDb, ids: readonly number[]): Map<number, number> {
  const rows = db.all<{ item: number; task: number }>(
    `SELECT i.id AS item, coalesce(g.id, i.id) AS task FROM json_each(?) AS wanted
     JOIN items AS i ON i.id = wanted.value LEFT JOIN items AS g ON g.handle = i.goal_handle ORDER BY wanted.key`,
    [JSON.stringify(ids)],
  )
  return new Map(rows.map((row) => [row.item, row.task]))
}

export function linksOf(db: ReadDb, ids: readonly number[]): { a: number; b: number; weight: number }[] {
  return db.all(
    `SELECT l.item_id AS a, l.other_id AS b, l.weight FROM json_each(?) AS wanted
     JOIN item_links AS l ON l.item_id = wanted.value`,
    [JSON.stringify(ids)],
  )
}

export function handleOf(db: ReadDb, itemId: number): string | undefined {
  return db.get<{ handle: string }>('SELECT handle FROM items WHERE id = ?', [itemId])?.handle
}

/** In how many items a word stands, counted up to `cap`. `word` holds letters and digits only. */
export function wordCount(db: ReadDb, word: string, cap: number): number {
  return (
    db.get<{ n: number }>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM items_fts WHERE items_fts MATCH ? LIMIT ?)',
      [`"${word.replaceAll('"', '')}"`, cap],
    )?.n ?? 0
  )
}

export function countItems(db: ReadDb): number {
  return db.get<{ n: number }>('SELECT max(id) AS n FROM items')?.n ?? 0
}
