import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'
import { deleteItem } from './journal.queries'
import { type PackedReceipt, packReceipt, type ReceiptText, unpackReceipt } from './receipt-text'
import { writeAnew } from './write-anew'

// What erasing takes out of the database: items, and everything that was made from them or quotes them.

export type ErasureStage = 'asked' | 'marked' | 'removed' | 'done'

export interface ErasureRow {
  id: string
  kind: 'source'
  subject: string
  stage: ErasureStage
  /** JSON: how many rows of each sort went. */
  counts: string
  asked_at: number
  done_at: number | null
}

export const openErasures = (db: ReadDb): ErasureRow[] =>
  db.all<ErasureRow>(`SELECT * FROM erasures WHERE stage <> 'done' ORDER BY asked_at, id`)

export function erasureOf(db: ReadDb, subject: string): ErasureRow | undefined {
  return db.get<ErasureRow>(`SELECT * FROM erasures WHERE subject = ? AND stage <> 'done'`, [subject])
}

export function addErasure(db: WriteDb, row: Pick<ErasureRow, 'id' | 'subject' | 'asked_at'>): void {
  db.run(`INSERT INTO erasures (id, kind, subject, stage, asked_at) VALUES (?, 'source', ?, 'asked', ?)`, [
    row.id,
    row.subject,
    row.asked_at,
  ])
}

export function saveErasure(db: WriteDb, row: Pick<ErasureRow, 'id' | 'stage' | 'counts' | 'done_at'>): void {
  db.run('UPDATE erasures SET stage = ?, counts = ?, done_at = ? WHERE id = ?', [
    row.stage,
    row.counts,
    row.done_at,
    row.id,
  ])
}

// --- which items go ------------------------------------------------------------------------------------------

/** Files that lie within another source that stays are that source's from now on. */
export function handOverFile(db: WriteDb, fileId: number, sourceId: string): void {
  db.run('UPDATE files SET source_id = ? WHERE id = ?', [sourceId, fileId])
}

/** Whether another source's file can be read again to see what it holds; otherwise its word on a session counts. */
const READABLE = `s.state = 'active' AND s.kind <> 'stream' AND f.status = 'ok'`

/** The sessions that hold the item `i`. */
const HOLDERS = 'SELECT i.session_id UNION ALL SELECT session_id FROM item_sessions WHERE item_id = i.id'

/** Readable files of other sources whose sessions hold items of this one. */
export function filesToAsk(
  db: ReadDb,
  sourceId: string,
): { id: number; path: string; source_id: string; format: string | null }[] {
  return db.all(
    `SELECT DISTINCT f.id, f.path, f.source_id, f.format FROM items i JOIN file_sessions fs ON fs.session_id IN (${HOLDERS})
     JOIN files f ON f.id = fs.file_id
     JOIN sources s ON s.id = f.source_id
     WHERE i.file_id IN (SELECT id FROM files WHERE source_id = :id) AND f.source_id <> :id AND ${READABLE}
     ORDER BY f.path`,
    { id: sourceId },
  )
}

/**
 * Lists the items that go: a source's, except those whose session another source tells by a file that cannot be read
 * now (it is paused, a pipe, or its file is away).
 */
export function listErasing(db: WriteDb, erasureId: string, sourceId: string): number {
  return db.run(
    `INSERT OR IGNORE INTO erasing_items (handle, erasure_id)
     SELECT i.handle, :erasure FROM items i WHERE i.file_id IN (SELECT id FROM files WHERE source_id = :source)
       AND NOT EXISTS (SELECT 1 FROM file_sessions fs JOIN files f ON f.id = fs.file_id
         JOIN sources s ON s.id = f.source_id
         WHERE fs.session_id IN (${HOLDERS}) AND f.source_id <> :source AND NOT (${READABLE}))`,
    { erasure: erasureId, source: sourceId },
  ).changes
}

