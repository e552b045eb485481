import type { ReadDb, WriteDb } from './db'

// Items and sessions: what the journal's writer, settling and dump need.

export interface ItemRow {
  id: number
  handle: string
  kind: string
  session_id: string
  position: number
  ts: number
  role: string | null
  tool: string | null
  project: string | null
  goal_handle: string | null
  text: string | null
  text_z: Uint8Array | null
  chars: number
  data: string
  importance: number
  indexed: number
  file_id: number | null
  file_path: string
  record_id: string | null
  line: number
  byte_offset: number
  byte_length: number
  record_hash: string
  labels: string
  known: number
  stale: number
  masked: number
}

/** What an insert or a replacement sets; the rest has defaults. */
export type ItemValues = Omit<ItemRow, 'id' | 'labels' | 'indexed' | 'stale'>

/** Enough of a stored item to decide whether another sighting of it wins. */
export interface ItemPlace {
  id: number
  session_id: string
  file_id: number | null
  file_path: string
  byte_offset: number
  known: number
  stale: number
  indexed: number
  masked: number
  chars: number
  record_hash: string
}

export function itemPlace(db: ReadDb, handle: string): ItemPlace | undefined {
  return db.get<ItemPlace>(
    `SELECT id, session_id, file_id, file_path, byte_offset, known, stale, indexed, masked, chars, record_hash
     FROM items WHERE handle = ?`,
    [handle],
  )
}

export function itemText(
  db: ReadDb,
  id: number,
):
  | Pick<ItemRow, 'text' | 'text_z' | 'kind' | 'data' | 'goal_handle' | 'importance' | 'project' | 'ts'>
  | undefined {
  return db.get(
    'SELECT text, text_z, kind, data, goal_handle, importance, project, ts FROM items WHERE id = ?',
    [id],
  )
}

export function insertItem(db: WriteDb, item: ItemValues): number {
  return db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, role, tool, project, goal_handle, text, text_z, chars,
       data, importance, file_id, file_path, record_id, line, byte_offset, byte_length, record_hash, known, masked)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    itemParams(item),
  ).lastInsertRowid
}

const itemParams = (item: ItemValues) =>
  [
    item.handle,
    item.kind,
    item.session_id,
    item.position,
    item.ts,
    item.role,
    item.tool,
    item.project,
    item.goal_handle,
    item.text,
    item.text_z,
    item.chars,
    item.data,
    item.importance,
    item.file_id,
    item.file_path,
    item.record_id,
    item.line,
    item.byte_offset,
    item.byte_length,
    item.record_hash,
    item.known,
    item.masked,
  ] as const

export function replaceItem(db: WriteDb, id: number, item: ItemValues): void {
  db.run(
    `UPDATE items SET handle = ?, kind = ?, session_id = ?, position = ?, ts = ?, role = ?, tool = ?, project = ?,
       goal_handle = ?, text = ?, text_z = ?, chars = ?, data = ?, importance = ?, file_id = ?, file_path = ?,
       record_id = ?, line = ?, byte_offset = ?, byte_length = ?, record_hash = ?, known = ?, masked = ?, stale = 0
     WHERE id = ?`,
    [...itemParams(item), id],
  )
}

export function attachItem(db: WriteDb, itemId: number, sessionId: string): boolean {
  return (
    db.run('INSERT OR IGNORE INTO item_sessions (item_id, session_id) VALUES (?, ?)', [itemId, sessionId])
      .changes > 0
  )
}

export function isAttached(db: ReadDb, itemId: number, sessionId: string): boolean {
  return (
    db.get('SELECT 1 AS n FROM item_sessions WHERE item_id = ? AND session_id = ?', [itemId, sessionId]) !==
    undefined
  )
}

// --- index and queues ---------------------------------------------------------------------------------------

export function indexItem(db: WriteDb, id: number, text: string, dates: string): void {
  db.run('INSERT INTO items_fts (rowid, text, dates) VALUES (?, ?, ?)', [id, text, dates])
}

export function unindexItem(db: WriteDb, id: number): void {
  db.run('DELETE FROM items_fts WHERE rowid = ?', [id])
}

