import type { ItemKind, Rung } from '../../shared/domain'
import type { ReadDb, WriteDb } from './db'
import { nameOf, numberOf } from './item-names'
import { type PackedText, unpackText } from './item-text'

/** What grouping into arcs needs of an item. `labels` is a JSON array. */
export interface ArcItem {
  id: number
  handle: string
  kind: ItemKind
  goal: string | null
  project: string | null
  ts: number
  arcId: string | null
  labels: string
  /** 1 when the person went back behind it and on another way. */
  rewound: number
}

export interface ArcRow {
  id: string
  sessionId: string
  project: string | null
  goalHandle: string | null
  startedAt: number
  endedAt: number
  items: number
  byKind: Partial<Record<ItemKind, number>>
  /** The goal's handle and the first items' handles. */
  provenance: string[]
  labels: string[]
}

const ARC_ITEM = `id, handle, kind, ${nameOf('goal')} AS goal, project, ts, ${nameOf('arc')} AS arcId, labels, rewound`

/** Where the first item without an arc stands, and the last one with an arc; null when there is none. */
export function arcFrontier(
  db: ReadDb,
  sessionId: string,
): { firstWithout: number | null; last: (ArcItem & { position: number }) | null } {
  const firstWithout = db.get<{ position: number }>(
    `SELECT position FROM item_rows INDEXED BY items_without_arc WHERE session = ${numberOf()} AND arc IS NULL
     ORDER BY position LIMIT 1`,
    [sessionId],
  )
  const last = db.get<ArcItem & { position: number }>(
    `SELECT ${ARC_ITEM}, position FROM item_rows INDEXED BY items_session WHERE session = ${numberOf()} AND position < ?
     ORDER BY position DESC, handle DESC LIMIT 1`,
    [sessionId, firstWithout?.position ?? Number.MAX_SAFE_INTEGER],
  )
  return { firstWithout: firstWithout?.position ?? null, last: last ?? null }
}

/** The session's items from a position on, in the order arcs are made in. */
export function arcItems(db: ReadDb, sessionId: string, fromPosition = -1): ArcItem[] {
  return db.all(
    `SELECT ${ARC_ITEM} FROM item_rows INDEXED BY items_session WHERE session = ${numberOf()} AND position >= ?
     ORDER BY position, handle`,
    [sessionId, fromPosition],
  )
}

export function arcsOfSession(db: ReadDb, sessionId: string): ArcRow[] {
  return db
    .all<RawArc>(`SELECT ${ARC} FROM arcs WHERE session_id = ? ORDER BY started_at, id`, [sessionId])
    .map(parsedArc)
}

export function arc(db: ReadDb, id: string): ArcRow | undefined {
  const row = db.get<RawArc>(`SELECT ${ARC} FROM arcs WHERE id = ?`, [id])
  return row && parsedArc(row)
}

const ARC = `id, session_id AS sessionId, project, goal_handle AS goalHandle, started_at AS startedAt,
  ended_at AS endedAt, items, by_kind AS byKind, provenance, labels`

type RawArc = Omit<ArcRow, 'byKind' | 'provenance' | 'labels'> & {
  byKind: string
  provenance: string
  labels: string
}

function parsedArc(row: RawArc): ArcRow {
  return {
    ...row,
    byKind: JSON.parse(row.byKind) as ArcRow['byKind'],
    provenance: JSON.parse(row.provenance) as string[],
    labels: JSON.parse(row.labels) as string[],
  }
}

/** Writes an arc and asks for its rungs. */
export function putArc(db: WriteDb, row: ArcRow): void {
  db.run(
    `INSERT INTO arcs (id, session_id, project, goal_handle, started_at, ended_at, items, by_kind, provenance, labels)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET project = excluded.project, started_at = excluded.started_at,
       ended_at = excluded.ended_at, items = excluded.items, by_kind = excluded.by_kind,
       provenance = excluded.provenance, labels = excluded.labels`,
    [
      row.id,
      row.sessionId,
      row.project,
      row.goalHandle,
      row.startedAt,
      row.endedAt,
      row.items,
      JSON.stringify(row.byKind),
      JSON.stringify(row.provenance),
      JSON.stringify(row.labels),
    ],
  )
  enqueue(db, row.id)
}

