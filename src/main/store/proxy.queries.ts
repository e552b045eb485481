import type { ReadDb, SqlValue, WriteDb } from './db'

// Sealed predictions, chunks, attention.

export interface PredictionRow {
  gate_id: string
  version: number
  seal: string
  salt: string
  sealed_at: number
  peeked: 0 | 1
  engine: string
  /** JSON of the contract's prediction. */
  body: string
  /** JSON `{used: chunk ids, salient: phrases}`. */
  memory: string
}

export function predictionOf(db: ReadDb, gateId: string): PredictionRow | undefined {
  return db.get<PredictionRow>('SELECT * FROM predictions WHERE gate_id = ?', [gateId])
}

/** One prediction a gate. A new one for a new version never unsees a peek. */
export function putPrediction(db: WriteDb, prediction: PredictionRow): void {
  db.run(
    `INSERT INTO predictions (gate_id, version, seal, salt, sealed_at, peeked, engine, body, memory)
     VALUES (:gate_id, :version, :seal, :salt, :sealed_at, :peeked, :engine, :body, :memory)
     ON CONFLICT (gate_id) DO UPDATE SET version = excluded.version, seal = excluded.seal, salt = excluded.salt,
       sealed_at = excluded.sealed_at, peeked = max(peeked, excluded.peeked), engine = excluded.engine,
       body = excluded.body, memory = excluded.memory`,
    { ...prediction } satisfies Record<string, SqlValue>,
  )
}

export function markPeeked(db: WriteDb, gateId: string): void {
  db.run('UPDATE predictions SET peeked = 1 WHERE gate_id = ?', [gateId])
}

export interface ChunkRow {
  id: string
  interaction: number
  kind: 'gate' | 'turn' | 'observation'
  gate_id: string | null
  state: string
  task_type: string
  project: string | null
  agent: string | null
  round: number
  size: number
  outcome: 'approve' | 'correct' | 'reject'
  situation: string
  stimulus: string
  terms: string
  prior: string | null
  posterior: string | null
  salience: string
  percepts: string
  features: string
  response: string
  delta: string
  answered_by: 'person' | 'proxy'
  traces: string
  vector_model: string | null
  v_situation: Uint8Array | null
  v_artifact: Uint8Array | null
  v_stimulus: Uint8Array | null
  v_response: Uint8Array | null
  v_salience: Uint8Array | null
  created_at: number
  provenance: string
  labels: string
}

export function insertChunk(db: WriteDb, chunk: ChunkRow): void {
  db.run(
    `INSERT INTO chunks (id, interaction, kind, gate_id, state, task_type, project, agent, round, size, outcome,
       situation, stimulus, terms, prior, posterior, salience, percepts, features, response, delta, answered_by, traces,
       vector_model, v_situation, v_artifact, v_stimulus, v_response, v_salience, created_at, provenance, labels)
     VALUES (:id, :interaction, :kind, :gate_id, :state, :task_type, :project, :agent, :round, :size, :outcome,
       :situation, :stimulus, :terms, :prior, :posterior, :salience, :percepts, :features, :response, :delta,
       :answered_by, :traces, :vector_model, :v_situation, :v_artifact, :v_stimulus, :v_response, :v_salience,
       :created_at, :provenance, :labels)`,
    { ...chunk } satisfies Record<string, SqlValue>,
  )
}

export type RememberedRow = ChunkRow & { title: string | null }

/** All chunks with the title of their gate, in the order in which they were made. */
export function allChunks(db: ReadDb): RememberedRow[] {
  return db.all<RememberedRow>(
    'SELECT c.*, g.title FROM chunks c LEFT JOIN gates g ON g.id = c.gate_id ORDER BY c.interaction, c.id',
  )
}

export function lastInteraction(db: ReadDb): number {
  return db.get<{ last: number }>('SELECT coalesce(max(interaction), 0) AS last FROM chunks')?.last ?? 0
}

