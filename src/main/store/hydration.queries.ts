import type { ItemKind, Rung } from '../../shared/domain'
import { keptCodesOf } from './codes/kept-codes'
import type { ReadDb } from './db'
import { numberOf } from './item-names'
import { pathOf } from './item-place'
import { type PackedText, unpackText } from './item-text'
import { Momentary } from './momentary'
import { conditions, fulfilling, isOpen, type RecallFilter } from './recall-filter'
import { quoted } from './word-counts.queries'
import { type Admit, bestRows } from './words/best'
import { wordIndex } from './words/word-index'

export { fulfilling, type RecallFilter } from './recall-filter'
export { type CountWord, countWords, lookUpWords, readWords, wordCounter } from './word-counts.queries'

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
  /** 1 when its verbatim text was let go. */
  letGo: number
  file: string
  recordId: string | null
  line: number
  byteOffset: number
  byteLength: number
}

const COLUMNS = `i.id, i.handle, i.kind, i.session_id AS session, i.position, i.ts, i.role, i.tool, i.project,
  i.goal_handle AS goal, i.arc_id AS arc, i.chars, i.data ->> '$.name' AS name,
  coalesce(i.data ->> '$.path', i.data ->> '$.command') AS subject, i.importance, i.labels,
  EXISTS (SELECT 1 FROM let_go AS g WHERE g.item_id = i.id AND g.level = 'L0') AS letGo, ${pathOf('i')} AS file,
  i.record_id AS recordId, i.line, i.byte_offset AS byteOffset, i.byte_length AS byteLength`

/** How much there is to recall from, and how much of it still waits for its vector. Counted by triggers. */
export function recallState(db: ReadDb): { items: number; vectors: number; pending: number; newest: number } {
  const row = db.get<{ items: number; vectors: number; pending: number; newest: number | null }>(
    `SELECT (SELECT n + (SELECT count(*) FROM item_rows NOT INDEXED WHERE id > upto) FROM tallies WHERE name = 'items') AS items,
            (SELECT n FROM tallies WHERE name = 'vectors') AS vectors,
            (SELECT count(*) FROM embed_queue) AS pending, (SELECT max(ts) FROM items) AS newest`,
  )
  return {
    items: row?.items ?? 0,
    vectors: row?.vectors ?? 0,
    pending: row?.pending ?? 0,
    newest: row?.newest ?? 0,
  }
}

/** The best items for any of the words by BM25 (text 1, dates ½), best first, ties by age. Scores are positive. */
export function lexical(
  db: ReadDb,
  words: readonly string[],
  limit: number,
  filter: RecallFilter = {},
): { id: number; score: number }[] {
  if (words.length === 0) return []
  const index = wordIndex(db)
  const lengths = (index && keptCodesOf(db)?.lengths(index)) ?? null
  const found = index && bestRows(index, words, limit, admitting(db, filter), lengths)
  return found ?? lexicalByFts(db, words, limit, filter)
}

/** Lets through what fulfils a filter: by what is kept in memory, else by asking for each. */
function admitting(db: ReadDb, filter: RecallFilter): Admit | null {
  if (isOpen(filter)) return null
  const fit = keptCodesOf(db)?.fit(filter)
  if (fit) return (rows) => rows.filter((row) => fit[row] === 1)
  return (rows) => [...fulfilling(db, rows, filter)]
}

