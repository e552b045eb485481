import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'
import { pathOf } from './item-place'

// Sessions as several files tell them, and what settles once a session is known whole.

export interface SessionRow {
  id: string
  native_id: string
  agent: string
  project: string | null
  cwd: string | null
  git_branch: string | null
  title: string | null
  parent_id: string | null
  started_at: number
  ended_at: number
}

export interface FileSessionRow {
  file_id: number
  session_id: string
  first_ts: number
  last_ts: number
  project: string | null
  cwd: string | null
  git_branch: string | null
  title: string | null
  parent_id: string | null
}

/** Adds what one file says about a session to what it said before; a first value stays, a later title wins. */
export function mergeFileSession(db: WriteDb, row: FileSessionRow): void {
  db.run(
    `INSERT INTO file_sessions (file_id, session_id, first_ts, last_ts, project, cwd, git_branch, title, parent_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (file_id, session_id) DO UPDATE SET
       first_ts = min(first_ts, excluded.first_ts), last_ts = max(last_ts, excluded.last_ts),
       project = coalesce(project, excluded.project), cwd = coalesce(cwd, excluded.cwd),
       git_branch = coalesce(git_branch, excluded.git_branch), title = coalesce(excluded.title, title),
       parent_id = coalesce(parent_id, excluded.parent_id)`,
    [
      row.file_id,
      row.session_id,
      row.first_ts,
      row.last_ts,
      row.project,
      row.cwd,
      row.git_branch,
      row.title,
      row.parent_id,
    ],
  )
}

/** What all files say about a session, earliest first, ties by path. */
export function fileSessions(db: ReadDb, sessionId: string): (FileSessionRow & { path: string })[] {
  return db.all(
    `SELECT fs.*, f.path FROM file_sessions fs JOIN files f ON f.id = fs.file_id
     WHERE fs.session_id = ? ORDER BY fs.first_ts, f.path`,
    [sessionId],
  )
}

export function sessionRow(db: ReadDb, id: string): SessionRow | undefined {
  return db.get<SessionRow>('SELECT * FROM sessions WHERE id = ?', [id])
}

export function putSession(db: WriteDb, row: SessionRow): void {
  db.run(
    `INSERT INTO sessions (id, native_id, agent, project, cwd, git_branch, title, parent_id, started_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET project = excluded.project, cwd = excluded.cwd, git_branch = excluded.git_branch,
       title = excluded.title, parent_id = excluded.parent_id, started_at = excluded.started_at,
       ended_at = excluded.ended_at`,
    [
      row.id,
      row.native_id,
      row.agent,
      row.project,
      row.cwd,
      row.git_branch,
      row.title,
      row.parent_id,
      row.started_at,
      row.ended_at,
    ],
  )
}

export function renameSessionProject(
  db: WriteDb,
  sessionId: string,
  from: string | null,
  to: string | null,
): number {
  return db.run(`UPDATE item_rows SET project = ? WHERE session = ${numberOf()} AND project IS ?`, [
    to,
    sessionId,
    from,
  ]).changes
}

export function childSessions(db: ReadDb, parentId: string): string[] {
  return db
    .all<{ id: string }>('SELECT id FROM sessions WHERE parent_id = ?', [parentId])
    .map((row) => row.id)
}

export function deleteEmptySessions(db: WriteDb): number {
  return db.run(
    `DELETE FROM sessions WHERE NOT EXISTS (SELECT 1 FROM items WHERE session = ${numberOf('sessions.id')})
       AND NOT EXISTS (SELECT 1 FROM item_sessions WHERE session_id = sessions.id)
       AND NOT EXISTS (SELECT 1 FROM file_sessions WHERE session_id = sessions.id)`,
  ).changes
}

/** Takes a session away that holds nothing: what was begun of it was no item when it was whole. */
export function deleteIfEmpty(db: WriteDb, id: string): boolean {
  return (
    db.run(
      `DELETE FROM sessions WHERE id = :id AND NOT EXISTS (SELECT 1 FROM items WHERE session = ${numberOf(':id')})
         AND NOT EXISTS (SELECT 1 FROM item_sessions WHERE session_id = :id)`,
      { id },
    ).changes > 0
  )
}

