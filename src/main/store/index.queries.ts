import type { ItemKind } from '../../shared/domain'
import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'
import { type PackedText, unpackText } from './item-text'
import { deleteAllVectors } from './vectors.queries'

/** An item as the embedder sees it. `stamp` changes when what is read here does. */
export interface EmbedSubject {
  id: number
  handle: string
  kind: ItemKind
  sessionId: string
  position: number
  text: string
  data: Record<string, unknown>
  labels: string[]
  indexed: boolean
  stamp: string
}

type Row = PackedText & {
  id: number
  handle: string
  kind: ItemKind
  sessionId: string
  position: number
  data: string
  labels: string
  indexed: number
  stamp: string
}

const SUBJECT = `id, handle, kind, session_id AS sessionId, position, text, text_z, data, labels, indexed,
  record_hash || '/' || kind || '/' || chars AS stamp`

const parsed = ({ text, text_z, data, labels, indexed, ...row }: Row): EmbedSubject => ({
  ...row,
  text: unpackText({ text, text_z }),
  data: JSON.parse(data) as Record<string, unknown>,
  labels: JSON.parse(labels) as string[],
  indexed: indexed === 1,
})

/** The next items to embed, what people look for first: goals, then what came of them, then single steps. */
export function nextToEmbed(db: ReadDb, limit: number): number[] {
  return db
    .all<{ id: number }>('SELECT item_id AS id FROM embed_queue ORDER BY priority, item_id LIMIT ?', [limit])
    .map((row) => row.id)
}

export function embedSubject(db: ReadDb, id: number): EmbedSubject | undefined {
  const row = db.get<Row>(`SELECT ${SUBJECT} FROM items WHERE id = ?`, [id])
  return row && parsed(row)
}

/** How far back what was said before is looked for. */
const BACK = 8

/** The nearest earlier item of the session in which somebody says something, among the last few. */
export function saidBefore(
  db: ReadDb,
  item: Pick<EmbedSubject, 'sessionId' | 'position'>,
): EmbedSubject | undefined {
  const row = db.get<Row>(
    `SELECT * FROM (SELECT ${SUBJECT} FROM items
       WHERE session = ${numberOf()} AND position < ? ORDER BY position DESC, handle DESC LIMIT ${BACK})
     WHERE kind IN ('goal', 'conclusion', 'plan', 'decision', 'note') ORDER BY position DESC, handle DESC LIMIT 1`,
    [item.sessionId, item.position],
  )
  return row && parsed(row)
}

/**
 * Takes an item from the queue, if it is still there and still what was read.
 * @returns false when another process embedded it, or when it changed meanwhile and stays queued
 */
export function takeFromQueue(db: WriteDb, item: Pick<EmbedSubject, 'id' | 'stamp'>): boolean {
  return (
    db.run(
      `DELETE FROM embed_queue WHERE item_id = ?
       AND (SELECT record_hash || '/' || kind || '/' || chars FROM items WHERE id = item_id) = ?`,
      [item.id, item.stamp],
    ).changes === 1
  )
}

/** Leaves out an item that cannot be embedded. */
export function dropFromQueue(db: WriteDb, id: number): void {
  db.run('DELETE FROM embed_queue WHERE item_id = ?', [id])
}

export function countPending(db: ReadDb): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM embed_queue')?.n ?? 0
}

/** Throws all vectors away and queues every item for new ones. */
export function requeueAll(db: WriteDb): void {
  deleteAllVectors(db)
  db.run('INSERT OR IGNORE INTO embed_queue (item_id) SELECT id FROM items WHERE indexed = 1')
}
