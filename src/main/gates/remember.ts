import type { GateState } from '../../shared/domain'
import {
  attentionDeltas,
  type CasePrediction,
  creationTraces,
  observationOf,
  type PastGate,
  type Prepared,
  salienceText,
  situationText,
  type Vec,
  type VectorSpace,
  winner,
} from '../proxy'
import { type gatesSql, proxySql, type WriteDb } from '../store'
import { toBlob } from './experience'

/** A decided gate on its way into memory. */
export interface Remembered {
  row: gatesSql.GateRow
  gate: PastGate
  prepared: Prepared
  made: Pick<CasePrediction, 'prediction' | 'salient' | 'used'>
  space: VectorSpace
  at: number
}

/** The two vectors that only a decision gives. Computed before the transaction, which must stay short. */
export async function decisionVectors(
  { gate, made }: Pick<Remembered, 'gate' | 'made'>,
  space: VectorSpace,
): Promise<{ response: Vec; salience: Vec }> {
  const salience = salienceText(situationText(gate.situation), made.prediction.salience)
  const [a = new Float32Array(), b = new Float32Array()] = await space.short([gate.words, salience])
  return { response: a, salience: b }
}

/**
 * Writes the chunk, the attention counts and the traces of what was used. Inside the caller's transaction.
 * Only for a person's answer.
 */
export function remember(
  db: WriteDb,
  remembered: Remembered,
  vectors: Awaited<ReturnType<typeof decisionVectors>>,
): void {
  const interaction = proxySql.lastInteraction(db) + 1
  proxySql.insertChunk(db, chunkOf(remembered, vectors, interaction))
  for (const id of remembered.made.used) proxySql.addTrace(db, id, interaction)
  const { gate, prepared, made } = remembered
  const state: GateState = gate.situation.state
  for (const [phrase, delta] of attentionDeltas(observationOf(gate, prepared, made.salient))) {
    const { present, salient, notApproved, named } = delta
    proxySql.addAttention(db, { state, phrase, present, salient, not_approved: notApproved, named })
  }
}

/** A gate leaves one chunk, so its id follows from the gate's. */
export const chunkIdOf = (gateId: string): string => gateId.replace(/^gat_/, 'chk_')

function chunkOf(
  { row, gate, prepared, made, space, at }: Remembered,
  vectors: { response: Vec; salience: Vec },
  interaction: number,
): proxySql.ChunkRow {
  const { context, inspection } = prepared
  const { prior, posterior, salience } = made.prediction
  const foreseen = winner(posterior)
  const stored = (vector: Vec): Uint8Array | null => (space.semantic ? toBlob(vector) : null)
  return {
    id: chunkIdOf(row.id),
    interaction,
    kind: 'gate',
    gate_id: row.id,
    state: row.state,
    task_type: row.task_type,
    project: row.project,
    agent: row.agent,
    round: row.round,
    size: gate.artifact.length,
    outcome: gate.outcome,
    situation: situationText(gate.situation),
    stimulus: gate.stimulus,
    terms: JSON.stringify([...inspection.view.terms]),
    prior: JSON.stringify(prior),
    posterior: JSON.stringify(posterior),
    salience,
    percepts: JSON.stringify(made.salient),
    features: JSON.stringify(inspection.observations.map(({ phrase }) => phrase)),
    response: gate.words,
    delta: foreseen === gate.outcome ? '' : `I expected “${foreseen}”; it was “${gate.outcome}”.`,
    answered_by: 'person',
    traces: JSON.stringify(creationTraces(gate.outcome, interaction)),
    vector_model: space.semantic ? space.name : null,
    v_situation: stored(context.situation),
    v_artifact: stored(inspection.vector),
    v_stimulus: stored(context.stimulus),
    v_response: stored(vectors.response),
    v_salience: stored(vectors.salience),
    created_at: at,
    provenance: row.provenance,
    labels: row.labels,
  }
}
