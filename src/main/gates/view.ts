import {
  Agent,
  GateAction,
  GateId,
  GateState,
  type Outcome,
  Pointer,
  SpeechAct,
  TaskType,
} from '../../shared/domain'
import { type Decision, type GateDetail, GateLine, Prediction } from '../../shared/review'
import { attentionLines, bagVector, cosine, isListed, stemsOf, winner } from '../proxy'
import { gatesSql, proxySql, type ReadDb } from '../store'
import { loadAttention } from './experience'
import { pointerOf } from './import'
import { predictionView } from './predict'
import { gateOf } from './subject'

const SIMILAR = 5
const ALIKE = 0.1

export function listGates(db: ReadDb, filter: { open: boolean; project?: string | undefined }): GateLine[] {
  const { open, project } = filter
  return gatesSql.listGates(db, project === undefined ? { open } : { open, project }).map(lineOf)
}

/** @throws AppError `not-found` */
export function showGate(db: ReadDb, id: string): GateDetail {
  return db.snapshot(() => {
    const row = gateOf(db, id)
    const decision = decisionOf(db, id)
    const body = proxySql.predictionOf(db, id)?.body ?? null
    const versions = gatesSql.artifactsOfLineage(db, row.lineage)
    const prediction = predictionView(db, id)
    const isBlind = row.status === 'open' && !prediction?.peeked
    const item = row.plan_handle === null ? undefined : gatesSql.itemByHandle(db, row.plan_handle)
    return {
      ...lineOf({ ...row, outcome: decision?.outcome ?? null, body }),
      lineage: row.lineage,
      question: row.question,
      upstream: gatesSql.upstreamOf(db, id),
      versions: versions.map(({ version, text, created_at, sha256 }) => ({
        version,
        text,
        createdAt: created_at,
        sha256,
        empty: text.trim() === '',
      })),
      notes: gatesSql
        .notesOfLineage(db, row.lineage)
        .filter(({ notes }) => notes !== '')
        .map(({ version, notes, decided_at }) => ({ version, text: notes, ts: decided_at })),
      draft: row.draft,
      prediction,
      decision,
      pointer: item ? pointerOf(item) : null,
      attention: attentionLines(loadAttention(db, GateState.parse(row.state))),
      similar: similarTo(db, row, isBlind),
    }
  })
}

/** One line of the queue. Whether the decision was foreseen is told only once there is one. */
export function lineOf(row: gatesSql.GateListRow): GateLine {
  const foreseen =
    row.body !== null && row.outcome !== null
      ? winner(Prediction.parse(JSON.parse(row.body)).posterior) === row.outcome
      : null
  return GateLine.parse({
    id: GateId.parse(row.id),
    title: row.title,
    state: GateState.parse(row.state),
    taskType: TaskType.parse(row.task_type),
    project: row.project,
    agent: row.agent === null ? null : Agent.parse(row.agent),
    round: row.round,
    origin: row.origin,
    createdAt: row.created_at,
    status: row.status,
    outcome: row.outcome,
    foreseen,
  })
}

function decisionOf(db: ReadDb, id: string): Decision | null {
  const row = gatesSql.decisionOf(db, id)
  if (!row) return null
  return {
    action: GateAction.parse(row.action),
    outcome: row.outcome,
    speechAct: SpeechAct.parse(row.speech_act),
    notes: row.notes,
    decidedAt: row.decided_at,
    via: row.via,
    surpriseBits: row.surprise_bits,
    pointer: row.pointer === null ? null : Pointer.parse(JSON.parse(row.pointer)),
  }
}

/**
 * Remembered gates whose artifact shares the most words with this one; those long unused are not listed. Blind, they
 * come without their outcomes.
 */
function similarTo(db: ReadDb, row: gatesSql.GateRow, isBlind: boolean): GateDetail['similar'] {
  const own = bagVector(stemsOf(gatesSql.latestArtifact(db, row.id)?.text ?? ''))
  const now = proxySql.lastInteraction(db) + 1
  return proxySql
    .allChunks(db)
    .filter(
      (chunk) =>
        chunk.gate_id !== null && chunk.gate_id !== row.id && isListed(JSON.parse(chunk.traces), now),
    )
    .map((chunk) => ({
      id: GateId.parse(chunk.gate_id),
      title: chunk.title ?? '',
      round: chunk.round,
      outcome: isBlind ? null : (chunk.outcome satisfies Outcome),
      ts: chunk.created_at,
      similarity: cosine(own, bagVector(JSON.parse(chunk.terms) as string[])),
    }))
    .filter(({ similarity }) => similarity >= ALIKE)
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, SIMILAR)
}
