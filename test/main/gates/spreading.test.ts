import { describe, expect, test } from 'vitest'
import { addGate, predictGate } from '../../../src/main/gates'
import { traceSql } from '../../../src/main/store'
import { Trace } from '../../../src/shared/attention'
import { gate, handleOf, journal } from './support'

/** A session whose goal names a file, what was said of it, and a plan of its own at a gate. */
async function passes(planNames: readonly string[]) {
  const room = journal()
  const { db, deps, add } = room
  add({ name: 'goal', kind: 'goal', text: 'Make src/pay.ts fast', data: {} })
  add({ name: 'loop', kind: 'decision', text: 'pay.ts may call ledger.ts once', data: {} })
  add({ name: 'lock', kind: 'decision', text: 'The ledger keeps its lock', data: {} })
  add({ name: 'logo', kind: 'decision', text: 'The logo stays blue', data: {} })
  add({ name: 'plan', kind: 'plan', text: planNames.join(' '), data: { gate: { toolUseId: 't' } } })
  const name = (item: string, path: string): void => {
    db.run("INSERT OR IGNORE INTO entities (kind, name, project) VALUES ('path', ?, 'shop')", [path])
    db.run(
      `INSERT INTO item_entities (item_id, entity_id, weight) VALUES
         ((SELECT id FROM items WHERE handle = ?), (SELECT id FROM entities WHERE name = ?), 1)`,
      [handleOf(item), path],
    )
  }
  name('loop', 'src/pay.ts')
  name('loop', 'src/ledger.ts')
  name('lock', 'src/ledger.ts')
  name('logo', 'src/logo.svg')
  for (const path of planNames) name('plan', path)
  const { id } = addGate(
    deps,
    gate({ text: `# Plan\n${planNames.join('\n')}`, question: 'Make src/pay.ts fast', project: 'shop' }),
  )
  db.run('UPDATE gates SET session_id = ?, plan_handle = ? WHERE id = ?', [
    'claude-code:s1',
    handleOf('plan'),
    id,
  ])
  const view = await predictGate(deps, { id, engine: 'case', reveal: true })
  const open = (receipt: string | null | undefined): Trace =>
    Trace.parse(JSON.parse(traceSql.traceOfReceipt(db, receipt ?? '')?.body ?? ''))
  const { prior, posterior } = view.revealed?.receipts ?? {}
  return { prior: open(prior), posterior: open(posterior) }
}

const spreadOf = ({ rows }: Trace, item: string): number | undefined =>
  rows.find(({ handles }) => handles.includes(handleOf(item) as never))?.terms.spread

describe('activation in the passes of a prediction', () => {
  test('goes two hops from what the question names, × 0.6 each, and leaves the rest dark', async () => {
    const { prior, posterior } = await passes([])
    for (const trace of [prior, posterior]) {
      expect(spreadOf(trace, 'loop')).toBe(1)
      expect(spreadOf(trace, 'lock')).toBeCloseTo(0.6 / Math.log2(3))
      expect(spreadOf(trace, 'logo')).toBe(0)
    }
  })

  test('never runs through the artifact: whatever the plan names, the prior is the same, byte for byte', async () => {
    const first = JSON.stringify((await passes([])).prior.rows)
    for (const named of [['src/logo.svg'], ['src/pay.ts', 'src/logo.svg'], ['src/ledger.ts', 'src/new.ts']]) {
      expect(JSON.stringify((await passes(named)).prior.rows)).toBe(first)
    }
  })
})
