import type { EventName, EventPayload, Handlers } from '@shared/contract'
import type { GateDetail } from '@shared/review'
import { gateId, today } from './ids'
import { prediction } from './review'

export type Emit = <N extends EventName>(event: N, payload: EventPayload<N>) => void

/** The gate calls over gates held in memory: a decision sticks, a draft is kept. */
export function gateHandlers(gates: Map<string, GateDetail>, emit: Emit): Partial<Handlers> {
  const gate = (id: string): GateDetail => {
    const found = gates.get(id)
    if (!found) throw new Error(`no gate ${id}`)
    return found
  }
  const inProject =
    (project: string | undefined) =>
    (one: { project: string | null }): boolean =>
      project === undefined || one.project === project

  return {
    'gates.list': ({ project }) => ({ gates: [...gates.values()].filter(inProject(project)) }),
    'gates.show': ({ id }) => gate(id),
    'gates.predict': ({ id, reveal }) => {
      const view = {
        seal: 'a3f9c1d2'.repeat(8),
        sealedAt: today,
        peeked: reveal ?? false,
        revealed: reveal ? prediction : null,
      }
      gates.set(id, reveal ? uncovered({ ...gate(id), prediction: view }) : { ...gate(id), prediction: view })
      return view
    },
    'gates.draft': ({ id, text }) => {
      gates.set(id, { ...gate(id), draft: text })
      return {}
    },
    'gates.setTaskType': ({ id, taskType }) => {
      gates.set(id, { ...gate(id), taskType })
      return gate(id)
    },
    'gates.add': () => ({ id: gateId(2), lineage: 'lin_1', version: 1 }),
    'gates.import': () => ({
      found: 0,
      imported: 0,
      approve: 0,
      correct: 0,
      reject: 0,
      pending: 0,
      gates: [],
    }),
    'gates.decide': ({ id, action, notes }) => {
      const outcome = action === 'approve' ? 'approve' : action === 'reject' ? 'reject' : 'correct'
      const old = gate(id)
      const next: GateDetail = {
        ...old,
        status: 'decided',
        outcome,
        foreseen: outcome === 'correct',
        draft: '',
        prediction: old.prediction && {
          ...old.prediction,
          revealed: prediction,
          salt: '9f21',
          intact: true,
        },
        decision: {
          action,
          outcome,
          speechAct: 'statement',
          notes: notes ?? '',
          decidedAt: today,
          via: 'app',
          surpriseBits: 0.6,
          pointer: null,
        },
      }
      gates.set(id, uncovered(next))
      emit('gates.changed', { id: next.id })
      return uncovered(next)
    },
  }
}

/** How similar gates ended, told once it can no longer sway anyone. */
const uncovered = (gate: GateDetail): GateDetail => ({
  ...gate,
  similar: gate.similar.map((one) => ({ ...one, outcome: one.round === 1 ? 'correct' : 'approve' })),
})