/** Sessions that only this source tells no longer hold items of others; what others tell of the rest is all there is. */
export function forgetTold(db: WriteDb, sourceId: string): void {
  const told = `SELECT session_id FROM file_sessions WHERE file_id IN (SELECT id FROM files WHERE source_id = :id)`
  const others = `SELECT fs.* FROM file_sessions fs JOIN files f ON f.id = fs.file_id WHERE f.source_id <> :id`
  db.run(
    `DELETE FROM item_sessions WHERE session_id IN (${told})
       AND session_id NOT IN (SELECT session_id FROM (${others}))`,
    { id: sourceId },
  )
  const first = (column: string, order: string): string =>
    `(SELECT o.${column} FROM (${others}) o WHERE o.session_id = sessions.id AND o.${column} IS NOT NULL
      ORDER BY o.first_ts ${order} LIMIT 1)`
  db.run(
    `UPDATE sessions SET title = ${first('title', 'DESC')}, cwd = ${first('cwd', 'ASC')},
       git_branch = ${first('git_branch', 'ASC')} WHERE id IN (${told})`,
    { id: sourceId },
  )
}

export interface ErasingItem {
  id: number
  handle: string
  session_id: string
  text: string | null
  text_z: Uint8Array | null
}

export function nextErasing(db: ReadDb, erasureId: string, limit: number): ErasingItem[] {
  return db.all<ErasingItem>(
    `SELECT i.id, i.handle, i.session_id, i.text, i.text_z FROM erasing_items e JOIN items i ON i.handle = e.handle
     WHERE e.erasure_id = ? LIMIT ?`,
    [erasureId, limit],
  )
}

export function erasingText(db: ReadDb, handle: string): ErasingItem | undefined {
  return db.get<ErasingItem>(
    `SELECT i.id, i.handle, i.session_id, i.text, i.text_z FROM erasing_items e JOIN items i ON i.handle = e.handle
     WHERE e.handle = ?`,
    [handle],
  )
}

/** Whether nothing in the journal goes by this handle, or what does is about to go. */
export function isErased(db: ReadDb, handle: string): boolean {
  const row = db.get<{ n: number }>(
    `SELECT (NOT EXISTS (SELECT 1 FROM items WHERE handle = :h) AND NOT EXISTS (SELECT 1 FROM item_aliases WHERE handle = :h))
       OR EXISTS (SELECT 1 FROM erasing_items WHERE handle = :h) AS n`,
    { h: handle },
  )
  return row?.n === 1
}

// --- items and what is made from them -----------------------------------------------------------------------

/** Takes an item out with all that hangs on it by keys and triggers, and what only its handle leads to. */
export function eraseItem(db: WriteDb, item: Pick<ErasingItem, 'id' | 'handle'>): void {
  db.run(`UPDATE item_rows SET goal = NULL WHERE goal = ${numberOf()} AND id <> ?`, [item.handle, item.id])
  db.run(
    "UPDATE cells SET name = '', changed = 1 WHERE named = 0 AND id = (SELECT cell_id FROM cell_items WHERE item_id = ?)",
    [item.id],
  )
  db.run('DELETE FROM goal_links WHERE handle = :h OR same_as = :h', { h: item.handle })
  db.run('DELETE FROM session_calls WHERE call_handle = ?', [item.handle])
  db.run('DELETE FROM rewinds WHERE from_handle = :h OR to_handle = :h', { h: item.handle })
  db.run('DELETE FROM faculty_signals WHERE handle = ?', [item.handle])
  deleteItem(db, item.id)
  db.run('DELETE FROM erasing_items WHERE handle = ?', [item.handle])
}

/** Tombstones whose item is gone already, by whatever way. */
export function dropGoneTombstones(db: WriteDb, erasureId: string): void {
  db.run('DELETE FROM erasing_items WHERE erasure_id = ? AND handle NOT IN (SELECT handle FROM item_rows)', [
    erasureId,
  ])
}

/** Names that no item names any more. */
export function dropUnusedNames(db: WriteDb): void {
  db.run(
    `DELETE FROM names WHERE NOT EXISTS (SELECT 1 FROM item_rows WHERE session = names.n)
       AND NOT EXISTS (SELECT 1 FROM item_rows WHERE goal = names.n)
       AND NOT EXISTS (SELECT 1 FROM item_rows WHERE arc = names.n)`,
  )
}

const NAMES_ERASED = (column: string): string =>
  `EXISTS (SELECT 1 FROM json_each(${column}) h WHERE h.value LIKE 'itm\\_%' ESCAPE '\\'
     AND NOT EXISTS (SELECT 1 FROM items WHERE handle = h.value)
     AND NOT EXISTS (SELECT 1 FROM item_aliases WHERE handle = h.value))`

