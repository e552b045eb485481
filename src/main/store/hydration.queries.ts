import type { ItemKind, Rung } from '../../shared/domain'
import type { ReadDb, SqlValue } from './db'
import { unpackText } from './item-text'

/** What a recall may draw from. Times are milliseconds UTC: `since` ≤ ts ≤ `asOf`. */
export interface RecallFilter {
  project?: string
  kinds?: readonly ItemKind[]
  since?: number
  asOf?: number
}

/** An item without its text. `name` is the speaker's, where the transcript has several. */
export interface RecallItem {
  id: number
  handle: string
  kind: ItemKind
  session: string
  position: number
  ts: number
  role: string | null
  tool: string | null
  project: string | null
  goal: string | null
  arc: string | null
  chars: number
  name: string | null
  /** The file or command it is about, when it is about one. */
  subject: string | null
  importance: number
  labels: string
  file: string
  recordId: string | null
  line: number
  byteOffset: number
  byteLength: number
}

const COLUMNS = `i.id, i.handle, i.kind, i.session_id AS session, i.position, i.ts, i.role, i.tool, i.project,
  i.goal_handle AS goal, i.arc_id AS arc, i.chars, i.data ->> '$.name' AS name,
  coalesce(i.data ->> '$.path', i.data ->> '$.command') AS subject, i.importance, i.labels, i.file_path AS file,
  i.record_id AS recordId, i.line, i.byte_offset AS byteOffset, i.byte_length AS byteLength`

function conditions(filter: RecallFilter): { sql: string; params: SqlValue[] } {
  const parts: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, value: SqlValue): void => {
    parts.push(condition)
    params.push(value)
  }
  if (filter.project !== undefined) add('i.project = ?', filter.project)
  if (filter.kinds) add('i.kind IN (SELECT value FROM json_each(?))', JSON.stringify(filter.kinds))
  if (filter.since !== undefined) add('i.ts >= ?', filter.since)
  if (filter.asOf !== undefined) add('i.ts <= ?', filter.asOf)
  return { sql: parts.map((part) => ` AND ${part}`).join(''), params }
}

/** How much there is to recall from, and how much of it still waits for its vector. */
export function recallState(db: ReadDb): { items: number; vectors: number; pending: number; newest: number } {
  const row = db.get<{ items: number; vectors: number; pending: number; newest: number | null }>(
    `SELECT (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM vectors) AS vectors,
            (SELECT count(*) FROM embed_queue) AS pending, (SELECT max(ts) FROM items) AS newest`,
  )
  return {
    items: row?.items ?? 0,
    vectors: row?.vectors ?? 0,
    pending: row?.pending ?? 0,
    newest: row?.newest ?? 0,
  }
}

/** In how many items a word occurs, counted up to `cap`: above it the number does not matter, only its cost. */
export function wordFrequency(db: ReadDb, word: string, cap: number): number {
  const row = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM items_fts WHERE items_fts MATCH ? LIMIT ?)',
    [quoted(word), cap],
  )
  return row?.n ?? 0
}

/** Inside double quotes nothing is FTS syntax. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

/**
 * The best items for any of the words by BM25 (text 1, dates ½), best first, ties by age. Scores are positive.
 * Without a filter the items table is not touched.
 */
export function lexical(
  db: ReadDb,
  words: readonly string[],
  limit: number,
  filter: RecallFilter = {},
): { id: number; score: number }[] {
  if (words.length === 0) return []
  const match = words.map(quoted).join(' OR ')
  const { sql, params } = conditions(filter)
  if (params.length === 0) {
    return db.all(
      `SELECT rowid AS id, -bm25(items_fts, 1.0, 0.5) AS score FROM items_fts WHERE items_fts MATCH ?
       ORDER BY score DESC, id LIMIT ?`,
      [match, limit],
    )
  }
  return db.all(
    `SELECT i.id, -bm25(items_fts, 1.0, 0.5) AS score FROM items_fts JOIN items AS i ON i.id = items_fts.rowid
     WHERE items_fts MATCH ?${sql} ORDER BY score DESC, i.id LIMIT ?`,
    [match, ...params, limit],
  )
}

