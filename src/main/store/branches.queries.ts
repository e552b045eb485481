import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'

// How sessions hang together: which call started one, and where a person went back in one.

/** true when this was not known. */
export function putCall(db: WriteDb, sessionId: string, callHandle: string): boolean {
  return (
    db.run('INSERT OR IGNORE INTO session_calls (session_id, call_handle) VALUES (?, ?)', [
      sessionId,
      callHandle,
    ]).changes > 0
  )
}

/** The goal of the call that started a session; undefined when no such call is in the journal. */
export function goalOfCall(db: ReadDb, sessionId: string): string | null | undefined {
  return db.get<{ goal: string | null }>(
    `SELECT i.goal_handle AS goal FROM session_calls c JOIN items i ON i.handle = c.call_handle
     WHERE c.session_id = ? AND i.session_id <> c.session_id ORDER BY i.goal IS NULL, i.handle LIMIT 1`,
    [sessionId],
  )?.goal
}

/** Sessions started by calls that stand in this one. */
export function startedIn(db: ReadDb, sessionId: string): string[] {
  return db
    .all<{ id: string }>(
      `SELECT DISTINCT c.session_id AS id FROM items i JOIN session_calls c ON c.call_handle = i.handle
       WHERE i.session = ${numberOf()} AND c.session_id <> i.session_id`,
      [sessionId],
    )
    .map((row) => row.id)
}

export interface Rewind {
  session_id: string
  from_handle: string
  to_handle: string
  file_id: number
}

export function putRewind(db: WriteDb, row: Rewind): void {
  db.run('INSERT OR IGNORE INTO rewinds (session_id, from_handle, to_handle, file_id) VALUES (?, ?, ?, ?)', [
    row.session_id,
    row.from_handle,
    row.to_handle,
    row.file_id,
  ])
}

/** A file is read anew: what it told is told again. Answers the sessions it was about. */
export function forgetRewinds(db: WriteDb, fileId: number): string[] {
  const sessions = db.all<{ id: string }>('SELECT DISTINCT session_id AS id FROM rewinds WHERE file_id = ?', [
    fileId,
  ])
  if (sessions.length > 0) db.run('DELETE FROM rewinds WHERE file_id = ?', [fileId])
  return sessions.map((row) => row.id)
}

export function hasRewinds(db: ReadDb, sessionId: string): boolean {
  const row = db.get<{ n: number }>(
    `SELECT EXISTS (SELECT 1 FROM rewinds WHERE session_id = :id)
       OR EXISTS (SELECT 1 FROM items WHERE session = ${numberOf(':id')} AND rewound = 1) AS n`,
    { id: sessionId },
  )
  return row?.n === 1
}

/**
 * Marks a session's items that lie on a branch the person left: from the turn that was given up to the turn that took
 * its place. When that turn belongs to another session (a fork that has it), its time is the end.
 */
export function markRewound(db: WriteDb, sessionId: string): number {
  return db.run(
    `UPDATE item_rows AS i SET rewound = 1 - rewound WHERE session = ${numberOf(':id')} AND rewound <> (EXISTS (
       SELECT 1 FROM rewinds r JOIN items a ON a.handle = r.from_handle JOIN items b ON b.handle = r.to_handle
       WHERE r.session_id = :id AND a.session = i.session AND i.position >= a.position
         AND CASE WHEN b.session = i.session THEN i.position < b.position ELSE i.ts < b.ts END))`,
    { id: sessionId },
  ).changes
}