/** What was made from several items, one of which is gone: it goes too, and is made again from the rest. */
export function eraseDerived(db: WriteDb): { rungs: number; vectors: number; cells: number; chunks: number } {
  const stale = db.all<{ subject: string }>(
    `SELECT DISTINCT subject FROM rungs WHERE subject NOT LIKE 'itm\\_%' ESCAPE '\\' AND ${NAMES_ERASED('provenance')}`,
  )
  for (const { subject } of stale) {
    db.run('DELETE FROM rungs WHERE subject = ?', [subject])
    if (subject.startsWith('arc_')) {
      db.run('INSERT OR IGNORE INTO curate_queue SELECT id FROM arcs WHERE id = ?', [subject])
    } else if (subject.startsWith('cel_')) {
      db.run('UPDATE cells SET changed = 1 WHERE id = ?', [subject])
    } else db.run('INSERT OR IGNORE INTO rollup_queue VALUES (?)', [subject])
  }
  db.run(
    `INSERT OR IGNORE INTO embed_queue (item_id) SELECT item_id FROM vectors WHERE ${NAMES_ERASED('provenance')}`,
  )
  const vectors = db.run(`DELETE FROM vectors WHERE ${NAMES_ERASED('provenance')}`).changes
  const cells = db.run('DELETE FROM cells WHERE id NOT IN (SELECT cell_id FROM cell_items)').changes
  db.run(`DELETE FROM agent_facts WHERE ${NAMES_ERASED('provenance')}`)
  const chunks = db.run(`DELETE FROM chunks WHERE ${NAMES_ERASED('provenance')}`).changes
  // A phrase learned from corrections stands in quotation marks; it goes with the last chunk that taught it.
  db.run(
    `DELETE FROM attention WHERE phrase LIKE '“%' AND NOT EXISTS (SELECT 1 FROM chunks c
       WHERE instr(c.percepts, attention.phrase) OR instr(c.features, attention.phrase))`,
  )
  return { rungs: stale.length, vectors, cells, chunks }
}

/** Summaries and cells of sessions and projects of which nothing is left would wait for ever, under their names. */
export function unqueueErased(db: WriteDb): void {
  db.run(
    `DELETE FROM rollup_queue WHERE (subject GLOB 'ses_*' AND substr(subject, 5) NOT IN (SELECT id FROM sessions))
       OR (subject GLOB 'prj_?*' AND substr(subject, 5) NOT IN (SELECT project FROM items WHERE project IS NOT NULL))
       OR (subject GLOB 'day_????-??-??/?*' AND substr(subject, 16) <> '*'
         AND substr(subject, 16) NOT IN (SELECT project FROM items WHERE project IS NOT NULL))`,
  )
  db.run(
    `DELETE FROM cell_balance WHERE project <> '' AND project NOT IN (SELECT project FROM items WHERE project IS NOT NULL)`,
  )
}

// --- the review: gates that a transcript told, and what was said at them ------------------------------------

/** Gates that are themselves part of what goes, with their versions, predictions, decisions, chunks and traces. */
export function eraseGates(db: WriteDb, erasureId: string): number {
  const going = `SELECT handle FROM erasing_items WHERE erasure_id = :id`
  return db.run(
    `DELETE FROM gates WHERE origin = 'transcript' AND (plan_handle IN (${going}) OR decision_handle IN (${going}))`,
    { id: erasureId },
  ).changes
}

/** A person's own gates keep the decision; the goal they took from a session that goes does not stay. */
export function blankGoals(db: WriteDb, erasureId: string): void {
  db.run(
    `UPDATE gates SET goal = '' WHERE origin <> 'transcript' AND goal <> '' AND session_id IN (
       SELECT i.session_id FROM erasing_items e JOIN items i ON i.handle = e.handle WHERE e.erasure_id = ?)`,
    [erasureId],
  )
}

// --- receipts and traces ------------------------------------------------------------------------------------

export interface WrittenRow {
  rowid: number
  id: string
  goal: string
  body: string
  frame: string
}