export function itemsById(db: ReadDb, ids: readonly number[]): RecallItem[] {
  return db.all(
    `SELECT ${COLUMNS} FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value ORDER BY i.id`,
    [JSON.stringify(ids)],
  )
}

export function itemsByHandle(db: ReadDb, handles: readonly string[]): RecallItem[] {
  return db.all(
    `SELECT ${COLUMNS} FROM json_each(?) AS wanted JOIN items AS i ON i.handle = wanted.value ORDER BY i.id`,
    [JSON.stringify(handles)],
  )
}

/** The newest items, for when there is nothing better to go by. */
export function newestItems(db: ReadDb, limit: number, filter: RecallFilter): RecallItem[] {
  const { sql, params } = conditions(filter)
  return db.all(`SELECT ${COLUMNS} FROM items AS i WHERE 1${sql} ORDER BY i.ts DESC, i.id DESC LIMIT ?`, [
    ...params,
    limit,
  ])
}

export interface Beside {
  id: number
  /** Ids of the items before and after it in its session. */
  before: number | null
  after: number | null
  /** Whether it is a short text with a question mark. */
  asks: number
}

/** The neighbours of items in their sessions, in one statement. */
export function besideOf(db: ReadDb, ids: readonly number[], filter: RecallFilter): Beside[] {
  const { sql, params } = conditions(filter)
  const side = (compare: string, order: string): string =>
    `(SELECT i.id FROM items AS i WHERE i.session_id = o.session_id AND i.position ${compare} o.position${sql}
      ORDER BY i.position ${order} LIMIT 1)`
  return db.all(
    `SELECT o.id, ${side('<', 'DESC')} AS before, ${side('>', 'ASC')} AS after,
            o.text IS NOT NULL AND instr(o.text, '?') > 0 AS asks
     FROM json_each(?) AS wanted JOIN items AS o ON o.id = wanted.value ORDER BY wanted.key`,
    [...params, ...params, JSON.stringify(ids)],
  )
}

/** How far behind a goal its results are looked for, in items. */
const REACH = 200

/** What came of a goal: the first items of its session after it that were produced for it. */
export function producedFor(db: ReadDb, goal: RecallItem, limit: number, filter: RecallFilter): RecallItem[] {
  const { sql, params } = conditions(filter)
  return db.all(
    `SELECT ${COLUMNS} FROM (
       SELECT * FROM items WHERE session_id = ? AND position > ? ORDER BY position LIMIT ${REACH}
     ) AS i WHERE i.goal_handle = ?${sql} ORDER BY i.position LIMIT ?`,
    [goal.session, goal.position, goal.handle, ...params, limit],
  )
}

/** The verbatim text of items, by id. */
export function textsById(db: ReadDb, ids: readonly number[]): Map<number, string> {
  const rows = db.all<{ id: number; text: string | null; text_z: Buffer | null }>(
    'SELECT i.id, i.text, i.text_z FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value',
    [JSON.stringify(ids)],
  )
  return new Map(rows.map((row) => [row.id, unpackText(row)]))
}

export interface StoredRung {
  subject: string
  level: Exclude<Rung, 'L0'>
  text: string
}

export function rungsOf(db: ReadDb, handles: readonly string[]): StoredRung[] {
  return db.all(
    `SELECT r.subject, r.level, r.text FROM json_each(?) AS wanted JOIN rungs AS r ON r.subject = wanted.value
     ORDER BY r.subject, r.level`,
    [JSON.stringify(handles)],
  )
}

export function sessionTitles(db: ReadDb, sessions: readonly string[]): Map<string, string> {
  const rows = db.all<{ id: string; title: string }>(
    `SELECT s.id, s.title FROM json_each(?) AS wanted JOIN sessions AS s ON s.id = wanted.value
     WHERE s.title IS NOT NULL`,
    [JSON.stringify(sessions)],
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}
