import { existsSync } from 'node:fs'
import { type GateId, type Outcome, Pointer } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { GateImportReport } from '../../shared/review'
import {
  chooseSpace,
  type Experience,
  learn,
  type PastGate,
  predictCase,
  prepare,
  type VectorSpace,
} from '../proxy'
import { gatesSql, type ReadDb, unpackText, type WriteDb } from '../store'
import { type GateDeps, importedGateId, sha256 } from './deps'
import { ensureVectors, loadExperience } from './experience'
import { continuedLineage } from './lineage'
import { chunkIdOf, decisionVectors, remember } from './remember'
import { situationOf, stimulusOf } from './subject'
import { taskTypeOf } from './task-type'
import { goalTitle, titleOf } from './title'
import { type TranscriptPlan, transcriptPlans, type Verdict, verdictOf } from './transcript-plan'

const GOAL = 4000

type ReportLine = GateImportReport['gates'][number]

/**
 * Brings the plan gates of ingested transcripts in, oldest first, with the decision each transcript shows. They teach:
 * each is run through both passes from the ones before it, so that memory and attention start with real experience.
 * No prediction is stored for them, so none is ever scored. Importing again changes nothing.
 * @throws AppError `not-found` for a path where nothing is and from which nothing was ingested
 */
export async function importGates(
  deps: GateDeps,
  request: { path?: string | undefined },
): Promise<GateImportReport> {
  const plans = transcriptPlans(deps.read, request.path)
  if (plans.length === 0 && request.path !== undefined && !existsSync(request.path)) {
    throw new AppError(
      'not-found',
      `There is nothing at ${request.path}, and nothing was ingested from there.`,
    )
  }
  const now = deps.clock()
  const work = plans.map((found) => ({ found, verdict: verdictOf(deps.read, found, now) }))
  const fresh = work.filter(({ found, verdict }) => isNew(deps, found, verdict))
  if (fresh.length > 0) {
    const space = await chooseSpace(deps.embedder)
    await ensureVectors(deps.write, space)
    let experience = loadExperience(deps.read, space, ['PLAN_ASSERT'])
    for (const { found, verdict } of fresh) {
      if (verdict.status === 'decided')
        experience = await importDecided(deps, found, verdict, { experience, space })
      else deps.write.transaction(() => putGate(deps.write, found, verdict))
    }
  }
  const gates = work.map(({ found, verdict }) => reportLine(deps, found, verdict))
  const count = (outcome: ReportLine['outcome']): number =>
    gates.filter((gate) => gate.outcome === outcome).length
  return {
    found: gates.length,
    imported: fresh.length,
    approve: count('approve'),
    correct: count('correct'),
    reject: count('reject'),
    pending: count('pending'),
    gates,
  }
}

/** Not there yet, or there without the decision that has turned up since. A pending one is only reported. */
function isNew(deps: GateDeps, { plan }: TranscriptPlan, verdict: Verdict): boolean {
  if (verdict.status === 'pending') return false
  const known = gatesSql.gateById(deps.read, importedGateId(plan.handle))
  return !known || (known.status === 'ended' && verdict.status === 'decided')
}

async function importDecided(
  deps: GateDeps,
  found: TranscriptPlan,
  verdict: Extract<Verdict, { status: 'decided' }>,
  { experience, space }: { experience: Experience; space: VectorSpace },
): Promise<Experience> {
  const draft = draftGate(deps.read, found, verdict)
  const gate: PastGate = {
    id: draft.row.id,
    title: draft.row.title,
    situation: situationOf(draft.row, draft.last),
    stimulus: stimulusOf(draft.row),
    artifact: found.text,
    upstream: upstreamOf(draft.row.goal),
    outcome: verdict.outcome,
    words: verdict.words,
  }
  const prepared = await prepare(gate, experience, space)
  const made = predictCase(prepared.context, prepared.inspection, space.reason)
  const vectors = await decisionVectors({ gate, made }, space)
  const written = deps.write.transaction(() => {
    // Another process may have imported the same gate since this one looked.
    if (gatesSql.decisionOf(deps.write, draft.row.id)) return false
    const row = putGate(deps.write, found, verdict)
    gatesSql.insertDecision(deps.write, {
      gate_id: row.id,
      action: verdict.outcome,
      outcome: verdict.outcome,
      speech_act: verdict.speechAct,
      notes: verdict.words,
      via: 'transcript',
      decided_at: verdict.at,
      surprise_bits: null,
      pointer: JSON.stringify(pointerOf(found.result)),
    })
    remember(deps.write, { row, gate, prepared, made, space, at: verdict.at }, vectors)
    return true
  })
  if (!written) return loadExperience(deps.read, space, ['PLAN_ASSERT'])
  return learn(experience, { ...gate, id: chunkIdOf(gate.id) }, prepared, made, space)
}

