import type { ReadDb, WriteDb } from './db'

export type Verdict = 'useful' | 'wrong' | 'pin' | 'never'

export interface FeedbackRow {
  id: number
  handle: string
  verdict: Verdict
  receipt: string | null
  goal: string
  givenAt: number
}

const COLUMNS = 'feedback.id, handle, verdict, receipt_id AS receipt, goal, given_at AS givenAt'

/** Keeps a verdict. A new one on the same item takes the place of the one before, which stays as history. */
export function putFeedback(db: WriteDb, row: Omit<FeedbackRow, 'id'> & { labels: string }): number {
  return db.transaction(() => {
    db.run('UPDATE feedback SET undone_at = ? WHERE handle = ? AND undone_at IS NULL', [
      row.givenAt,
      row.handle,
    ])
    return db.run(
      `INSERT INTO feedback (handle, verdict, receipt_id, goal, given_at, provenance, labels)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [row.handle, row.verdict, row.receipt, row.goal, row.givenAt, JSON.stringify([row.handle]), row.labels],
    ).lastInsertRowid
  })
}

/** Marks a verdict as taken back. Whether it stood. */
export function undoFeedback(db: WriteDb, id: number, now: number): boolean {
  return db.run('UPDATE feedback SET undone_at = ? WHERE id = ? AND undone_at IS NULL', [now, id]).changes > 0
}

/** The verdicts that stood at a moment, on these items. */
export function standingOf(db: ReadDb, handles: readonly string[]): FeedbackRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM json_each(?) AS wanted JOIN feedback ON feedback.handle = wanted.value
     WHERE undone_at IS NULL ORDER BY feedback.id`,
    [JSON.stringify(handles)],
  )
}

/** Items that are pinned; there are few. */
export function pinned(db: ReadDb, limit: number): { id: number; handle: string }[] {
  return db.all(
    `SELECT i.id, i.handle FROM feedback AS f JOIN items AS i ON i.handle = f.handle
     WHERE f.verdict = 'pin' AND f.undone_at IS NULL ORDER BY f.id DESC LIMIT ?`,
    [limit],
  )
}

export function listFeedback(db: ReadDb, limit: number): FeedbackRow[] {
  return db.all(`SELECT ${COLUMNS} FROM feedback WHERE undone_at IS NULL ORDER BY id DESC LIMIT ?`, [limit])
}
