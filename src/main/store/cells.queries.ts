import type { ReadDb, WriteDb } from './db'
import { nameOf, numberOf } from './item-names'
import { type PackedText, unpackText } from './item-text'

export interface CellRow {
  id: string
  /** '' for items without a project. */
  project: string
  name: string
  named: boolean
  namedItems: number
  items: number
  sessions: number
  startedAt: number
  endedAt: number
  tags: string[]
  entities: string[]
}

type RawCell = Omit<CellRow, 'named' | 'tags' | 'entities'> & {
  named: number
  tags: string
  entities: string
}

const CELL = `c.id, c.project, c.name, c.named, c.named_items AS namedItems, c.items, c.sessions,
  c.started_at AS startedAt, c.ended_at AS endedAt, c.tags, c.entities`

const parsed = ({ named, tags, entities, ...row }: RawCell): CellRow => ({
  ...row,
  named: named === 1,
  tags: JSON.parse(tags) as string[],
  entities: JSON.parse(entities) as string[],
})

/** Cells of fewer items than this are no neighbourhood yet and are not shown. */
export const LEAST_ITEMS = 3

export function cellById(db: ReadDb, id: string): CellRow | undefined {
  const row = db.get<RawCell>(`SELECT ${CELL} FROM cells AS c WHERE c.id = ?`, [id])
  return row && parsed(row)
}

/** The cells that are meant by an id or by a name, the largest first. */
export function cellsNamed(db: ReadDb, name: string): CellRow[] {
  return db
    .all<RawCell>(`SELECT ${CELL} FROM cells AS c WHERE c.id = ? OR c.name = ? ORDER BY c.items DESC, c.id`, [
      name,
      name,
    ])
    .map(parsed)
}

export function listCells(db: ReadDb, page: { project?: string; limit: number }): CellRow[] {
  return db
    .all<RawCell>(
      `SELECT ${CELL} FROM cells AS c WHERE c.items >= ${LEAST_ITEMS} AND (? IS NULL OR c.project = ?)
       ORDER BY c.items DESC, c.id LIMIT ?`,
      [page.project ?? null, page.project ?? null, page.limit],
    )
    .map(parsed)
}

export function countCells(db: ReadDb, project?: string): number {
  return (
    db.get<{ n: number }>(
      `SELECT count(*) AS n FROM cells WHERE items >= ${LEAST_ITEMS} AND (? IS NULL OR project = ?)`,
      [project ?? null, project ?? null],
    )?.n ?? 0
  )
}

export function cellOfItem(db: ReadDb, itemId: number): CellRow | undefined {
  const row = db.get<RawCell>(
    `SELECT ${CELL} FROM cell_items AS m JOIN cells AS c ON c.id = m.cell_id WHERE m.item_id = ?`,
    [itemId],
  )
  return row && parsed(row)
}

/** The shown cell of each item that stands in one. */
export function cellsOfItems(db: ReadDb, itemIds: readonly number[]): Map<number, string> {
  const rows = db.all<{ item: number; cell: string }>(
    `SELECT m.item_id AS item, m.cell_id AS cell FROM json_each(?) AS wanted
     JOIN cell_items AS m ON m.item_id = wanted.value
     JOIN cells AS c ON c.id = m.cell_id AND c.items >= ${LEAST_ITEMS}`,
    [JSON.stringify(itemIds)],
  )
  return new Map(rows.map((row) => [row.item, row.cell]))
}

export function putCell(db: WriteDb, id: string, project: string): void {
  db.run('INSERT INTO cells (id, project) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET changed = 1', [
    id,
    project,
  ])
}

export function deleteCell(db: WriteDb, id: string): void {
  db.run('DELETE FROM cells WHERE id = ?', [id])
}

/**
 * Puts an item into a cell, out of the one it stood in; both are aggregated anew.
 * @returns whether it stood elsewhere before
 */