/** The same by FTS5 itself, which is slower and reads whatever it has written. Without a filter items are not touched. */
export function lexicalByFts(
  db: ReadDb,
  words: readonly string[],
  limit: number,
  filter: RecallFilter = {},
): { id: number; score: number }[] {
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

/** The newest items that hold all of some words and one of others. */
export function newestHolding(
  db: ReadDb,
  words: { all: readonly string[]; any: readonly string[] },
  limit: number,
  filter: RecallFilter,
): RecallItem[] {
  const { sql, params } = conditions(filter)
  const match = [...words.all.map(quoted), `(${words.any.map(quoted).join(' OR ')})`].join(' AND ')
  return db.all(
    `SELECT ${COLUMNS} FROM items_fts JOIN items AS i ON i.id = items_fts.rowid
     WHERE items_fts MATCH ?${sql} ORDER BY i.ts DESC, i.id DESC LIMIT ?`,
    [match, ...params, limit],
  )
}

/** Which of the items say any of the words. */
export function saying(db: ReadDb, words: readonly string[], ids: readonly number[]): Set<number> {
  if (words.length === 0) return new Set()
  const index = wordIndex(db)
  index?.lookUp(words)
  const found = index ? words.map((word) => index.postings(word)) : []
  if (found.length > 0 && found.every((one) => one !== null)) {
    const wanted = new Set(ids)
    const say = new Set<number>()
    for (const { rows } of found) for (const row of rows) if (wanted.has(row)) say.add(row)
    return say
  }
  const rows = db.all<{ id: number }>(
    `SELECT rowid AS id FROM items_fts WHERE items_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    [words.map(quoted).join(' OR '), JSON.stringify(ids)],
  )
  return new Set(rows.map((row) => row.id))
}

const someItems = new Momentary<RecallItem>()

/** Items in the order of their numbers, each once. */
export function itemsById(db: ReadDb, ids: readonly number[]): RecallItem[] {
  const found = someItems.of(db, ids, (fresh) =>
    db
      .all<RecallItem>(
        `SELECT ${COLUMNS} FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value`,
        [JSON.stringify(fresh)],
      )
      .map((item) => [item.id, item] as const),
  )
  return [...found.values()].sort((a, b) => a.id - b.id)
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
  asks: boolean
}

/** Below so many characters a text that asks something asks little else. */
const SHORT = 160

/** The neighbours of items in their sessions, in one statement. */
export function besideOf(db: ReadDb, ids: readonly number[], filter: RecallFilter): Beside[] {
  const { sql, params } = conditions(filter)
  const side = (compare: string, order: string): string =>
    `(SELECT i.id FROM items AS i WHERE i.session = o.session AND i.position ${compare} o.position${sql}
      ORDER BY i.position ${order} LIMIT 1)`
  const rows = db.all<Omit<Beside, 'asks'> & PackedText>(
    `SELECT o.id, ${side('<', 'DESC')} AS before, ${side('>', 'ASC')} AS after, o.text,
            CASE WHEN o.chars < ${SHORT} THEN o.text_z END AS text_z
     FROM json_each(?) AS wanted JOIN items AS o ON o.id = wanted.value ORDER BY wanted.key`,
    [...params, ...params, JSON.stringify(ids)],
  )
  return rows.map(({ text, text_z, ...row }) => ({
    ...row,
    asks: unpackText({ text, text_z }).includes('?'),
  }))
}

/** How far behind a goal its results are looked for, in items. */
const REACH = 200

/** What came of a goal: the first items of its session after it that were produced for it. */
export function producedFor(db: ReadDb, goal: RecallItem, limit: number, filter: RecallFilter): number[] {
  const { sql, params } = conditions(filter)
  const rows = db.all<{ id: number }>(
    `SELECT i.id FROM (
       SELECT id, goal, position, kind, project, ts, file_id FROM items WHERE session = ${numberOf()} AND position > ?
       ORDER BY position LIMIT ${REACH}
     ) AS i WHERE i.goal = ${numberOf()}${sql} ORDER BY i.position LIMIT ?`,
    [goal.session, goal.position, goal.handle, ...params, limit],
  )
  return rows.map((row) => row.id)
}

const someTexts = new Momentary<string>()

/** The verbatim text of items, by id. */
export function textsById(db: ReadDb, ids: readonly number[]): Map<number, string> {
  return someTexts.of(db, ids, (fresh) =>
    db
      .all<{ id: number; text: string | null; text_z: Buffer | null }>(
        'SELECT i.id, i.text, i.text_z FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value',
        [JSON.stringify(fresh)],
      )
      .map((row) => [row.id, unpackText(row)] as const),
  )
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

export interface NamedBy {
  item: number
  entity: number
  weight: number
}

/** What items name, tools and versions apart: nearly everything names those. */
export function namedBy(db: ReadDb, ids: readonly number[]): NamedBy[] {
  return db.all(
    `SELECT n.item_id AS item, n.entity_id AS entity, n.weight FROM json_each(?) AS wanted
     JOIN item_entities AS n ON n.item_id = wanted.value JOIN entities AS e ON e.id = n.entity_id
     WHERE e.kind NOT IN ('tool', 'version') ORDER BY wanted.key, n.entity_id`,
    [JSON.stringify(ids)],
  )
}

/** By how many items an entity is named, counted up to `cap`. */
export function namedHowOften(db: ReadDb, entities: readonly number[], cap: number): Map<number, number> {
  const rows = db.all<{ entity: number; n: number }>(
    `SELECT wanted.value AS entity,
       (SELECT count(*) FROM (SELECT 1 FROM item_entities WHERE entity_id = wanted.value LIMIT ?)) AS n
     FROM json_each(?) AS wanted`,
    [cap, JSON.stringify(entities)],
  )
  return new Map(rows.map(({ entity, n }) => [entity, n]))
}

/** The items that name these entities; for each entity in their order, the entities in the order given. */
export function namersOf(db: ReadDb, entities: readonly number[], filter: RecallFilter): NamedBy[] {
  const { sql, params } = conditions(filter)
  const items = params.length > 0 ? 'CROSS JOIN items AS i ON i.id = n.item_id' : ''
  // CROSS JOIN holds SQLite to the order the tables are written in, in which the index leads to sorted rows.
  return db.all(
    `SELECT n.item_id AS item, n.entity_id AS entity, n.weight FROM json_each(?) AS wanted
     CROSS JOIN item_entities AS n INDEXED BY item_entities_entity ON n.entity_id = wanted.value ${items}
     WHERE 1${sql}`,
    [JSON.stringify(entities), ...params],
  )
}

/**
 * For each arc its goal and what closed it: its last conclusion and its decisions, at most `limit` of an arc.
 * Written so that the arc leads to its items: by their kind it would be a third of the journal for every arc.
 */
export function turningPoints(
  db: ReadDb,
  arcs: readonly string[],
  filter: RecallFilter,
  limit: number,
): { arc: string; id: number }[] {
  const { sql, params } = conditions(filter)
  return db.all(
    `SELECT arc, id FROM (
       SELECT wanted.value AS arc, i.id, row_number() OVER (PARTITION BY i.arc ORDER BY i.position DESC) AS back
       FROM json_each(?) AS wanted
       CROSS JOIN item_rows AS i INDEXED BY items_arc ON i.arc = ${numberOf('wanted.value')}
       WHERE i.kind IN ('goal', 'conclusion', 'decision')${sql}
     ) WHERE back <= ? ORDER BY arc, id`,
    [JSON.stringify(arcs), ...params, limit],
  )
}

/** The items about a file, by the end of its path: what acted on it, newest first. */
export function itemsAboutPath(db: ReadDb, tail: string, limit: number, filter: RecallFilter): number[] {
  const { sql, params } = conditions(filter)
  const rows = db.all<{ id: number }>(
    `SELECT i.id FROM entities AS e JOIN item_entities AS n ON n.entity_id = e.id JOIN items AS i ON i.id = n.item_id
     WHERE e.kind = 'path' AND (e.name = ? OR substr(e.name, -length(?)) = ?)${sql}
     ORDER BY n.weight DESC, i.ts DESC, i.id DESC LIMIT ?`,
    [tail, `/${tail}`, `/${tail}`, ...params, limit],
  )
  return rows.map((row) => row.id)
}

/** What was said later in the same sessions, the next few of each, nearest first. */
export function saidAfter(
  db: ReadDb,
  ids: readonly number[],
  each: number,
  filter: RecallFilter,
): { of: number; id: number }[] {
  const { sql, params } = conditions(filter)
  return db.all(
    `SELECT o.id AS of, n.id FROM json_each(?) AS wanted JOIN items AS o ON o.id = wanted.value
     JOIN items AS n ON n.id IN (
       SELECT i.id FROM items AS i WHERE i.session = o.session AND i.position > o.position
         AND i.kind IN ('goal', 'decision', 'conclusion', 'plan')${sql} ORDER BY i.position LIMIT ?)
     ORDER BY wanted.key, n.position`,
    [JSON.stringify(ids), ...params, each],
  )
}
