import type { GateId, GateState, TaskType } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import { Faculty } from '../faculty'
import { facultyStore } from '../journal'
import { gatesSql } from '../store'
import { type GateDeps, newGateId, sha256 } from './deps'
import { PROXY } from './pass-receipts'
import { gateOf } from './subject'
import { type TaskFrom, taskTypeOf } from './task-type'
import { titleOf } from './title'

export interface NewGate {
  text: string
  title?: string | undefined
  state: GateState
  taskType?: TaskType | undefined
  project?: string | undefined
  upstream: readonly { name: string; text: string }[]
  question: string
  /** A lineage or a gate of it to go on with; any other name begins a lineage of that name. */
  lineage?: string | undefined
  origin: 'cli' | 'app'
}

/**
 * Puts an artifact in front of the person. On a lineage whose last gate is still open it is a new version of that
 * gate; after a decision it is the next round.
 */
export function addGate(deps: GateDeps, request: NewGate): { id: GateId; lineage: string; version: number } {
  const text = deps.redact(request.text.normalize('NFC'))
  const title = request.title === undefined ? undefined : deps.redact(request.title)
  const question = deps.redact(request.question)
  const upstream = request.upstream.map(({ name, text: own }) => ({
    name: deps.redact(name),
    text: deps.redact(own),
  }))
  const task = taskTypeOf(
    request.taskType,
    `${title ?? ''}\n${question}`,
    `${titleOf(text, '')}\n${upstream.map((one) => one.text).join('\n')}\n${text}`,
  )
  const reading = { title: title?.trim() || titleOf(text), question, task }
  return deps.write.transaction(() => {
    const lineage = lineageOf(deps, request.lineage)
    const before = lineage === null ? [] : gatesSql.gatesOfLineage(deps.write, lineage)
    const open = before.findLast(({ status }) => status === 'open')
    const id = open ? (open.id as GateId) : newGateId(deps.random)
    const name = lineage ?? `lin_${id.slice(4)}`
    if (open) {
      gatesSql.setReading(deps.write, open.id, {
        title: reading.title,
        question: question || open.question,
        task_type: open.task_from === 'person' ? open.task_type : task.taskType,
        task_from: open.task_from === 'person' ? 'person' : task.from,
      })
    } else {
      const round = (before.at(-1)?.round ?? 0) + 1
      gatesSql.insertGate(deps.write, newRow(deps, request, { ...reading, id, lineage: name, round }))
    }
    for (const one of upstream) gatesSql.putUpstream(deps.write, id, one)
    const version = (gatesSql.artifactsOfLineage(deps.write, name).at(-1)?.version ?? 0) + 1
    const created_at = deps.clock()
    gatesSql.insertArtifact(deps.write, { gate_id: id, version, text, sha256: sha256(text), created_at })
    new Faculty(PROXY, facultyStore(deps.write), created_at).hear({
      id: `gate:${id}:${version}`,
      kind: 'gate-opened',
      at: created_at,
      handle: null,
    })
    return { id, lineage: name, version }
  })
}

function lineageOf(deps: GateDeps, given: string | undefined): string | null {
  if (given === undefined) return null
  const name = deps.redact(given).trim()
  if (name === '' || name.length > 200) {
    throw new AppError(
      'bad-input',
      'A lineage is the id of an earlier gate, or a name of up to 200 characters.',
    )
  }
  return name.startsWith('gat_') ? gateOf(deps.write, name).lineage : name
}

function newRow(
  deps: GateDeps,
  request: NewGate,
  made: {
    id: GateId
    lineage: string
    round: number
    title: string
    question: string
    task: { taskType: TaskType; from: TaskFrom }
  },
): gatesSql.GateRow {
  return {
    id: made.id,
    lineage: made.lineage,
    round: made.round,
    title: made.title,
    state: request.state,
    task_type: made.task.taskType,
    task_from: made.task.from,
    project: request.project === undefined ? null : deps.redact(request.project),
    agent: null,
    origin: request.origin,
    status: 'open',
    question: made.question,
    session_id: null,
    goal: '',
    plan_handle: null,
    decision_handle: null,
    draft: '',
    created_at: deps.clock(),
    provenance: '[]',
    labels: '[]',
  }
}