export function joinCell(db: WriteDb, itemId: number, cell: string, weight: number): boolean {
  const before = db.get<{ cell: string }>('SELECT cell_id AS cell FROM cell_items WHERE item_id = ?', [
    itemId,
  ])
  if (before?.cell === cell) return false
  db.run('DELETE FROM cell_items WHERE item_id = ?', [itemId])
  db.run('INSERT INTO cell_items (item_id, cell_id, weight) VALUES (?, ?, ?)', [itemId, cell, weight])
  db.run('UPDATE cells SET changed = 1 WHERE id = ?', [cell])
  return true
}

export function leaveCell(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM cell_items WHERE item_id = ?', [itemId])
}

/** The members of every cell of a project, as far as they are among these items. */
export function membersAmong(db: ReadDb, itemIds: readonly number[]): Map<number, string> {
  const rows = db.all<{ item: number; cell: string }>(
    `SELECT m.item_id AS item, m.cell_id AS cell FROM json_each(?) AS wanted
     JOIN cell_items AS m ON m.item_id = wanted.value`,
    [JSON.stringify(itemIds)],
  )
  return new Map(rows.map((row) => [row.item, row.cell]))
}

export function countMembers(db: ReadDb, cell: string): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM cell_items WHERE cell_id = ?', [cell])?.n ?? 0
}

/** Puts items into cells, out of those they stood in; all are aggregated anew. */
export function moveItems(
  db: WriteDb,
  moves: readonly { item: number; cell: string }[],
  weight: number,
): void {
  const json = JSON.stringify(moves.map(({ item, cell }) => [item, cell]))
  db.run('DELETE FROM cell_items WHERE item_id IN (SELECT value ->> 0 FROM json_each(?))', [json])
  db.run(
    'INSERT INTO cell_items (item_id, cell_id, weight) SELECT value ->> 0, value ->> 1, ? FROM json_each(?)',
    [weight, json],
  )
  db.run('UPDATE cells SET changed = 1 WHERE id IN (SELECT value ->> 1 FROM json_each(?))', [json])
}

/** The single steps of those of the items that are goals are to follow them into their cells. */
export function queueSteps(db: WriteDb, itemIds: readonly number[]): void {
  db.run(
    `INSERT OR IGNORE INTO cell_steps_queue (goal_id)
     SELECT i.id FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value WHERE i.kind = 'goal'`,
    [JSON.stringify(itemIds)],
  )
}

export function nextGoalWithSteps(db: ReadDb): number | undefined {
  return db.get<{ id: number }>('SELECT goal_id AS id FROM cell_steps_queue ORDER BY goal_id LIMIT 1')?.id
}

export function dequeueSteps(db: WriteDb, goalId: number): void {
  db.run('DELETE FROM cell_steps_queue WHERE goal_id = ?', [goalId])
}

/** Single steps of a goal that stand in another cell than it, or in none. */
export function strayed(db: ReadDb, goalId: number, limit: number): { item: number; cell: string }[] {
  return db.all(
    `SELECT i.id AS item, g.cell_id AS cell FROM items AS goal JOIN cell_items AS g ON g.item_id = goal.id
     JOIN items AS i ON i.goal = ${numberOf('goal.handle')} LEFT JOIN cell_items AS m ON m.item_id = i.id
     WHERE goal.id = ? AND i.kind IN ('file_op', 'command', 'image') AND m.cell_id IS NOT g.cell_id
       AND i.project IS goal.project ORDER BY i.id LIMIT ?`,
    [goalId, limit],
  )
}

/** Counts one more that joined, and answers how many have since the last balance. */
export function countJoined(db: WriteDb, project: string): void {
  db.run(
    `INSERT INTO cell_balance (project, joined) VALUES (?, 1)
     ON CONFLICT (project) DO UPDATE SET joined = joined + 1`,
    [project],
  )
}

/** Projects in which something joined since they were balanced, with how much, and how many members they have. */
export function unbalanced(db: ReadDb): { project: string; joined: number; members: number }[] {
  return db.all(
    `SELECT b.project, b.joined, (SELECT coalesce(sum(items), 0) FROM cells WHERE project = b.project) AS members
     FROM cell_balance AS b WHERE b.joined > 0 ORDER BY b.joined DESC, b.project`,
  )
}

export function balanced(db: WriteDb, project: string): void {
  db.run('UPDATE cell_balance SET joined = 0 WHERE project = ?', [project])
}