/** Receipts by pages, from the last one seen. */
export const receiptsFrom = (db: ReadDb, after: number, limit: number): WrittenRow[] =>
  db
    .all<StoredReceipt>(
      'SELECT rowid, id, goal, body, frame, packed FROM receipts WHERE rowid > ? ORDER BY rowid LIMIT ?',
      [after, limit],
    )
    .map(written)

type StoredReceipt = Omit<WrittenRow, keyof ReceiptText> & PackedReceipt
const written = ({ rowid, id, goal, ...text }: StoredReceipt): WrittenRow => ({
  rowid,
  id,
  goal,
  ...unpackReceipt(text),
})

export const tracesFrom = (db: ReadDb, after: number, limit: number): WrittenRow[] =>
  db.all<WrittenRow>(
    `SELECT rowid, id, goal, body, '' AS frame FROM traces WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    [after, limit],
  )

/** Everything that was ever asked for, in so many words. */
export const askedGoals = (db: ReadDb): string[] =>
  db
    .all<{ goal: string }>(
      `SELECT goal FROM receipts UNION SELECT goal FROM traces UNION SELECT goal FROM feedback
       UNION SELECT goal FROM gates WHERE origin <> 'transcript'`,
    )
    .map(({ goal }) => goal)

export const receiptsFor = (db: ReadDb, goal: string): WrittenRow[] =>
  db
    .all<StoredReceipt>('SELECT rowid, id, goal, body, frame, packed FROM receipts WHERE goal = ?', [goal])
    .map(written)

export const tracesFor = (db: ReadDb, goal: string): WrittenRow[] =>
  db.all<WrittenRow>(`SELECT rowid, id, goal, body, '' AS frame FROM traces WHERE goal = ?`, [goal])

export function blankGoal(db: WriteDb, goal: string, mark: string): void {
  db.run('UPDATE feedback SET goal = ? WHERE goal = ?', [mark, goal])
  db.run(`UPDATE gates SET goal = '' WHERE goal = ? AND origin <> 'transcript'`, [goal])
}

export function rewriteReceipt(db: WriteDb, row: WrittenRow, erased: readonly string[]): void {
  const { body, frame, packed } = packReceipt(row)
  db.run('UPDATE receipts SET goal = ?, body = ?, frame = ?, packed = ?, provenance = ? WHERE rowid = ?', [
    row.goal,
    body,
    frame,
    packed,
    without(
      db.get<{ p: string }>('SELECT provenance AS p FROM receipts WHERE rowid = ?', [row.rowid])?.p,
      erased,
    ),
    row.rowid,
  ])
  for (const handle of erased)
    db.run('DELETE FROM receipt_facts WHERE receipt_id = ? AND handle = ?', [row.id, handle])
  db.run(
    'UPDATE receipts SET fact_count = (SELECT count(*) FROM receipt_facts WHERE receipt_id = id) WHERE rowid = ?',
    [row.rowid],
  )
  db.run('UPDATE feedback SET goal = ? WHERE receipt_id = ?', [row.goal, row.id])
}

export function rewriteTrace(db: WriteDb, row: WrittenRow, erased: readonly string[]): void {
  db.run('UPDATE traces SET goal = ?, body = ?, provenance = ? WHERE rowid = ?', [
    row.goal,
    row.body,
    without(
      db.get<{ p: string }>('SELECT provenance AS p FROM traces WHERE rowid = ?', [row.rowid])?.p,
      erased,
    ),
    row.rowid,
  ])
}

const without = (handles: string | undefined, erased: readonly string[]): string =>
  JSON.stringify((JSON.parse(handles ?? '[]') as string[]).filter((handle) => !erased.includes(handle)))

// --- pages ----------------------------------------------------------------------------------------------------

/** From here on whatever this connection deletes is overwritten with zeros. */
export function overwriteDeleted(db: WriteDb): void {
  db.all('PRAGMA secure_delete = ON')
}

/**
 * Writes the database anew, without what is left of deleted rows: in the full-text index, in free pages, in the write-
 * ahead log. false when another connection keeps an old state open; then call it again later.
 * @throws AppError `busy`, `unavailable` when the disk is full
 */
export function sweepPages(db: WriteDb): boolean {
  db.run(`INSERT INTO items_fts (items_fts) VALUES ('optimize')`)
  writeAnew(db)
  const log = db.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
  return log?.busy === 0
}
