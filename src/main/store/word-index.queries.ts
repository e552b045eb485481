import type { ReadDb, WriteDb } from './db'

// FTS5's own tables under the full-text index, as its source describes them (fts5_index.c): a structure record, leaf
// pages with the occurrences of each word in the order of the words, and for each segment the words its pages begin with.

/** What changes with every write to the index: its totals and its segments. Undefined when there is no index. */
export function indexRecords(db: ReadDb): { totals: Buffer; structure: Buffer } | undefined {
  const rows = db.all<{ block: Buffer }>('SELECT block FROM items_fts_data WHERE id IN (1, 10) ORDER BY id')
  const [totals, structure] = rows
  return totals && structure ? { totals: totals.block, structure: structure.block } : undefined
}

/**
 * Merges parts of the index by about so many pages: on with what is being merged, else all into one. Whether that changed
 * anything.
 */
export function mergePages(db: WriteDb, pages: number, goOn: boolean): boolean {
  return db.transaction(() => {
    const before = indexRecords(db)?.structure
    db.run(`INSERT INTO items_fts (items_fts, rank) VALUES ('merge', ?)`, [goOn ? pages : -pages])
    return before !== undefined && indexRecords(db)?.structure.equals(before) === false
  })
}

/** 4, or another number when the pages are written in a way we do not know. */
export function indexFormat(db: ReadDb): number | undefined {
  return db.get<{ v: number }>("SELECT v FROM items_fts_config WHERE k = 'version'")?.v
}

export interface FirstPage {
  /** Which of the terms, and which of the segments. */
  term: number
  segment: number
  page: number
  block: Buffer
}

/**
 * For each term and segment the page that holds the term if any does: the last that begins with none behind it. Hundreds of
 * pages come as one row, their bytes one behind the other, as vectors do (`readVectors`).
 */
export function firstPages(
  db: ReadDb,
  terms: readonly string[],
  segments: readonly { id: number; first: number }[],
): FirstPage[] {
  const row = db.get<{ places: string; blocks: Buffer } | { places: null }>(
    `SELECT group_concat(found.term || ' ' || found.segment || ' ' || found.page || ' ' || length(d.block)) AS places,
       CAST(group_concat(d.block, '') AS BLOB) AS blocks
     FROM (
       SELECT w.key AS term, s.key AS segment, s.value ->> 0 AS id, max(s.value ->> 1, coalesce((
         SELECT pgno >> 1 FROM items_fts_idx WHERE segid = s.value ->> 0 AND term <= CAST(w.value AS BLOB)
         ORDER BY term DESC LIMIT 1), 0)) AS page
       FROM json_each(?) AS w, json_each(?) AS s
     ) AS found JOIN items_fts_data AS d ON d.id = (found.id << 37) + found.page`,
    [JSON.stringify(terms), JSON.stringify(segments.map(({ id, first }) => [id, first]))],
  )
  if (!row || row.places === null) return []
  const { places, blocks } = row
  let end = 0
  return places.split(',').map((place) => {
    const [term = 0, segment = 0, page = 0, length = 0] = place.split(' ').map(Number)
    end += length
    return { term, segment, page, block: blocks.subarray(end - length, end) }
  })
}

/** Leaf pages of a segment, in their order. */
export function pagesOf(db: ReadDb, segment: number, from: number, to: number): Buffer[] {
  return db
    .all<{ block: Buffer }>(
      'SELECT block FROM items_fts_data WHERE id BETWEEN (? << 37) + ? AND (? << 37) + ? ORDER BY id',
      [segment, from, segment, to],
    )
    .map((row) => row.block)
}

/** Pages that name rows of a segment that are gone. Integers beyond 2^53: the arithmetic is SQLite's. */
export function tombstonesOf(db: ReadDb, segment: number, count: number): Buffer[] {
  return db
    .all<{ block: Buffer }>(
      `SELECT block FROM items_fts_data
       WHERE id BETWEEN ((? + 65536) << 37) AND ((? + 65536) << 37) + ? ORDER BY id`,
      [segment, segment, count - 1],
    )
    .map((row) => row.block)
}

export interface RowSize {
  id: number
  /** How many words it has in each column, as varints in hexadecimal. */
  sizes: string
}

export function sizesOf(db: ReadDb, ids: readonly number[]): RowSize[] {
  return db.all(
    `SELECT d.id, hex(d.sz) AS sizes FROM json_each(?) AS wanted JOIN items_fts_docsize AS d ON d.id = wanted.value`,
    [JSON.stringify(ids)],
  )
}

/** The next rows in order of their numbers. */
export function sizesAfter(db: ReadDb, id: number, limit: number): RowSize[] {
  return db.all('SELECT id, hex(sz) AS sizes FROM items_fts_docsize WHERE id > ? ORDER BY id LIMIT ?', [
    id,
    limit,
  ])
}

/** A table that makes of a word what the index over items makes of it (migration 2), and what it made. */
export const TOKEN_TABLES = `
CREATE VIRTUAL TABLE words USING fts5 (
  word, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE tokens USING fts5vocab (words, instance);`

/** What the index looks up for each of some texts, in the order of its words. */
export function tokensOf(db: WriteDb, texts: readonly string[]): string[][] {
  const found = texts.map((): string[] => [])
  db.transaction(() => {
    texts.forEach((text, n) => void db.run('INSERT INTO words (rowid, word) VALUES (?, ?)', [n + 1, text]))
    const rows = db.all<{ doc: number; term: string }>('SELECT doc, term FROM tokens ORDER BY doc, offset')
    for (const { doc, term } of rows) found[doc - 1]?.push(term)
    db.run("INSERT INTO words (words) VALUES ('delete-all')")
  })
  return found
}