export function setArc(db: WriteDb, itemIds: readonly number[], arcId: string): void {
  db.run('INSERT OR IGNORE INTO names (name) VALUES (?)', [arcId])
  db.run(`UPDATE item_rows SET arc = ${numberOf()} WHERE id IN (SELECT value FROM json_each(?))`, [
    arcId,
    JSON.stringify(itemIds),
  ])
}

/** Its rungs and its place in the queue go with it. */
export function deleteArc(db: WriteDb, id: string): void {
  db.run('DELETE FROM arcs WHERE id = ?', [id])
}

/** Sessions whose arcs no longer follow from their items. */
export function staleSessions(db: ReadDb): string[] {
  return db.all<{ id: string }>('SELECT session_id AS id FROM arcs_stale').map((row) => row.id)
}

export function settled(db: WriteDb, sessionId: string): void {
  db.run('DELETE FROM arcs_stale WHERE session_id = ?', [sessionId])
}

/** Asks for the rungs of an item (its handle) or an arc (its id). */
export function enqueue(db: WriteDb, subject: string): void {
  db.run('INSERT OR IGNORE INTO curate_queue (subject) VALUES (?)', [subject])
}

/** How many subjects wait for their rungs, counted up to `limit`. */
export function countQueued(db: ReadDb, limit = -1): number {
  return (
    db.get<{ n: number }>('SELECT count(*) AS n FROM (SELECT 1 FROM curate_queue LIMIT ?)', [limit])?.n ?? 0
  )
}

/** Items first, then arcs, whose sentences are taken from them: `itm_` sorts behind `arc_`. */
export function nextSubjects(db: ReadDb, limit: number): string[] {
  return db
    .all<{ subject: string }>('SELECT subject FROM curate_queue ORDER BY subject DESC LIMIT ?', [limit])
    .map((row) => row.subject)
}

export function dequeue(db: WriteDb, subject: string): void {
  db.run('DELETE FROM curate_queue WHERE subject = ?', [subject])
}

export interface RungRow {
  subject: string
  level: Exclude<Rung, 'L0'>
  text: string
  /** `verbatim`, `rules`, `extractive`, `model`: how it was made. */
  method: string
  model: string | null
  version: number
  /** ceil(characters / 4); a frame counts with its own tokenizer. */
  tokens: number
  createdAt: number
  provenance: string[]
  labels: string[]
}

export function putRung(db: WriteDb, row: RungRow): void {
  db.run(
    `INSERT INTO rungs (subject, level, text, method, model, version, tokens, created_at, provenance, labels)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject, level) DO UPDATE SET text = excluded.text, method = excluded.method,
       model = excluded.model, version = excluded.version, tokens = excluded.tokens,
       created_at = excluded.created_at, provenance = excluded.provenance, labels = excluded.labels`,
    [
      row.subject,
      row.level,
      row.text,
      row.method,
      row.model,
      row.version,
      row.tokens,
      row.createdAt,
      JSON.stringify(row.provenance),
      JSON.stringify(row.labels),
    ],
  )
}

/** Takes from a subject what rules made of it at other levels than these: by today's rules there is nothing to tell. */
export function keepLevels(db: WriteDb, subject: string, levels: readonly string[]): void {
  db.run(
    "DELETE FROM rungs WHERE subject = ? AND method <> 'model' AND level NOT IN (SELECT value FROM json_each(?))",
    [subject, JSON.stringify(levels)],
  )
}

export function deleteRungs(db: WriteDb, subject: string): void {
  db.run('DELETE FROM rungs WHERE subject = ?', [subject])
}

export type RungText = Pick<RungRow, 'text' | 'method' | 'model' | 'tokens'>