/** What people look for first is embedded first; the same order as the queue's own trigger, given here to spare it. */
const EMBED_PRIORITY: Record<string, number> = {
  goal: 0,
  conclusion: 1,
  plan: 1,
  decision: 1,
  error: 2,
  note: 3,
  image: 4,
  command: 5,
}

export function queueItem(db: WriteDb, id: number, handle: string, kind: string): void {
  db.run('INSERT OR IGNORE INTO embed_queue (item_id, priority) VALUES (?, ?)', [
    id,
    EMBED_PRIORITY[kind] ?? 6,
  ])
  db.run('INSERT OR IGNORE INTO curate_queue (subject) VALUES (?)', [handle])
}

/** Its vectors' codes go with them by a foreign key. */
export function dropVectors(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM embed_queue WHERE item_id = ?', [itemId])
  db.run('DELETE FROM vectors WHERE item_id = ?', [itemId])
}

export function countEmbedQueue(db: ReadDb): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM embed_queue')?.n ?? 0
}

/** Items of a file's unfinished records that have not been told again since it was rewritten. */
export function unfinishedItems(
  db: ReadDb,
  fileId: number,
): { id: number; handle: string; record_id: string | null }[] {
  return db.all('SELECT id, handle, record_id FROM items WHERE file_id = ? AND stale = 1 AND known < 2', [
    fileId,
  ])
}

/** Removes an item and its index row; vectors, queue rows and rungs go with it by keys and triggers. */
export function deleteItem(db: WriteDb, id: number): void {
  unindexItem(db, id)
  db.run('DELETE FROM items WHERE id = ?', [id])
}

// --- two renderings of one session ---------------------------------------------------------------------------

/** What of an item tells whether another one is the same. */
export interface ToldItem
  extends Pick<ItemRow, 'id' | 'handle' | 'kind' | 'ts' | 'role' | 'tool' | 'text' | 'text_z' | 'data'> {
  /** 1 when its file renders another agent's session. */
  rendered: 0 | 1
}

/** Items of a session and of its sub-agents, earliest first; none when no file of it is a rendering. */
export function toldItems(db: ReadDb, sessionId: string, formats: readonly string[]): ToldItem[] {
  const list = JSON.stringify(formats)
  const rendered = `(f.format IN (SELECT value FROM json_each(?)) OR (i.file_id IS NULL AND i.file_path LIKE '%.md'))`
  const any = db.get<{ n: number }>(
    `SELECT EXISTS (SELECT 1 FROM items i LEFT JOIN files f ON f.id = i.file_id
       WHERE i.session_id = ? AND ${rendered}) AS n`,
    [sessionId, list],
  )
  if (any?.n !== 1) return []
  return db.all<ToldItem>(
    `SELECT i.id, i.handle, i.kind, i.ts, i.role, i.tool, i.text, i.text_z, i.data, ${rendered} AS rendered
     FROM items i LEFT JOIN files f ON f.id = i.file_id
     WHERE i.session_id = ? OR i.session_id IN (SELECT id FROM sessions WHERE parent_id = ?)
     ORDER BY i.ts, i.handle`,
    [list, sessionId, sessionId],
  )
}

/** Takes an item out in favour of another one that says the same; its handle keeps leading there. */
export function aliasItem(db: WriteDb, item: { id: number; handle: string }, target: string): void {
  db.run('UPDATE items SET goal_handle = ? WHERE goal_handle = ?', [target, item.handle])
  deleteItem(db, item.id)
  db.run('INSERT OR REPLACE INTO item_aliases (handle, target) VALUES (?, ?)', [item.handle, target])
}

export function aliasOf(db: ReadDb, handle: string): string | null {
  return (
    db.get<{ target: string }>('SELECT target FROM item_aliases WHERE handle = ?', [handle])?.target ?? null
  )
}

// --- sessions -----------------------------------------------------------------------------------------------

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
  return db.run('UPDATE items SET project = ? WHERE session_id = ? AND project IS ?', [to, sessionId, from])
    .changes
}

export function childSessions(db: ReadDb, parentId: string): string[] {
  return db
    .all<{ id: string }>('SELECT id FROM sessions WHERE parent_id = ?', [parentId])
    .map((row) => row.id)
}

