import type { ReadDb, WriteDb } from './db'
import { type PackedText, unpackText } from './item-text'
import { type PackedReceipt, unpackReceipt } from './receipt-text'

export type RepeatKind = 'exact' | 'near' | 'paraphrase' | 'echo'

export interface Repeat {
  itemId: number
  firstId: number
  kind: RepeatKind
  similarity: number
  receiptId: string | null
}

/** What looking for repeats needs of an item. */
export interface NoveltyItem {
  id: number
  handle: string
  kind: string
  session: string
  project: string | null
  ts: number
  text: string
}

type Row = PackedText & Omit<NoveltyItem, 'text'>
const ITEM = 'i.id, i.handle, i.kind, i.session_id AS session, i.project, i.ts, i.text, i.text_z'
const parsed = ({ text, text_z, ...row }: Row): NoveltyItem => ({
  ...row,
  text: unpackText({ text, text_z }),
})

export function noveltyItems(db: ReadDb, ids: readonly number[]): NoveltyItem[] {
  return db
    .all<Row>(`SELECT ${ITEM} FROM json_each(?) AS wanted JOIN items AS i ON i.id = wanted.value`, [
      JSON.stringify(ids),
    ])
    .map(parsed)
}

export function noveltyItem(db: ReadDb, handle: string): NoveltyItem | undefined {
  const row = db.get<Row>(`SELECT ${ITEM} FROM items AS i WHERE i.handle = ?`, [handle])
  return row && parsed(row)
}

/** Puts an item under its bands, in place of those it stood under. */
export function putBands(db: WriteDb, itemId: number, bands: readonly number[]): void {
  db.run('DELETE FROM text_bands WHERE item_id = ?', [itemId])
  for (const band of new Set(bands))
    db.run('INSERT INTO text_bands (band, item_id) VALUES (?, ?)', [band, itemId])
}

/** Other items under the same bands, those under most of them first; of each band the oldest few. */
export function underSameBands(
  db: ReadDb,
  itemId: number,
  bands: readonly number[],
  most: { each: number; all: number },
): number[] {
  const shared = new Map<number, number>()
  for (const band of new Set(bands)) {
    const rows = db.all<{ id: number }>(
      'SELECT item_id AS id FROM text_bands WHERE band = ? AND item_id <> ? ORDER BY item_id LIMIT ?',
      [band, itemId, most.each],
    )
    for (const { id } of rows) shared.set(id, (shared.get(id) ?? 0) + 1)
  }
  return [...shared]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most.all)
    .map(([id]) => id)
}

export function repeatOf(db: ReadDb, itemId: number): Repeat | undefined {
  return db.get(
    `SELECT item_id AS itemId, first_id AS firstId, kind, similarity, receipt_id AS receiptId
     FROM duplicates WHERE item_id = ?`,
    [itemId],
  )
}

/** What is known to repeat of these items. */
export function repeatsOf(db: ReadDb, itemIds: readonly number[]): Map<number, Repeat> {
  const rows = db.all<Repeat>(
    `SELECT d.item_id AS itemId, d.first_id AS firstId, d.kind, d.similarity, d.receipt_id AS receiptId
     FROM json_each(?) AS wanted JOIN duplicates AS d ON d.item_id = wanted.value`,
    [JSON.stringify(itemIds)],
  )
  return new Map(rows.map((row) => [row.itemId, row]))
}

/** Links an item to the first that said it; what was linked to the item is linked to that first, too. */
export function putRepeat(db: WriteDb, row: Repeat): void {
  db.run(
    `INSERT INTO duplicates (item_id, first_id, kind, similarity, receipt_id) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET first_id = excluded.first_id, kind = excluded.kind,
       similarity = excluded.similarity, receipt_id = excluded.receipt_id`,
    [row.itemId, row.firstId, row.kind, row.similarity, row.receiptId],
  )
  db.run('UPDATE duplicates SET first_id = ? WHERE first_id = ?', [row.firstId, row.itemId])
}

/** The item says something else now: it repeats nothing, and nothing repeats it. */
export function forgetRepeats(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM duplicates WHERE item_id = ? OR first_id = ?', [itemId, itemId])
}

export function countRepeats(db: ReadDb): Record<RepeatKind, number> {
  const counts = { exact: 0, near: 0, paraphrase: 0, echo: 0 }
  const rows = db.all<{ kind: RepeatKind; n: number }>(
    'SELECT kind, count(*) AS n FROM duplicates GROUP BY kind',
  )
  for (const { kind, n } of rows) counts[kind] = n
  return counts
}

/** The newest frames made in a stretch of time before an item, with their facts as JSON. */
export function framesBefore(
  db: ReadDb,
  until: number,
  since: number,
  limit: number,
): { id: string; body: string }[] {
  return db
    .all<{ id: string } & PackedReceipt>(
      `SELECT id, body, frame, packed FROM receipts INDEXED BY receipts_created WHERE created_at < ? AND created_at >= ?
       AND kind = 'hydrate' ORDER BY created_at DESC LIMIT ?`,
      [until, since, limit],
    )
    .map((row) => ({ id: row.id, body: unpackReceipt(row).body }))
}

export function countNeighbourQueue(db: ReadDb, limit = -1): number {
  return (
    db.get<{ n: number }>('SELECT count(*) AS n FROM (SELECT 1 FROM neighbour_queue LIMIT ?)', [limit])?.n ??
    0
  )
}

export function nextNeighbours(db: ReadDb, limit: number): number[] {
  return db
    .all<{ id: number }>('SELECT item_id AS id FROM neighbour_queue ORDER BY item_id LIMIT ?', [limit])
    .map((row) => row.id)
}

export function dequeueNeighbour(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM neighbour_queue WHERE item_id = ?', [itemId])
}

/** Looks for the neighbours of every embedded item again. */
export function requeueNeighbours(db: WriteDb): void {
  db.run("INSERT OR IGNORE INTO neighbour_queue SELECT item_id FROM vectors WHERE unit = 'item'")
}
