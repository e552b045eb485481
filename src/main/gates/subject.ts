import { Agent, GateState, type Outcome, TaskType } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { PastGate } from '../proxy'
import { gatesSql, type ReadDb } from '../store'

/** A gate as both passes need it, and the version it is about. */
export interface Subject {
  row: gatesSql.GateRow
  version: number
  gate: Omit<PastGate, 'outcome' | 'words'>
}

/** What brings a gate up is cut here: its vector does not read further. */
const STIMULUS = 1000

/** @throws AppError `not-found` */
export function gateOf(db: ReadDb, id: string): gatesSql.GateRow {
  const row = gatesSql.gateById(db, id)
  if (!row) throw new AppError('not-found', `There is no gate ${id}.`)
  return row
}

export function subjectOf(db: ReadDb, row: gatesSql.GateRow): Subject {
  const artifact = gatesSql.latestArtifact(db, row.id)
  const version = artifact?.version ?? 1
  // Only rounds before this one: a replay must not learn from what came after.
  const before = gatesSql.notesOfLineage(db, row.lineage).filter((round) => round.version < version)
  return {
    row,
    version,
    gate: {
      id: row.id,
      title: row.title,
      situation: situationOf(row, before.at(-1)?.outcome ?? null),
      stimulus: stimulusOf(row),
      artifact: artifact?.text ?? '',
      upstream: gatesSql.upstreamOf(db, row.id),
    },
  }
}

/** A task type that only the artifact told stays out of the situation, because the prior sees the situation. */
export function situationOf(
  row: Pick<gatesSql.GateRow, 'state' | 'task_type' | 'task_from' | 'project' | 'agent' | 'round'>,
  last: Outcome | null,
): PastGate['situation'] {
  return {
    state: GateState.parse(row.state),
    taskType: row.task_from === 'artifact' ? null : TaskType.parse(row.task_type),
    project: row.project,
    agent: row.agent === null ? null : Agent.parse(row.agent),
    round: row.round,
    last,
  }
}

export const stimulusOf = (row: Pick<gatesSql.GateRow, 'question' | 'goal'>): string =>
  (row.question || row.goal).slice(0, STIMULUS)