export function changedCells(db: ReadDb, limit: number): string[] {
  return db
    .all<{ id: string }>(
      'SELECT id FROM cells INDEXED BY cells_changed WHERE changed = 1 ORDER BY id LIMIT ?',
      [limit],
    )
    .map((row) => row.id)
}

export interface CellSpan {
  items: number
  sessions: number
  startedAt: number | null
  endedAt: number | null
}

export function spanOf(db: ReadDb, cell: string): CellSpan {
  const span = db.get<CellSpan>(
    `SELECT count(*) AS items, count(DISTINCT i.session) AS sessions, min(i.ts) AS startedAt, max(i.ts) AS endedAt
     FROM cell_items AS m JOIN items AS i ON i.id = m.item_id WHERE m.cell_id = ?`,
    [cell],
  )
  return span ?? { items: 0, sessions: 0, startedAt: null, endedAt: null }
}

/** Labels of a cell's items, each set once, as JSON arrays. */
export function labelsWithin(db: ReadDb, cell: string): string[] {
  return db
    .all<{ labels: string }>(
      'SELECT DISTINCT i.labels FROM cell_items AS m JOIN items AS i ON i.id = m.item_id WHERE m.cell_id = ?',
      [cell],
    )
    .map((row) => row.labels)
}

export interface Member {
  id: number
  handle: string
  kind: string
  ts: number
  session: string
  weight: number
  data: string
  text: string
}

/** Items of a cell that tell most of it: what was said first, the strongest ties first. */
export function tellingMembers(db: ReadDb, cell: string, limit: number): Member[] {
  const rows = db.all<PackedText & Omit<Member, 'text'>>(
    `SELECT i.id, i.handle, i.kind, i.ts, i.session_id AS session, m.weight, i.data, i.text, i.text_z
     FROM cell_items AS m JOIN items AS i ON i.id = m.item_id WHERE m.cell_id = ?
     ORDER BY i.kind NOT IN ('goal', 'conclusion', 'plan', 'decision'), m.weight DESC, i.id LIMIT ?`,
    [cell, limit],
  )
  return rows.map(({ text, text_z, ...row }) => ({ ...row, text: unpackText({ text, text_z }) }))
}

/** What the items of a cell name most, by kind. */
export function entitiesWithin(db: ReadDb, cell: string, limit: number): { kind: string; name: string }[] {
  return db.all(
    `SELECT e.kind, e.name FROM cell_items AS m JOIN item_entities AS n ON n.item_id = m.item_id
     JOIN entities AS e ON e.id = n.entity_id
     WHERE m.cell_id = ? AND e.kind IN ('path', 'symbol', 'package', 'issue', 'error', 'url')
     GROUP BY e.id ORDER BY sum(n.weight) DESC, e.name LIMIT ?`,
    [cell, limit],
  )
}

export interface MemberLine {
  handle: string
  kind: string
  ts: number
  session: string
  title: string
}

/** The items of a cell, the newest first, each with its sentence. */
export function memberLines(db: ReadDb, cell: string, limit: number): MemberLine[] {
  const rows = db.all<Omit<MemberLine, 'title'> & PackedText & { sentence: string | null }>(
    `SELECT i.handle, i.kind, i.ts, i.session_id AS session, r.text AS sentence,
       CASE WHEN r.text IS NULL THEN i.text END AS text, CASE WHEN r.text IS NULL THEN i.text_z END AS text_z
     FROM cell_items AS m JOIN items AS i ON i.id = m.item_id
     LEFT JOIN rungs AS r ON r.subject = i.handle AND r.level = 'L1'
     WHERE m.cell_id = ? ORDER BY i.ts DESC, i.id DESC LIMIT ?`,
    [cell, limit],
  )
  return rows.map(({ text, text_z, sentence, ...row }) => ({
    ...row,
    title: sentence ?? unpackText({ text, text_z }).slice(0, 200),
  }))
}

export interface CellFacts
  extends Pick<CellRow, 'name' | 'namedItems' | 'items' | 'sessions' | 'startedAt' | 'endedAt'> {
  tags: readonly string[]
  entities: readonly string[]
  provenance: readonly string[]
  labels: readonly string[]
}

