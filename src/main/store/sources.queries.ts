import { forgetRewinds } from './branches.queries'
import type { ReadDb, WriteDb } from './db'
import { queueSettle } from './sessions.queries'

// Sources, their files, and what went wrong in them.

export interface SourceRow {
  id: string
  path: string
  kind: 'folder' | 'file' | 'stream'
  format: string | null
  project: string | null
  state: 'active' | 'paused'
  enrolled_at: number
  last_scan_at: number | null
  last_error: string | null
  /** Since when it is not where it was; null while it is. */
  away_since: number | null
}

export interface SourceSums {
  files: number
  bytes: number
  errors: number
  sessions: number
  items: number
}

export interface FileRow {
  id: number
  source_id: string
  path: string
  format: string | null
  status: 'ok' | 'unreadable' | 'gone'
  reason: string | null
  dev: string | null
  inode: string | null
  size: number
  mtime_ms: number
  offset: number
  line: number
  head_hash: string | null
  tail_hash: string | null
  tail_offset: number
  generation: number
  state: string
  read: number
  used: number
  attached: number
  dropped: string
  duplicates: number
  errors: number
  masked: number
  /** The set of formats it was last looked at with, where none of an agent took it; else 0. */
  sniffed: number
}

export function sources(db: ReadDb): SourceRow[] {
  return db.all<SourceRow>('SELECT * FROM sources ORDER BY enrolled_at, path')
}
export function sourceById(db: ReadDb, id: string): SourceRow | undefined {
  return db.get<SourceRow>('SELECT * FROM sources WHERE id = ?', [id])
}
export function sourceByPath(db: ReadDb, path: string): SourceRow | undefined {
  return db.get<SourceRow>('SELECT * FROM sources WHERE path = ?', [path])
}

export function addSource(db: WriteDb, row: SourceRow): void {
  db.run(
    `INSERT INTO sources (id, path, kind, format, project, state, enrolled_at, last_scan_at, last_error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO NOTHING`,
    [
      row.id,
      row.path,
      row.kind,
      row.format,
      row.project,
      row.state,
      row.enrolled_at,
      row.last_scan_at,
      row.last_error,
    ],
  )
}
export function setSourceState(db: WriteDb, id: string, state: 'active' | 'paused'): void {
  db.run('UPDATE sources SET state = ? WHERE id = ?', [state, id])
}
export function setSourceScan(
  db: WriteDb,
  id: string,
  at: number,
  { error = null, away = false }: { error?: string | null; away?: boolean } = {},
): void {
  db.run(
    `UPDATE sources SET last_scan_at = :at, last_error = :error,
       away_since = CASE WHEN :away THEN coalesce(away_since, :at) END WHERE id = :id`,
    { id, at, error, away: away ? 1 : 0 },
  )
}
export function deleteSource(db: WriteDb, id: string): void {
  db.run('DELETE FROM sources WHERE id = ?', [id])
}

/** A session inside of a database or of a folder of small files has a row, and is no file on the disk. */
const OF_ITS_OWN = `NOT (path GLOB '*.vscdb[/\\]*' OR path GLOB '*.db[/\\]*' OR path GLOB '*.json[/\\]*')`

/** Of a session whose records were all left out there is no row: it is in no count. */
// Asked of each row: as a list of sessions it is looked up for every file and every session there is.
const HOLDS_SOMETHING = 'EXISTS (SELECT 1 FROM sessions WHERE sessions.id = file_sessions.session_id)'

export function sourceSums(db: ReadDb, id: string): SourceSums {
  const files = db.get<Omit<SourceSums, 'sessions' | 'items'>>(
    `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes, coalesce(sum(errors), 0) AS errors
     FROM files WHERE source_id = ? AND status <> 'gone' AND ${OF_ITS_OWN}`,
    [id],
  )
  const held = db.get<{ sessions: number }>(
    `SELECT count(DISTINCT session_id) AS sessions FROM file_sessions
     WHERE file_id IN (SELECT id FROM files WHERE source_id = ?) AND ${HOLDS_SOMETHING}`,
    [id],
  )
  const items = db.get<{ items: number }>(
    'SELECT count(*) AS items FROM items WHERE file_id IN (SELECT id FROM files WHERE source_id = ?)',
    [id],
  )
  return {
    files: files?.files ?? 0,
    bytes: files?.bytes ?? 0,
    errors: files?.errors ?? 0,
    sessions: held?.sessions ?? 0,
    items: items?.items ?? 0,
  }
}

