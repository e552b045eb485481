import { expect, test } from 'vitest'
import { applyRetention, curate, saveRetention } from '../../../src/main/curator'
import { hydrate } from '../../../src/main/hydration'
import { curatorSql } from '../../../src/main/store'
import type { RetentionRule } from '../../../src/shared/retention'
import { ask, DAY, memory, NOW, remember } from './memory'

const LONG = `We moved the webhook queue of src/pay/retry.ts behind a lock, and no event is lost any more. We decided to keep the retry table. ${'The rest of it is told at length. '.repeat(30)}`
const GOAL = 'webhook queue of src/pay/retry.ts'

/** One old conclusion, curated, after these rules, and how a frame shows it. */
async function after(days: Partial<Record<RetentionRule['level'], number>>, budget = 400) {
  const { db, ports } = memory()
  const [handle = ''] = remember(db, [{ kind: 'conclusion', text: LONG, ts: NOW - 2000 * DAY }])
  db.run('INSERT INTO curate_queue (subject) VALUES (?) ON CONFLICT DO NOTHING', [handle])
  while (curate(db, { now: 1 }) > 0);
  const made = curatorSql.rungs(db, [handle]).get(handle)
  const rules = Object.entries(days).map(([level, value]) => ({ source: null, level, days: value }))
  saveRetention(db, rules as RetentionRule[])
  await applyRetention(db, { now: NOW, compact: false, rest: async () => undefined })
  const { frame, receipt } = await hydrate(ports, ask(GOAL, { budget }))
  const [fact] = receipt.facts
  return { made, frame, fact }
}

test('where the verbatim text was let go a frame shows its sentence or its distillation, not its kind', async () => {
  const { made, frame, fact } = await after({ L0: 90 })
  expect(made?.L1?.text).toMatch(/webhook queue/)
  expect(['L1', 'L2']).toContain(fact?.level)
  expect(frame).toContain('We moved the webhook queue of src/pay/retry.ts behind a lock')
  expect(frame).not.toContain('told at length')
})

test('where the sentence went as well, what is left of it is shown', async () => {
  const { frame, fact } = await after({ L0: 90, L1: 365 })
  expect(fact?.level).toBe('L2')
  expect(frame).toContain('We moved the webhook queue of src/pay/retry.ts behind a lock')
  const skeleton = await after({ L0: 90, L1: 365, L2: 1825 })
  expect(skeleton.fact?.level).toBe('L3')
  expect(skeleton.frame).toContain(skeleton.made?.L3?.text ?? 'no skeleton')
})

test('what is kept is shown as ever', async () => {
  const { frame, fact } = await after({})
  expect(fact?.level).toBe('L0')
  expect(frame).toContain('We moved the webhook queue of src/pay/retry.ts behind a lock')
})