const upstreamOf = (goal: string): { name: string; text: string }[] =>
  goal.trim() === '' ? [] : [{ name: 'goal', text: goal }]

/** Writes the gate as it stands; an ended one that has its decision now only changes state. */
function putGate(db: WriteDb, found: TranscriptPlan, verdict: Verdict): gatesSql.GateRow {
  const { row, version } = draftGate(db, found, verdict)
  if (gatesSql.gateById(db, row.id)) {
    gatesSql.settleGate(db, row)
    return row
  }
  gatesSql.insertGate(db, row)
  const { text } = found
  gatesSql.insertArtifact(db, {
    gate_id: row.id,
    version,
    text,
    sha256: sha256(text),
    created_at: found.plan.ts,
  })
  for (const upstream of upstreamOf(row.goal)) gatesSql.putUpstream(db, row.id, upstream)
  return row
}

/** The gate a plan makes: its place among the earlier plans of its session, its task, its goal. */
function draftGate(
  db: ReadDb,
  found: TranscriptPlan,
  verdict: Verdict,
): { row: gatesSql.GateRow; version: number; last: Outcome | null } {
  const { plan, text, result } = found
  const id = importedGateId(plan.handle)
  const earlier = gatesSql
    .gatesOfSession(db, plan.session_id)
    .filter((gate) => gate.id !== id && gate.created_at <= plan.ts)
    .map((gate) => ({ ...gate, text: gatesSql.latestArtifact(db, gate.id)?.text ?? '' }))
  const before = continuedLineage(text, earlier)
  const goalItem = plan.goal_handle === null ? undefined : gatesSql.itemByHandle(db, plan.goal_handle)
  const goal = goalItem ? unpackText(goalItem).slice(0, GOAL) : ''
  const task = taskTypeOf(undefined, goal, `${titleOf(text, '')}\n${text}`)
  const lineage = before?.lineage ?? `lin_${id.slice(4)}`
  const labels = new Set<string>([...JSON.parse(plan.labels), ...JSON.parse(result.labels)])
  const row: gatesSql.GateRow = {
    id,
    lineage,
    round: (before?.round ?? 0) + 1,
    title: titleOf(text, goal === '' ? undefined : goalTitle(goal)),
    state: 'PLAN_ASSERT',
    task_type: task.taskType,
    task_from: task.from,
    project: plan.session_project ?? plan.project,
    agent: plan.agent,
    origin: 'transcript',
    status: verdict.status === 'decided' ? 'decided' : 'ended',
    question: '',
    session_id: plan.session_id,
    goal,
    plan_handle: plan.handle,
    decision_handle: result.handle,
    draft: '',
    created_at: plan.ts,
    provenance: JSON.stringify(
      verdict.status === 'decided' ? verdict.evidence : [plan.handle, result.handle],
    ),
    labels: JSON.stringify([...labels].sort()),
  }
  const version = (gatesSql.artifactsOfLineage(db, lineage).at(-1)?.version ?? 0) + 1
  const answered = gatesSql.notesOfLineage(db, lineage).filter(({ decided_at }) => decided_at <= plan.ts)
  return { row, version, last: answered.at(-1)?.outcome ?? null }
}

function reportLine(deps: GateDeps, found: TranscriptPlan, verdict: Verdict): ReportLine {
  const id: GateId = importedGateId(found.plan.handle)
  const { file_path, line, record_id } = found.result
  const pointer = { file: file_path, line, recordId: record_id }
  // What was decided stays decided, also when the transcript is later cut.
  const stored = gatesSql.decisionOf(deps.read, id)
  if (verdict.status !== 'decided' && !stored) {
    return { id, pointer, outcome: verdict.status, speechAct: 'none', words: '' }
  }
  if (verdict.status === 'decided') {
    return { id, pointer, outcome: verdict.outcome, speechAct: verdict.speechAct, words: verdict.words }
  }
  return { id, pointer, outcome: stored?.outcome ?? 'ended', speechAct: 'none', words: stored?.notes ?? '' }
}

export function pointerOf(item: gatesSql.TranscriptItemRow): Pointer {
  return Pointer.parse({
    file: item.file_path,
    recordId: item.record_id,
    line: item.line,
    byteOffset: item.byte_offset,
    byteLength: item.byte_length,
  })
}
