import type { ReadDb, SqlValue, WriteDb } from './db'
import { numberOf } from './item-names'
import { pathOf } from './item-place'

// Gates, their artifacts and decisions. Rows are as SQLite holds them; the gates room gives them meaning.

export interface GateRow {
  id: string
  lineage: string
  round: number
  title: string
  state: string
  task_type: string
  task_from: 'person' | 'context' | 'artifact'
  project: string | null
  agent: string | null
  origin: string
  status: 'open' | 'decided' | 'ended'
  question: string
  session_id: string | null
  goal: string
  plan_handle: string | null
  decision_handle: string | null
  draft: string
  created_at: number
  provenance: string
  labels: string
}

export interface GateListRow extends GateRow {
  outcome: string | null
  /** The prediction as JSON, when there is one. */
  body: string | null
}

export interface ArtifactRow {
  gate_id: string
  version: number
  text: string
  sha256: string
  created_at: number
}

export interface DecisionRow {
  gate_id: string
  action: string
  outcome: 'approve' | 'correct' | 'reject'
  speech_act: string
  notes: string
  via: 'app' | 'cli' | 'transcript'
  decided_at: number
  surprise_bits: number | null
  pointer: string | null
}

export function insertGate(db: WriteDb, gate: GateRow): void {
  db.run(
    `INSERT INTO gates (id, lineage, round, title, state, task_type, task_from, project, agent, origin, status,
       question, session_id, goal, plan_handle, decision_handle, draft, created_at, provenance, labels)
     VALUES (:id, :lineage, :round, :title, :state, :task_type, :task_from, :project, :agent, :origin, :status,
       :question, :session_id, :goal, :plan_handle, :decision_handle, :draft, :created_at, :provenance, :labels)`,
    { ...gate } satisfies Record<string, SqlValue>,
  )
}

export function gateById(db: ReadDb, id: string): GateRow | undefined {
  return db.get<GateRow>('SELECT * FROM gates WHERE id = ?', [id])
}

export function gatesOfLineage(db: ReadDb, lineage: string): GateRow[] {
  return db.all<GateRow>('SELECT * FROM gates WHERE lineage = ? ORDER BY round, created_at', [lineage])
}

export function gatesOfSession(db: ReadDb, sessionId: string): GateRow[] {
  return db.all<GateRow>('SELECT * FROM gates WHERE session_id = ? ORDER BY created_at, id', [sessionId])
}

/** Whether the person is asked for any decision right now. */
export function anyOpen(db: ReadDb): boolean {
  return db.get("SELECT 1 AS one FROM gates WHERE status = 'open' LIMIT 1") !== undefined
}

/** Newest first, the open ones before all others. */
export function listGates(db: ReadDb, filter: { open: boolean; project?: string }): GateListRow[] {
  return db.all<GateListRow>(
    `SELECT g.*, d.outcome, p.body FROM gates g
       LEFT JOIN decisions d ON d.gate_id = g.id LEFT JOIN predictions p ON p.gate_id = g.id
     WHERE (:open = 0 OR g.status = 'open') AND (:project IS NULL OR g.project = :project)
     ORDER BY g.status = 'open' DESC, g.created_at DESC, g.id`,
    { open: filter.open ? 1 : 0, project: filter.project ?? null },
  )
}

export function setStatus(db: WriteDb, id: string, status: GateRow['status']): void {
  db.run('UPDATE gates SET status = ? WHERE id = ?', [status, id])
}

/** The decision of a gate that had ended without one has turned up in a transcript. */
export function settleGate(
  db: WriteDb,
  gate: Pick<GateRow, 'id' | 'status' | 'decision_handle' | 'provenance' | 'labels'>,
): void {
  db.run(
    `UPDATE gates SET status = :status, decision_handle = :decision_handle, provenance = :provenance, labels = :labels
     WHERE id = :id`,
    {
      id: gate.id,
      status: gate.status,
      decision_handle: gate.decision_handle,
      provenance: gate.provenance,
      labels: gate.labels,
    },
  )
}

export function setDraft(db: WriteDb, id: string, draft: string): void {
  db.run('UPDATE gates SET draft = ? WHERE id = ?', [draft, id])
}

export function setTaskType(db: WriteDb, id: string, taskType: string): void {
  db.run("UPDATE gates SET task_type = ?, task_from = 'person' WHERE id = ?", [taskType, id])
}

/** A new version of a gate that is still open: its reading is new too. */
export function setReading(
  db: WriteDb,
  id: string,
  reading: Pick<GateRow, 'title' | 'task_type' | 'task_from' | 'question'>,
): void {
  db.run(
    'UPDATE gates SET title = :title, task_type = :task_type, task_from = :task_from, question = :question WHERE id = :id',
    { id, ...reading },
  )
}

export function insertArtifact(db: WriteDb, artifact: ArtifactRow): void {
  db.run(
    `INSERT INTO artifacts (gate_id, version, text, sha256, created_at)
     VALUES (:gate_id, :version, :text, :sha256, :created_at)`,
    { ...artifact } satisfies Record<string, SqlValue>,
  )
}

export function artifactsOfLineage(db: ReadDb, lineage: string): ArtifactRow[] {
  return db.all<ArtifactRow>(
    `SELECT a.* FROM artifacts a JOIN gates g ON g.id = a.gate_id WHERE g.lineage = ? ORDER BY a.version`,
    [lineage],
  )
}