export function deleteEmptySessions(db: WriteDb): number {
  return db.run(
    `DELETE FROM sessions WHERE NOT EXISTS (SELECT 1 FROM item_sessions WHERE session_id = sessions.id)
       AND NOT EXISTS (SELECT 1 FROM file_sessions WHERE session_id = sessions.id)`,
  ).changes
}

// --- settling -----------------------------------------------------------------------------------------------

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
): { file_path: string; first_ts: number; epoch: number }[] {
  return db.all(
    `SELECT file_path, min(ts) AS first_ts, max(position / 17592186044416) AS epoch FROM items
     WHERE session_id = ? GROUP BY file_path ORDER BY first_ts, file_path`,
    [sessionId],
  )
}

/** Moves a file's items within their session behind the items of the files before it. */
export function setEpoch(db: WriteDb, sessionId: string, filePath: string, epoch: number): number {
  return db.run(
    `UPDATE items SET position = position % 17592186044416 + ? * 17592186044416
     WHERE session_id = ? AND file_path = ? AND position / 17592186044416 <> ?`,
    [epoch, sessionId, filePath, epoch],
  ).changes
}

export function countsByKind(db: ReadDb, sessionId: string): { kind: string; n: number; indexed: number }[] {
  return db.all(
    'SELECT kind, count(*) AS n, sum(indexed) AS indexed FROM items WHERE session_id = ? GROUP BY kind',
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
       FROM items WHERE session_id = ? AND kind = ?)
     WHERE indexed <> wanted`,
    [keep, sessionId, kind],
  )
}

export function setIndexed(db: WriteDb, id: number, indexed: 0 | 1): void {
  db.run('UPDATE items SET indexed = ? WHERE id = ?', [indexed, id])
}

/** The goal active in a session at a moment: its last goal item not later than that, else its first one. */
export function goalAt(db: ReadDb, sessionId: string, ts: number): string | null {
  const at = db.get<{ handle: string }>(
    `SELECT handle FROM items WHERE session_id = ? AND kind = 'goal' AND ts <= ? ORDER BY ts DESC, position DESC LIMIT 1`,
    [sessionId, ts],
  )
  if (at) return at.handle
  const first = db.get<{ handle: string }>(
    `SELECT handle FROM items WHERE session_id = ? AND kind = 'goal' ORDER BY ts, position LIMIT 1`,
    [sessionId],
  )
  return first?.handle ?? null
}

export function setInheritedGoal(db: WriteDb, sessionId: string, goal: string | null): number {
  return db.run(`UPDATE items SET goal_handle = ? WHERE session_id = ? AND goal_handle IS NOT ?`, [
    goal,
    sessionId,
    goal,
  ]).changes
}

// --- reading it out -----------------------------------------------------------------------------------------

export interface DumpRow extends ItemRow {
  agent: string
  /** Ids of every session that holds the item, sorted, joined by newlines. */
  sessions: string
}

export function dumpRows(db: ReadDb): IterableIterator<DumpRow> {
  return db.iterate<DumpRow>(
    `SELECT i.*, s.agent, (SELECT group_concat(session_id, char(10)) FROM
        (SELECT session_id FROM item_sessions WHERE item_id = i.id ORDER BY session_id)) AS sessions
     FROM items i JOIN sessions s ON s.id = i.session_id ORDER BY i.handle`,
  )
}

export function meta(db: ReadDb, key: string): string | null {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value ?? null
}

/** Sets a value only when there is none yet, and answers what stands there afterwards. */
export function metaOnce(db: WriteDb, key: string, value: string): string {
  db.run('INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)', [key, value])
  return meta(db, key) ?? value
}

/** True for sub-agents' sessions, sessions told by several files, and sessions over the item budget. */
export function needsSettling(db: ReadDb, sessionId: string, budget: number): boolean {
  const row = db.get<{ n: number }>(
    `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND parent_id IS NOT NULL)
       OR (SELECT count(*) FROM file_sessions WHERE session_id = ?) > 1
       OR EXISTS (SELECT 1 FROM items WHERE session_id = ? LIMIT 1 OFFSET ?) AS n`,
    [sessionId, sessionId, sessionId, budget],
  )
  return row?.n === 1
}
