import { ofCommand } from './command-failures'
import type { ReadDb, SqlValue, WriteDb } from './db'
import { numberOf } from './item-names'

export interface TraceRow {
  id: string
  faculty: string
  receipt_id: string | null
  gate_id: string | null
  /** The call to a language model whose prompt it was. */
  call_id: number | null
  purpose: string
  goal: string
  mode: string
  zone: string
  budget: number
  spent: number
  bids: number
  kept: number
  created_at: number
  /** The trace as JSON. */
  body: string
  provenance: string
  labels: string
}

export function insertTrace(db: WriteDb, row: TraceRow): void {
  db.run(
    `INSERT INTO traces (id, faculty, receipt_id, gate_id, call_id, purpose, goal, mode, zone, budget, spent, bids, kept,
       created_at, body, provenance, labels)
     VALUES (:id, :faculty, :receipt_id, :gate_id, :call_id, :purpose, :goal, :mode, :zone, :budget, :spent, :bids, :kept,
       :created_at, :body, :provenance, :labels)`,
    { ...row } satisfies Record<string, SqlValue>,
  )
}

export function traceById(db: ReadDb, id: string): TraceRow | undefined {
  return db.get<TraceRow>('SELECT * FROM traces WHERE id = ?', [id])
}

export function traceOfReceipt(db: ReadDb, receiptId: string): TraceRow | undefined {
  return db.get<TraceRow>('SELECT * FROM traces WHERE receipt_id = ? ORDER BY created_at, id LIMIT 1', [
    receiptId,
  ])
}

/** Newest first; `before` is the page's cursor, exclusive. */
export function listTraces(
  db: ReadDb,
  page: { limit: number; before?: number; gate?: string; ofModel?: boolean },
): Omit<TraceRow, 'body' | 'provenance' | 'labels'>[] {
  return db.all(
    `SELECT id, faculty, receipt_id, gate_id, call_id, purpose, goal, mode, zone, budget, spent, bids, kept,
       created_at
     FROM traces WHERE created_at < :before AND (:gate IS NULL OR gate_id = :gate)
       AND (:ofModel = 0 OR call_id IS NOT NULL)
     ORDER BY created_at DESC, id LIMIT :limit`,
    {
      before: page.before ?? Number.MAX_SAFE_INTEGER,
      gate: page.gate ?? null,
      ofModel: page.ofModel ? 1 : 0,
      limit: page.limit,
    },
  )
}

/** The traces of calls up to this one go. */
export function dropCallTraces(db: WriteDb, callId: number): void {
  db.run('DELETE FROM traces WHERE call_id <= ?', [callId])
}

/** Traces of some faculties that were made for one of some purposes, the newest first. */
export function tracesOf(
  db: ReadDb,
  wanted: { faculties: readonly string[]; purposes: readonly string[]; limit: number },
): Pick<TraceRow, 'purpose' | 'body'>[] {
  return db.all(
    `SELECT purpose, body FROM traces
     WHERE faculty IN (SELECT value FROM json_each(:faculties)) AND purpose IN (SELECT value FROM json_each(:purposes))
     ORDER BY created_at DESC, id LIMIT :limit`,
    {
      faculties: JSON.stringify(wanted.faculties),
      purposes: JSON.stringify(wanted.purposes),
      limit: wanted.limit,
    },
  )
}

/** Whether a receipt is of a prediction that is still hidden: its gate is open and nobody asked to see it. */
export function isSealed(db: ReadDb, receiptId: string): boolean {
  const row = db.get(
    `SELECT 1 FROM traces t JOIN gates g ON g.id = t.gate_id JOIN predictions p ON p.gate_id = g.id
     WHERE t.receipt_id = ? AND g.status = 'open' AND p.peeked = 0`,
    [receiptId],
  )
  return row !== undefined
}

export interface HistoryItem {
  handle: string
  kind: string
  position: number
  ts: number
  text: string | null
  text_z: Uint8Array | null
}

/**
 * What was said, decided, concluded and failed in a session before a moment and, where given, before a place in it;
 * the newest first. Plans are never among it.
 */
export function historyBefore(
  db: ReadDb,
  session: string,
  until: { ts: number; position: number | null },
  limit: number,
): HistoryItem[] {
  return db.all<HistoryItem>(
    `SELECT handle, kind, position, ts, text, text_z FROM items
     WHERE session = ${numberOf(':session')} AND ts <= :ts AND (:position IS NULL OR position < :position)
       AND kind IN ('goal', 'decision', 'conclusion', 'error')
     ORDER BY position DESC LIMIT :limit`,
    { session, ts: until.ts, position: until.position, limit },
  )
}

/** The items remembered gates rest on, with their labels. */
export function chunkSources(
  db: ReadDb,
  ids: readonly string[],
): { id: string; provenance: string; labels: string }[] {
  return db.all('SELECT id, provenance, labels FROM chunks WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(ids),
  ])
}

export interface SignalRow {
  id: string
  kind: string
  at: number
  handle: string | null
}

export function facultyArousal(db: ReadDb, id: string): string | undefined {
  return db.get<{ arousal: string }>('SELECT arousal FROM faculties WHERE id = ?', [id])?.arousal
}