export function filesOf(db: ReadDb, sourceId: string): FileRow[] {
  return db.all<FileRow>('SELECT * FROM files WHERE source_id = ? ORDER BY path', [sourceId])
}
/** What of a file's row tells whether the file on the disk is another one by now. */
export type FileStampRow = Pick<
  FileRow,
  | 'id'
  | 'path'
  | 'format'
  | 'status'
  | 'reason'
  | 'dev'
  | 'inode'
  | 'size'
  | 'mtime_ms'
  | 'offset'
  | 'used'
  | 'attached'
  | 'sniffed'
>

/** A sweep goes over all of them, so the reader's memory, which is long, is left out. */
export function fileStamps(db: ReadDb, sourceId: string): FileStampRow[] {
  return db.all<FileStampRow>(
    `SELECT id, path, format, status, reason, dev, inode, size, mtime_ms, offset, used, attached, sniffed
     FROM files WHERE source_id = ?`,
    [sourceId],
  )
}
export function unreadableFiles(db: ReadDb, sourceId: string): Pick<FileRow, 'path' | 'reason'>[] {
  return db.all(
    "SELECT path, reason FROM files WHERE source_id = ? AND status = 'unreadable' ORDER BY path",
    [sourceId],
  )
}
export function fileByPath(db: ReadDb, path: string): FileRow | undefined {
  return db.get<FileRow>('SELECT * FROM files WHERE path = ?', [path])
}
export function fileById(db: ReadDb, id: number): FileRow | undefined {
  return db.get<FileRow>('SELECT * FROM files WHERE id = ?', [id])
}

export function ensureFile(db: WriteDb, sourceId: string, path: string): FileRow {
  db.run('INSERT INTO files (source_id, path) VALUES (?, ?) ON CONFLICT (path) DO NOTHING', [sourceId, path])
  return fileByPath(db, path) as FileRow
}

export function setFileStatus(
  db: WriteDb,
  id: number,
  status: FileRow['status'],
  reason: string | null,
): void {
  db.run('UPDATE files SET status = ?, reason = ? WHERE id = ? AND (status <> ? OR reason IS NOT ?)', [
    status,
    reason,
    id,
    status,
    reason,
  ])
}

/** A file that lies elsewhere now; its items' pointers follow it. */
export function moveFile(db: WriteDb, id: number, sourceId: string, path: string): void {
  db.run(`UPDATE files SET path = ?, source_id = ?, status = 'ok', reason = NULL WHERE id = ?`, [
    path,
    sourceId,
    id,
  ])
  db.run('UPDATE item_rows SET stale = 0 WHERE file_id = ? AND stale <> 0', [id])
}

/** The pointers of these items no longer hold: their next sighting, anywhere, takes their place. */
export function markStale(db: WriteDb, fileId: number): void {
  db.run('UPDATE item_rows SET stale = 1 WHERE file_id = ? AND stale = 0', [fileId])
}

/** Puts the watermark back to the start and forgets what was counted. */
export function restartFile(db: WriteDb, id: number): void {
  db.run(
    `UPDATE files SET offset = 0, line = 0, size = 0, mtime_ms = 0, head_hash = NULL, tail_hash = NULL, tail_offset = 0,
       generation = generation + 1, state = '{}', format = NULL, read = 0, used = 0, attached = 0, dropped = '{}',
       duplicates = 0, errors = 0, masked = 0 WHERE id = ?`,
    [id],
  )
  db.run('DELETE FROM file_errors WHERE file_id = ?', [id])
  db.run('DELETE FROM file_sessions WHERE file_id = ?', [id])
  for (const session of forgetRewinds(db, id)) queueSettle(db, session)
  markStale(db, id)
}

/** What was counted of a file. `dropped` is JSON. */
export type FileTally = Pick<
  FileRow,
  'read' | 'used' | 'attached' | 'dropped' | 'duplicates' | 'errors' | 'masked'
>

