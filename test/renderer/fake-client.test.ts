import { type CallName, calls } from '@shared/contract'
import { expect, test } from 'vitest'
import { fakeClient } from './fake-client'
import { arcs, gateId, receiptId } from './fake-data'

// Screens are judged by invented data; it must be data that main could send.
const inputs: Partial<Record<CallName, unknown>> = {
  'app.pickSave': { name: 'x.json' },
  'sources.health': { id: 'src_1' },
  'timeline.items': { arc: 'arc_0' },
  'items.get': { handle: arcs[0]?.goalHandle },
  'search.run': { text: 'retry' },
  'hydrate.run': { goal: 'retry' },
  'receipts.get': { id: receiptId(3) },
  'receipts.replay': { id: receiptId(3) },
  'gates.show': { id: gateId(1) },
  'gates.predict': { id: gateId(1) },
  'gates.decide': { id: gateId(2), action: 'approve' },
  'export.run': { out: '/x.json', ceiling: 'L2' },
}
const plain: CallName[] = [
  'app.info',
  'settings.get',
  'stats.get',
  'index.status',
  'ingest.status',
  'projects.list',
  'projects.aliases',
  'sources.detect',
  'sources.list',
  'timeline.days',
  'timeline.arcs',
  'planes.list',
  'receipts.list',
  'gates.list',
]

test.each([...plain, ...(Object.keys(inputs) as CallName[])])(
  '%s answers as the contract says',
  async (name) => {
    const client = fakeClient('full')
    const answer = await client.call(name, calls[name].input.parse(inputs[name] ?? {}))
    expect(answer.ok).toBe(true)
    expect(calls[name].output.safeParse(answer.ok ? answer.value : null).error).toBeUndefined()
  },
)