/** The version the person has before them. */
export function latestArtifact(db: ReadDb, gateId: string): ArtifactRow | undefined {
  return db.get<ArtifactRow>('SELECT * FROM artifacts WHERE gate_id = ? ORDER BY version DESC LIMIT 1', [
    gateId,
  ])
}

export function putUpstream(db: WriteDb, gateId: string, upstream: { name: string; text: string }): void {
  db.run(
    `INSERT INTO gate_upstream (gate_id, name, text) VALUES (?, ?, ?)
     ON CONFLICT (gate_id, name) DO UPDATE SET text = excluded.text`,
    [gateId, upstream.name, upstream.text],
  )
}

export function upstreamOf(db: ReadDb, gateId: string): { name: string; text: string }[] {
  return db.all('SELECT name, text FROM gate_upstream WHERE gate_id = ? ORDER BY name', [gateId])
}

export function insertDecision(db: WriteDb, decision: DecisionRow): void {
  db.run(
    `INSERT INTO decisions (gate_id, action, outcome, speech_act, notes, via, decided_at, surprise_bits, pointer)
     VALUES (:gate_id, :action, :outcome, :speech_act, :notes, :via, :decided_at, :surprise_bits, :pointer)`,
    { ...decision } satisfies Record<string, SqlValue>,
  )
}

export function decisionOf(db: ReadDb, gateId: string): DecisionRow | undefined {
  return db.get<DecisionRow>('SELECT * FROM decisions WHERE gate_id = ?', [gateId])
}

export function decisionsInOrder(db: ReadDb): DecisionRow[] {
  return db.all<DecisionRow>('SELECT * FROM decisions ORDER BY decided_at, gate_id')
}

/** Decisions of a lineage with the version that was decided on. */
export function notesOfLineage(
  db: ReadDb,
  lineage: string,
): {
  gate_id: string
  version: number
  notes: string
  decided_at: number
  outcome: DecisionRow['outcome']
}[] {
  return db.all(
    `SELECT d.gate_id, d.notes, d.decided_at, d.outcome,
       (SELECT max(version) FROM artifacts a WHERE a.gate_id = g.id) AS version
     FROM gates g JOIN decisions d ON d.gate_id = g.id WHERE g.lineage = ? ORDER BY d.decided_at`,
    [lineage],
  )
}

/** An item of a transcript with what a gate needs of it. Long texts are deflated. */
export interface TranscriptItemRow {
  handle: string
  kind: string
  session_id: string
  session_project: string | null
  agent: string
  position: number
  ts: number
  project: string | null
  goal_handle: string | null
  text: string | null
  text_z: Uint8Array | null
  data: string
  file_path: string
  record_id: string | null
  line: number
  byte_offset: number
  byte_length: number
  labels: string
}

const ITEM = `SELECT i.handle, i.kind, i.session_id, s.project AS session_project, s.agent, i.position, i.ts, i.project,
  i.goal_handle, i.text, i.text_z, i.data, ${pathOf('i')} AS file_path, i.record_id, i.line, i.byte_offset, i.byte_length, i.labels
  FROM items i JOIN sessions s ON s.id = i.session_id`

/** Plans that went to a gate, oldest first; only those of one file or folder when a path is given. */
export function gatePlans(db: ReadDb, path: string | null): TranscriptItemRow[] {
  return db.all<TranscriptItemRow>(
    `${ITEM} WHERE i.kind = 'plan' AND json_extract(i.data, '$.gate.toolUseId') IS NOT NULL
       AND (:path IS NULL OR ${pathOf('i')} = :path OR substr(${pathOf('i')}, 1, length(:path) + 1) = :path || :sep)
     ORDER BY i.ts, i.id`,
    { path, sep: path?.includes('\\') ? '\\' : '/' },
  )
}

export function planDecisions(db: ReadDb): TranscriptItemRow[] {
  return db.all<TranscriptItemRow>(
    `${ITEM} WHERE i.kind = 'decision' AND json_extract(i.data, '$.of') = 'plan' ORDER BY i.ts, i.id`,
  )
}

/** Goals that carry out some plan, in any session of the project, not before a moment. */
export function carriedOutPlans(
  db: ReadDb,
  find: { project: string | null; since: number },
): { handle: string; planHash: string | null; text: string | null; text_z: Uint8Array | null }[] {
  return db.all(
    `SELECT i.handle, json_extract(i.data, '$.planHash') AS planHash, i.text, i.text_z
     FROM items i JOIN sessions s ON s.id = i.session_id
     WHERE i.kind = 'goal' AND i.ts >= :since
       AND (json_extract(i.data, '$.implementsPlan') = 1 OR json_extract(i.data, '$.planHash') IS NOT NULL)
       AND (:project IS NULL OR coalesce(s.project, i.project) IS :project)
     ORDER BY i.ts, i.id`,
    find,
  )
}

/** What the person typed next in a session after a place in it. */
export function nextGoal(db: ReadDb, sessionId: string, position: number): TranscriptItemRow | undefined {
  return db.get<TranscriptItemRow>(
    `${ITEM} WHERE (i.kind = 'goal' OR (i.kind = 'note' AND json_extract(i.data, '$.remark') = 1))
       AND i.session = ${numberOf()} AND i.position > ?
       AND coalesce(json_extract(i.data, '$.implementsPlan'), 0) = 0
     ORDER BY i.position LIMIT 1`,
    [sessionId, position],
  )
}

export function itemByHandle(db: ReadDb, handle: string): TranscriptItemRow | undefined {
  return db.get<TranscriptItemRow>(`${ITEM} WHERE i.handle = ?`, [handle])
}
