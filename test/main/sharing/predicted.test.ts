import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addGate, decideGate, importGates, predictGate, showGate } from '../../../src/main/gates'
import { enrol, ingestSources, listSources } from '../../../src/main/journal'
import { noEmbedder } from '../../../src/main/models'
import { eraseSource } from '../../../src/main/sharing'
import { proxySql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { openJournal, put, scribe } from '../journal/transcripts'
import { leftIn } from './erased-source'

const NAMES = ['walrus marker1q', 'Feed the lantern of bay2x under marker2q', 'Move the glacier to marker3q']

/** Plans of one source, whose titles and refusals the proxy quotes at a gate of the person's own. */
function writePlans(root: string): void {
  for (const [n, name] of NAMES.entries()) {
    const s = scribe(`P${n}`, { cwd: '/srv/quarry' })
    s.user('Go on with the quarry')
    s.call(`p${n}`, 'ExitPlanMode', { plan: `# ${name}\n1. Drop the table of invoices.\n2. Tell nobody.` })
    s.result(
      `p${n}`,
      `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nnever drop it, the marker9q${n} of the quarry says so`,
      { isError: true },
    )
    put(join(root, `P${n}.jsonl`), s.text())
  }
}

test('predictions at the person’s own gates lose the words of a forgotten source and keep their figures', async () => {
  const { db, journal } = openJournal()
  const root = join(temporaryFolder(), 'mine')
  writePlans(root)
  await ingestSources(journal, [enrol(journal, { path: root })])
  let drawn = 0
  const deps = {
    read: db,
    write: db,
    embedder: noEmbedder('no model in this test'),
    clock: () => Date.UTC(2026, 10, 30, 12),
    redact: (text: string) => text,
    random: () => new Uint8Array(16).fill(++drawn),
  }
  await importGates(deps, {})
  const gates = []
  for (const text of [
    '# Mend the export\n1. Drop the table of invoices.\n2. Tell nobody.',
    '# Mend it once more\n1. Drop the table of invoices.\n2. Ask first.',
  ]) {
    const { id } = addGate(deps, {
      text,
      state: 'PLAN_ASSERT',
      project: 'quarry',
      question: '',
      upstream: [],
      origin: 'cli',
    } as never)
    await predictGate(deps, { id, engine: 'case', reveal: false })
    gates.push(id)
  }
  const [decided = '', open = ''] = gates
  await decideGate(deps, { id: decided, action: 'approve', notes: '', via: 'cli' } as never)
  const seen = () => showGate(db, decided).prediction
  const before = seen()
  const figures = (view: ReturnType<typeof seen>) =>
    JSON.stringify(view?.revealed, (_key, value: unknown) => (typeof value === 'string' ? '' : value))
  expect(before?.intact).toBe(true)
  const said = [proxySql.predictionOf(db, decided), proxySql.predictionOf(db, open)].map((row) => row?.body)
  for (const body of said) expect(body).toMatch(/marker\dq/)

  const erased = await eraseSource(journal, listSources(db)[0]?.id ?? '')
  expect(erased.counts.predictions).toBeGreaterThanOrEqual(2)
  expect(leftIn(db, [...NAMES, ...[0, 1, 2].map((n) => `marker9q${n}`)])).toEqual([])
  const after = seen()
  expect(after?.intact).toBe(false)
  expect(after?.seal).toBe(before?.seal)
  expect(figures(after)).toBe(figures(before))
  // What the person's own plan says stays.
  expect(JSON.stringify(showGate(db, decided))).toContain('Drop the table of invoices.')
  expect(proxySql.scoredGates(db, {})).toHaveLength(1)
})