export function rememberedGates(db: ReadDb, filter: { state?: string; taskType?: string }): number {
  const row = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM chunks WHERE kind = 'gate' AND answered_by = 'person'
       AND (:state IS NULL OR state = :state) AND (:taskType IS NULL OR task_type = :taskType)`,
    { state: filter.state ?? null, taskType: filter.taskType ?? null },
  )
  return row?.n ?? 0
}

/** One more trace on a chunk that was used when the person answered. */
export function addTrace(db: WriteDb, chunkId: string, interaction: number): void {
  db.run("UPDATE chunks SET traces = json_insert(traces, '$[#]', ?) WHERE id = ?", [interaction, chunkId])
}

export function setChunkTaskType(db: WriteDb, gateId: string, taskType: string): void {
  db.run('UPDATE chunks SET task_type = ? WHERE gate_id = ?', [taskType, gateId])
}

/** Chunks without vectors of this model, with the artifact of their gate. */
export function chunksToEmbed(
  db: ReadDb,
  model: string,
  limit: number,
): (Pick<ChunkRow, 'id' | 'situation' | 'stimulus' | 'response' | 'salience'> & {
  artifact: string | null
})[] {
  return db.all(
    `SELECT c.id, c.situation, c.stimulus, c.response, c.salience,
       (SELECT a.text FROM artifacts a WHERE a.gate_id = c.gate_id ORDER BY a.version DESC LIMIT 1) AS artifact
     FROM chunks c WHERE c.vector_model IS NOT ? ORDER BY c.interaction LIMIT ?`,
    [model, limit],
  )
}

export function setVectors(
  db: WriteDb,
  id: string,
  vectors: Pick<
    ChunkRow,
    'vector_model' | 'v_situation' | 'v_artifact' | 'v_stimulus' | 'v_response' | 'v_salience'
  >,
): void {
  db.run(
    `UPDATE chunks SET vector_model = :vector_model, v_situation = :v_situation, v_artifact = :v_artifact,
       v_stimulus = :v_stimulus, v_response = :v_response, v_salience = :v_salience WHERE id = :id`,
    { id, ...vectors },
  )
}

export interface AttentionRow {
  state: string
  phrase: string
  present: number
  salient: number
  not_approved: number
  named: number
}

export function attentionOf(db: ReadDb, state: string): AttentionRow[] {
  return db.all<AttentionRow>('SELECT * FROM attention WHERE state = ? ORDER BY phrase', [state])
}

export function addAttention(db: WriteDb, row: AttentionRow): void {
  db.run(
    `INSERT INTO attention (state, phrase, present, salient, not_approved, named)
     VALUES (:state, :phrase, :present, :salient, :not_approved, :named)
     ON CONFLICT (state, phrase) DO UPDATE SET present = present + excluded.present,
       salient = salient + excluded.salient, not_approved = not_approved + excluded.not_approved,
       named = named + excluded.named`,
    { ...row } satisfies Record<string, SqlValue>,
  )
}

/** How the gates of a state ended in all: the base the attention map compares with. */
export function stateTotals(db: ReadDb, state: string): { gates: number; notApproved: number } {
  return (
    db.get<{ gates: number; notApproved: number }>(
      `SELECT count(*) AS gates, coalesce(sum(outcome != 'approve'), 0) AS notApproved FROM chunks
       WHERE state = ? AND kind = 'gate' AND answered_by = 'person'`,
      [state],
    ) ?? { gates: 0, notApproved: 0 }
  )
}

/** Gates a person answered after a sealed prediction that was not looked at; oldest first. */
export function scoredGates(
  db: ReadDb,
  filter: { state?: string; taskType?: string },
): { body: string; outcome: 'approve' | 'correct' | 'reject' }[] {
  return db.all(
    `SELECT p.body, d.outcome FROM gates g
       JOIN predictions p ON p.gate_id = g.id JOIN decisions d ON d.gate_id = g.id
     WHERE d.via IN ('app', 'cli') AND p.peeked = 0 AND p.sealed_at <= d.decided_at
       AND (:state IS NULL OR g.state = :state) AND (:taskType IS NULL OR g.task_type = :taskType)
     ORDER BY d.decided_at, g.id`,
    { state: filter.state ?? null, taskType: filter.taskType ?? null },
  )
}