/** Puts the watermark back to a place, as if what lies behind it had never been read. */
export function rewindFile(
  db: WriteDb,
  id: number,
  to: { offset: number; line: number; state: string } & FileTally,
): void {
  db.run(
    `UPDATE files SET offset = ?, line = ?, state = ?, size = ?, mtime_ms = 0, generation = generation + 1, read = ?,
       used = ?, attached = ?, dropped = ?, duplicates = ?, errors = ?, masked = ? WHERE id = ?`,
    [
      to.offset,
      to.line,
      to.state,
      to.offset,
      to.read,
      to.used,
      to.attached,
      to.dropped,
      to.duplicates,
      to.errors,
      to.masked,
      id,
    ],
  )
  db.run('DELETE FROM file_errors WHERE file_id = ? AND byte_offset >= ?', [id, to.offset])
  db.run('UPDATE item_rows SET stale = 1 WHERE file_id = ? AND byte_offset >= ? AND stale = 0', [
    id,
    to.offset,
  ])
}

export function setSniffed(db: WriteDb, id: number, formats: number): void {
  db.run('UPDATE files SET sniffed = ? WHERE id = ?', [formats, id])
}

export type FileProgress = Pick<
  FileRow,
  | 'format'
  | 'dev'
  | 'inode'
  | 'size'
  | 'mtime_ms'
  | 'offset'
  | 'line'
  | 'head_hash'
  | 'tail_hash'
  | 'tail_offset'
  | 'state'
  | 'read'
  | 'used'
  | 'attached'
  | 'dropped'
  | 'duplicates'
  | 'errors'
  | 'masked'
>

export function saveProgress(db: WriteDb, id: number, p: FileProgress): void {
  db.run(
    `UPDATE files SET status = 'ok', reason = NULL, format = ?, dev = ?, inode = ?, size = ?, mtime_ms = ?, offset = ?,
       line = ?, head_hash = ?, tail_hash = ?, tail_offset = ?, state = ?, read = ?, used = ?, attached = ?,
       dropped = ?, duplicates = ?, errors = ?, masked = ? WHERE id = ?`,
    [
      p.format,
      p.dev,
      p.inode,
      p.size,
      p.mtime_ms,
      p.offset,
      p.line,
      p.head_hash,
      p.tail_hash,
      p.tail_offset,
      p.state,
      p.read,
      p.used,
      p.attached,
      p.dropped,
      p.duplicates,
      p.errors,
      p.masked,
      id,
    ],
  )
}

export interface FileErrorRow {
  line: number
  byte_offset: number
  reason: string
}
export function addFileError(db: WriteDb, fileId: number, error: FileErrorRow): void {
  db.run('INSERT OR IGNORE INTO file_errors (file_id, line, byte_offset, reason) VALUES (?, ?, ?, ?)', [
    fileId,
    error.line,
    error.byte_offset,
    error.reason,
  ])
}
export function fileErrors(db: ReadDb, sourceId: string, limit: number): (FileErrorRow & { file: string })[] {
  return db.all(
    `SELECT f.path AS file, e.line, e.byte_offset, e.reason FROM file_errors e JOIN files f ON f.id = e.file_id
     WHERE f.source_id = ? ORDER BY f.path, e.line, e.reason LIMIT ?`,
    [sourceId, limit],
  )
}
export function countFileErrors(db: ReadDb, sourceId: string): number {
  const row = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM file_errors WHERE file_id IN (SELECT id FROM files WHERE source_id = ?)',
    [sourceId],
  )
  return row?.n ?? 0
}

/** What the files at or under a path hold: items by kind, and sessions. */
export function heldUnder(
  db: ReadDb,
  sourceId: string,
  path: string,
): { kinds: { kind: string; n: number }[]; sessions: string[] } {
  const files = `SELECT id FROM files WHERE source_id = ? AND (path = ? OR substr(path, 1, length(?)) = ?)`
  const params = [sourceId, path, `${path}/`, `${path}/`]
  const kinds = db.all<{ kind: string; n: number }>(
    `SELECT kind, count(*) AS n FROM items WHERE file_id IN (${files}) GROUP BY kind`,
    params,
  )
  const sessions = db.all<{ id: string }>(
    `SELECT DISTINCT session_id AS id FROM file_sessions WHERE file_id IN (${files}) AND ${HOLDS_SOMETHING}`,
    params,
  )
  return { kinds, sessions: sessions.map(({ id }) => id) }
}