export function settleCell(db: WriteDb, id: string, row: CellFacts): void {
  db.run(
    `UPDATE cells SET name = ?, named_items = ?, items = ?, sessions = ?, started_at = ?, ended_at = ?, tags = ?,
       entities = ?, provenance = ?, labels = ?, changed = 0 WHERE id = ?`,
    [
      row.name,
      row.namedItems,
      row.items,
      row.sessions,
      row.startedAt,
      row.endedAt,
      JSON.stringify(row.tags),
      JSON.stringify(row.entities),
      JSON.stringify(row.provenance),
      JSON.stringify(row.labels),
      id,
    ],
  )
}

/** @returns false when there is no such cell */
export function renameCell(db: WriteDb, id: string, name: string): boolean {
  return db.run('UPDATE cells SET name = ?, named = 1 WHERE id = ?', [name, id]).changes === 1
}

/** The cells that links lead to, by the share of all links that leave the cell. */
export function putAdjacent(db: WriteDb, cell: string, limit: number): void {
  db.run("DELETE FROM cell_edges WHERE cell_id = ? AND kind = 'adjacent'", [cell])
  db.run(
    `INSERT INTO cell_edges (cell_id, kind, other, weight)
     WITH crossing AS (
       SELECT o.cell_id AS other, sum(l.weight) AS weight FROM (
         SELECT l.other_id AS other, l.weight FROM cell_items AS m JOIN item_links AS l ON l.item_id = m.item_id
         WHERE m.cell_id = ?1
         UNION ALL
         SELECT l.item_id, l.weight FROM cell_items AS m JOIN item_links AS l ON l.other_id = m.item_id
         WHERE m.cell_id = ?1
       ) AS l JOIN cell_items AS o ON o.item_id = l.other WHERE o.cell_id <> ?1 GROUP BY o.cell_id
     )
     SELECT ?1, 'adjacent', other, min(1, weight / (SELECT sum(weight) FROM crossing)) FROM crossing
     ORDER BY weight DESC, other LIMIT ?2`,
    { 1: cell, 2: limit },
  )
}

/** The arcs of which at least half of what stands in any cell stands in this one. */
export function putContained(db: WriteDb, cell: string, limit: number): void {
  db.run("DELETE FROM cell_edges WHERE cell_id = ? AND kind = 'contains'", [cell])
  db.run(
    `INSERT INTO cell_edges (cell_id, kind, other, weight)
     SELECT ?1, 'contains', arc, share FROM (
       SELECT ${nameOf('i.arc')} AS arc, count(*) * 1.0 / (
         SELECT count(*) FROM items AS o JOIN cell_items AS n ON n.item_id = o.id WHERE o.arc = i.arc
       ) AS share FROM cell_items AS m JOIN items AS i ON i.id = m.item_id
       WHERE m.cell_id = ?1 AND i.arc IS NOT NULL GROUP BY i.arc
     ) WHERE share >= 0.5 ORDER BY share DESC, arc LIMIT ?2`,
    { 1: cell, 2: limit },
  )
}

export function edgesOf(
  db: ReadDb,
  cell: string,
  kind: 'contains' | 'adjacent',
): { other: string; weight: number }[] {
  return db.all(
    'SELECT other, weight FROM cell_edges WHERE cell_id = ? AND kind = ? ORDER BY weight DESC, other',
    [cell, kind],
  )
}

/** When items of each cell last stood in frames: the newest frames only. */
export function framesOfCells(
  db: ReadDb,
  cells: readonly string[],
  frames: number,
): { cell: string; at: number }[] {
  return db.all(
    `SELECT m.cell_id AS cell, r.created_at AS at
     FROM (SELECT id, created_at FROM receipts ORDER BY created_at DESC LIMIT ?) AS r
     JOIN receipt_facts AS f ON f.receipt_id = r.id JOIN items AS i ON i.handle = f.handle
     JOIN cell_items AS m ON m.item_id = i.id
     WHERE m.cell_id IN (SELECT value FROM json_each(?)) GROUP BY m.cell_id, r.id`,
    [frames, JSON.stringify(cells)],
  )
}
