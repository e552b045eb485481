import type { Handlers } from '../../../shared/contract'
import {
  addGate,
  decideGate,
  draftNotes,
  type GateDeps,
  importGates,
  listGates,
  metricsOf,
  predictGate,
  setTaskType,
  showGate,
  systemRandom,
} from '../../gates'
import { journalContext } from '../../journal'
import type { HandlerContext } from '../context'

type ReviewCalls =
  | 'gates.list'
  | 'gates.show'
  | 'gates.add'
  | 'gates.import'
  | 'gates.predict'
  | 'gates.draft'
  | 'gates.setTaskType'
  | 'gates.decide'
  | 'metrics.get'

/** Gate review over the contract. Every text a person types or hands over passes the redactor. */
export const reviewHandlers = (ctx: HandlerContext): Handlers<ReviewCalls> => {
  const { read, write, embedder, clock } = ctx
  const journal = journalContext(write, { clock })
  const redact: GateDeps['redact'] = (text) => journal.redact(text).text
  const deps: GateDeps = { read, write, embedder, clock, redact, random: systemRandom }
  const changed = (id: Parameters<typeof ctx.emit<'gates.changed'>>[1]['id']): void =>
    ctx.emit('gates.changed', { id })
  return {
    'gates.list': (input) => ({ gates: listGates(read, input) }),
    'gates.show': ({ id }) => showGate(read, id),
    'gates.add': (input) => {
      const added = addGate(deps, input)
      changed(added.id)
      return added
    },
    'gates.import': async (input) => {
      const report = await importGates(deps, input)
      if (report.imported > 0) changed(null)
      return report
    },
    'gates.predict': async (input) => {
      const view = await predictGate(deps, input)
      changed(input.id)
      return view
    },
    'gates.draft': ({ id, text }) => {
      draftNotes(deps, id, text)
      return {}
    },
    'gates.setTaskType': ({ id, taskType }) => {
      const line = setTaskType(deps, id, taskType)
      changed(id)
      return line
    },
    'gates.decide': async (input) => {
      await decideGate(deps, input)
      changed(input.id)
      return showGate(read, input.id)
    },
    'metrics.get': (input) => metricsOf(read, input),
  }
}