export function facultyBorn(db: WriteDb, id: string, parent: string, at: number, arousal: string): void {
  db.run(
    'INSERT INTO faculties (id, parent, born_at, arousal) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    [id, parent, at, arousal],
  )
}

/** False when the faculty knows the signal already. */
export function acceptSignal(db: WriteDb, faculty: string, signal: SignalRow): boolean {
  const { changes } = db.run(
    `INSERT INTO faculty_signals (faculty, id, kind, at, handle) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (faculty, id) DO NOTHING`,
    [faculty, signal.id, signal.kind, signal.at, signal.handle],
  )
  return changes > 0
}

export function pendingSignals(db: ReadDb, faculty: string): SignalRow[] {
  return db.all<SignalRow>(
    'SELECT id, kind, at, handle FROM faculty_signals WHERE faculty = ? AND taken_at IS NULL ORDER BY at, id',
    [faculty],
  )
}

export function facultyTurned(
  db: WriteDb,
  id: string,
  turn: { taken: readonly string[]; at: number; arousal: string },
): void {
  db.transaction(() => {
    db.run(
      `UPDATE faculty_signals SET taken_at = ? WHERE faculty = ? AND taken_at IS NULL
         AND id IN (SELECT value FROM json_each(?))`,
      [turn.at, id, JSON.stringify(turn.taken)],
    )
    db.run('UPDATE faculties SET arousal = ? WHERE id = ?', [turn.arousal, id])
  })
}

export function facultyClosed(db: WriteDb, id: string): void {
  db.run('DELETE FROM faculties WHERE id = ?', [id])
}

/** Sessions among these whose newest item is at least this young, with their parents. */
export function liveSessions(
  db: ReadDb,
  sessions: readonly string[],
  since: number,
): { id: string; parent: string | null; newest: number }[] {
  return db.all(
    `SELECT s.id, s.parent_id AS parent, max(i.ts) AS newest
     FROM json_each(?) AS wanted JOIN sessions AS s ON s.id = wanted.value JOIN items AS i ON i.session = ${numberOf('s.id')}
     GROUP BY s.id HAVING newest >= ? ORDER BY s.id`,
    [JSON.stringify(sessions), since],
  )
}

export interface StirringItem {
  id: number
  handle: string
  kind: string
  ts: number
  failed: number
  gate: number
  path: string | null
  project: string | null
}

/**
 * Items of a session that could be worth a signal, from a moment on and after a row: failures, requests, gates, edits. A
 * failed command comes again and again: it is written when it starts, and only known to have failed later. What it
 * printed then, an item of its own, is left out.
 */
export function stirringItems(
  db: ReadDb,
  session: string,
  from: { since: number; after: number },
): StirringItem[] {
  return db.all<StirringItem>(
    `SELECT id, handle, kind, ts, project, coalesce(data ->> '$.failed', 0) AS failed,
       data ->> '$.gate' IS NOT NULL AS gate,
       CASE WHEN data ->> '$.op' IN ('write', 'edit') THEN data ->> '$.path' END AS path
     FROM items AS i WHERE session = ${numberOf()} AND ts >= ?
       AND ((id > ? AND kind IN ('goal', 'plan', 'file_op', 'conclusion'))
         OR (id > ? AND kind = 'error' AND NOT ${ofCommand('i')})
         OR (kind = 'command' AND data ->> '$.failed' = 1))
     ORDER BY position`,
    [session, from.since, from.after, from.after],
  )
}

/** Which of these sessions wrote or edited a file of a project since a moment. */
export function alsoTouched(
  db: ReadDb,
  sessions: readonly string[],
  file: { path: string; project: string | null; since: number },
): string[] {
  return db
    .all<{ session: string }>(
      `SELECT DISTINCT session_id AS session FROM json_each(?) AS wanted JOIN items ON session = ${numberOf('wanted.value')}
       WHERE kind = 'file_op' AND ts >= ? AND data ->> '$.path' = ? AND data ->> '$.op' IN ('write', 'edit')
         AND project IS ? ORDER BY session_id`,
      [JSON.stringify(sessions), file.since, file.path, file.project],
    )
    .map(({ session }) => session)
}

export function facultyBirth(db: ReadDb, id: string): number | undefined {
  return db.get<{ at: number }>('SELECT born_at AS at FROM faculties WHERE id = ?', [id])?.at
}

/** Parents whose faculty is alive. */
export function facultyParents(db: ReadDb): string[] {
  return db
    .all<{ parent: string }>('SELECT parent FROM faculties ORDER BY parent')
    .map(({ parent }) => parent)
}

export interface PictureItem {
  handle: string
  position: number
  ts: number
  data: string
}

/** The newest pictures of a session before a moment and, where given, before a place in it; oldest first. */
export function picturesBefore(
  db: ReadDb,
  session: string,
  until: { ts: number; position: number | null },
  limit: number,
): PictureItem[] {
  return db
    .all<PictureItem>(
      `SELECT handle, position, ts, data FROM items
       WHERE session = ${numberOf(':session')} AND kind = 'image' AND ts <= :ts AND (:position IS NULL OR position < :position)
       ORDER BY position DESC LIMIT :limit`,
      { session, ts: until.ts, position: until.position, limit },
    )
    .reverse()
}