/** The rungs there are for each subject (a handle or an arc's id); a subject without any is not in the map. */
export function rungs(
  db: ReadDb,
  subjects: readonly string[],
): Map<string, Partial<Record<RungRow['level'], RungText>>> {
  const rows = db.all<RungText & { subject: string; level: RungRow['level'] }>(
    `SELECT subject, level, text, method, model, tokens FROM rungs
     WHERE subject IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(subjects)],
  )
  const found = new Map<string, Partial<Record<RungRow['level'], RungText>>>()
  for (const { subject, level, ...rung } of rows) {
    const levels = found.get(subject) ?? {}
    levels[level] = rung
    found.set(subject, levels)
  }
  return found
}

export function countRungs(db: ReadDb): Record<RungRow['level'], number> {
  const counts = { L1: 0, L2: 0, L3: 0 }
  const rows = db.all<{ level: RungRow['level']; n: number }>(
    'SELECT level, count(*) AS n FROM rungs GROUP BY level',
  )
  for (const row of rows) counts[row.level] = row.n
  return counts
}

/** An item as its rungs are made from it. */
export interface RungSource {
  handle: string
  kind: ItemKind
  text: string
  tool: string | null
  data: Record<string, unknown>
  labels: string[]
  goalHandle: string | null
  /** The folder its session worked in. */
  cwd: string | null
}

type SourceRow = PackedText & Omit<RungSource, 'text' | 'data' | 'labels'> & { data: string; labels: string }

const CWD = `(SELECT cwd FROM sessions WHERE sessions.id = ${nameOf('session')}) AS cwd`
const SOURCE = `handle, kind, text, text_z, tool, data, labels, ${nameOf('goal')} AS goalHandle, ${CWD}`

const parsedSource = ({ text, text_z, data, labels, ...row }: SourceRow): RungSource => ({
  ...row,
  text: unpackText({ text, text_z }),
  data: JSON.parse(data) as Record<string, unknown>,
  labels: JSON.parse(labels) as string[],
})

export function rungSource(db: ReadDb, handle: string): RungSource | undefined {
  const row = db.get<SourceRow>(`SELECT ${SOURCE} FROM items WHERE handle = ?`, [handle])
  return row && parsedSource(row)
}

/** The last items of an arc in which something is said or decided, oldest first. */
export function arcSpeech(db: ReadDb, arcId: string, limit: number): RungSource[] {
  return db
    .all<SourceRow>(
      `SELECT * FROM (SELECT ${SOURCE}, position FROM item_rows INDEXED BY items_arc WHERE arc = ${numberOf()}
         AND kind IN ('conclusion', 'decision', 'plan', 'note') ORDER BY position DESC LIMIT ?) ORDER BY position`,
      [arcId, limit],
    )
    .map(parsedSource)
}

/** The last single steps of an arc: files, commands, errors; oldest first. Their texts are not read. */
export function arcSteps(
  db: ReadDb,
  arcId: string,
  limit: number,
): { handle: string; kind: ItemKind; data: Record<string, unknown>; cwd: string | null }[] {
  return db
    .all<{ handle: string; kind: ItemKind; data: string; cwd: string | null }>(
      `SELECT handle, kind, data, cwd FROM (SELECT handle, kind, data, position, ${CWD} FROM item_rows INDEXED BY items_arc
         WHERE arc = ${numberOf()} AND kind IN ('file_op', 'command', 'error') ORDER BY position DESC LIMIT ?)
       ORDER BY position`,
      [arcId, limit],
    )
    .map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }))
}

/** Asks for every rung anew, when what makes them has changed. */
export function requeueAllRungs(db: WriteDb): void {
  db.run('INSERT OR IGNORE INTO curate_queue (subject) SELECT handle FROM items')
  db.run('INSERT OR IGNORE INTO curate_queue (subject) SELECT id FROM arcs')
}

export function rungMethods(db: ReadDb, subject: string): Map<RungRow['level'], string> {
  const rows = db.all<{ level: RungRow['level']; method: string }>(
    'SELECT level, method FROM rungs WHERE subject = ?',
    [subject],
  )
  return new Map(rows.map((row) => [row.level, row.method]))
}
