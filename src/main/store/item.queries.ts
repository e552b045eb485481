import type { ReadDb } from './db'
import { pathOf } from './item-place'

export interface ItemRow {
  id: number
  handle: string
  kind: string
  session_id: string
  agent: string
  ts: number
  role: string | null
  tool: string | null
  project: string | null
  goal_handle: string | null
  arc_id: string | null
  text: string | null
  text_z: Buffer | null
  chars: number
  data: string
  file_path: string
  record_id: string | null
  line: number
  byte_offset: number
  byte_length: number
  record_hash: string
  labels: string
}

const columns = `items.id, handle, kind, session_id, sessions.agent, ts, role, tool, items.project, goal_handle, arc_id,
  text, text_z, chars, data, ${pathOf('items')} AS file_path, record_id, line, byte_offset, byte_length, record_hash, items.labels`

export function itemByHandle(db: ReadDb, handle: string): ItemRow | undefined {
  return db.get(
    `SELECT ${columns} FROM items JOIN sessions ON sessions.id = items.session_id WHERE handle = ?`,
    [handle],
  )
}

/** Items after `afterId` in row order, for passes over the whole journal. */
export function itemsAfter(db: ReadDb, afterId: number, limit: number): ItemRow[] {
  return db.all(
    `SELECT ${columns} FROM items JOIN sessions ON sessions.id = items.session_id
     WHERE items.id > ? ORDER BY items.id LIMIT ?`,
    [afterId, limit],
  )
}

/** Every session that holds the item: its own and those that repeat the record. */
export function sessionsOf(db: ReadDb, itemId: number): string[] {
  return db
    .all<{ session_id: string }>(
      `SELECT session_id FROM items WHERE id = :id UNION SELECT session_id FROM item_sessions WHERE item_id = :id
       ORDER BY session_id`,
      { id: itemId },
    )
    .map((row) => row.session_id)
}

export interface RungRow {
  level: string
  text: string
  method: string
  model: string | null
  tokens: number
}

export function rungsOfSubject(db: ReadDb, subject: string): RungRow[] {
  return db.all('SELECT level, text, method, model, tokens FROM rungs WHERE subject = ? ORDER BY level', [
    subject,
  ])
}

export function framesOf(
  db: ReadDb,
  handle: string,
  limit: number,
): { id: string; goal: string; created_at: number }[] {
  return db.all(
    `SELECT receipts.id, goal, created_at FROM receipt_facts JOIN receipts ON receipts.id = receipt_id
     WHERE handle = ? ORDER BY created_at DESC LIMIT ?`,
    [handle, limit],
  )
}