export function queueSettle(db: WriteDb, sessionId: string): void {
  db.run('INSERT OR IGNORE INTO settle_queue (session_id) VALUES (?)', [sessionId])
}

export function settleQueue(db: ReadDb, limit: number): string[] {
  return db
    .all<{ session_id: string }>('SELECT session_id FROM settle_queue ORDER BY session_id LIMIT ?', [limit])
    .map((row) => row.session_id)
}

export function unqueueSettle(db: WriteDb, sessionId: string): void {
  db.run('DELETE FROM settle_queue WHERE session_id = ?', [sessionId])
}

export function itemFilesOfSession(
  db: ReadDb,
  sessionId: string,
): { file: string; first_ts: number; epoch: number }[] {
  return db.all(
    `SELECT ${pathOf('items')} AS file, min(ts) AS first_ts, max(position / 17592186044416) AS epoch FROM items
     WHERE session = ${numberOf()} GROUP BY file ORDER BY first_ts, file`,
    [sessionId],
  )
}

/** Moves a file's items within their session behind the items of the files before it. */
export function setEpoch(db: WriteDb, sessionId: string, filePath: string, epoch: number): number {
  return db.run(
    `UPDATE item_rows SET position = position % 17592186044416 + ? * 17592186044416
     WHERE session = ${numberOf()} AND position / 17592186044416 <> ? AND ${pathOf('item_rows')} = ?`,
    [epoch, sessionId, epoch, filePath],
  ).changes
}

export function countsByKind(db: ReadDb, sessionId: string): { kind: string; n: number; indexed: number }[] {
  return db.all(
    `SELECT kind, count(*) AS n, sum(indexed) AS indexed FROM items WHERE session = ${numberOf()} GROUP BY kind`,
    [sessionId],
  )
}

/** Items of one kind of a session whose place in or out of the budget is not what it should be, oldest first. */
export function overBudget(
  db: ReadDb,
  sessionId: string,
  kind: string,
  keep: number,
): { id: number; handle: string; indexed: number; wanted: number }[] {
  return db.all(
    `SELECT id, handle, indexed, wanted FROM (
       SELECT id, handle, indexed, row_number() OVER (ORDER BY position DESC, handle) <= ? AS wanted
       FROM items WHERE session = ${numberOf()} AND kind = ?)
     WHERE indexed <> wanted`,
    [keep, sessionId, kind],
  )
}

export function setIndexed(db: WriteDb, id: number, indexed: 0 | 1): void {
  db.run('UPDATE item_rows SET indexed = ? WHERE id = ?', [indexed, id])
}

/** The goal active in a session at a moment: its last goal item not later than that, else its first one. */
export function goalAt(db: ReadDb, sessionId: string, ts: number): string | null {
  const at = db.get<{ handle: string }>(
    `SELECT handle FROM items WHERE session = ${numberOf()} AND kind = 'goal' AND ts <= ? ORDER BY ts DESC, position DESC LIMIT 1`,
    [sessionId, ts],
  )
  if (at) return at.handle
  const first = db.get<{ handle: string }>(
    `SELECT handle FROM items WHERE session = ${numberOf()} AND kind = 'goal' ORDER BY ts, position LIMIT 1`,
    [sessionId],
  )
  return first?.handle ?? null
}

export function setInheritedGoal(db: WriteDb, sessionId: string, goal: string | null): number {
  db.run('INSERT OR IGNORE INTO names (name) VALUES (?)', [goal])
  return db.run(
    `UPDATE item_rows SET goal = ${numberOf()} WHERE session = ${numberOf()} AND goal IS NOT ${numberOf()}`,
    [goal, sessionId, goal],
  ).changes
}

/** True for sub-agents' sessions, sessions told by several files, and sessions over the item budget. */
export function needsSettling(db: ReadDb, sessionId: string, budget: number): boolean {
  const row = db.get<{ n: number }>(
    `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND parent_id IS NOT NULL)
       OR (SELECT count(*) FROM file_sessions WHERE session_id = ?) > 1
       OR EXISTS (SELECT 1 FROM rewinds WHERE session_id = ?)
       OR EXISTS (SELECT 1 FROM items WHERE session = ${numberOf()} LIMIT 1 OFFSET ?) AS n`,
    [sessionId, sessionId, sessionId, sessionId, budget],
  )
  return row?.n === 1
}
