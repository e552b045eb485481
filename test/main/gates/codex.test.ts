import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importGates, systemRandom } from '../../../src/main/gates'
import { noEmbedder } from '../../../src/main/models'
import { temporaryFolder } from '../../support'
import { type Rollout, rollout } from '../journal/rollouts'
import { ingest, jsonl, openJournal, put } from '../journal/transcripts'

const PLAN = '# Export invoices\n\n1. Write the exporter\n2. Test it'

function planned(n: number): Rollout {
  const s = rollout(n, { start: Date.parse('2026-07-02T09:00:00Z') + n * 3_600_000 })
  s.meta()
  const turn_id = s.turn('plan')
  s.user('plan the invoice export')
  s.event('item_completed', { turn_id, item: { type: 'Plan', id: 'p', text: PLAN } })
  s.said(`<proposed_plan>\n${PLAN}\n</proposed_plan>`)
  s.done()
  return s
}

async function imported(...sessions: Rollout[]) {
  const { db, journal } = openJournal()
  const folder = temporaryFolder()
  for (const s of sessions) put(join(folder, `${s.id}.jsonl`), jsonl(s.lines))
  await ingest(journal, folder)
  const redact = (text: string): string => journal.redact(text).text
  const embedder = noEmbedder('no model in this test')
  const deps = { read: db, write: db, embedder, clock: Date.now, redact, random: systemRandom }
  const report = await importGates(deps, {})
  expect(await importGates(deps, {})).toEqual({ ...report, imported: 0 })
  return report
}

describe('plan gates of Codex', () => {
  test('"Implement the plan." is an approval, words in plan mode a correction', async () => {
    const s = planned(1)
    s.turn('plan')
    s.user('use a queue for step 1')
    s.said(`<proposed_plan>\n${PLAN} with a queue\n</proposed_plan>`)
    s.done()
    s.turn('default')
    s.user('Implement the plan.')
    const report = await imported(s)
    expect(report.gates.map(({ outcome, words }) => [outcome, words])).toEqual([
      ['correct', 'use a queue for step 1'],
      ['approve', ''],
    ])
  })

  test('a plan carried out in a fresh session was approved there', async () => {
    const fresh = rollout(2, { start: Date.parse('2026-07-02T12:00:00Z') })
    fresh.meta()
    fresh.turn('default')
    const prefix =
      "A previous agent produced the plan below to accomplish the user's task. Implement the plan in a fresh context. Treat the plan as the source of user intent, re-read files as needed, and carry the work through implementation and verification."
    fresh.user(`${prefix}\n\n${PLAN}`)
    const report = await imported(planned(1), fresh)
    expect(report).toMatchObject({ found: 1, approve: 1 })
    expect(report.gates[0]?.pointer.file).toContain(fresh.id)
  })

  test('a plan that still waits in its dialog is no gate yet', async () => {
    expect(await imported(planned(1))).toMatchObject({ found: 0, pending: 0 })
  })
})
