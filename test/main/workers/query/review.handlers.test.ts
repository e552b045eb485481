import { describe, expect, test } from 'vitest'
import { noKey } from '../../../../src/main/journal'
import { noEmbedder } from '../../../../src/main/models'
import { reviewHandlers } from '../../../../src/main/workers/query/review.handlers'
import { type CallInput, type CallName, type CallOutput, calls } from '../../../../src/shared/contract'
import { temporaryDb } from '../../../support'

const SECRET = 'ghp_9fK2mQ7xT4vB8nR1cW6yZ3dL5hJ0sPaEuGoI'

/** The handlers behind the contract's own validation, as the engine calls them. */
function review() {
  const db = temporaryDb()
  const events: string[] = []
  let now = 1_800_000_000_000
  const handlers = reviewHandlers({
    home: '/nowhere',
    read: db,
    write: db,
    embedder: noEmbedder('there is no model here'),
    clock: () => now++,
    emit: (event) => events.push(event),
    key: noKey,
  })
  const call = async <N extends keyof typeof handlers & CallName>(
    name: N,
    input: CallInput<N>,
  ): Promise<CallOutput<N>> => {
    const handler = handlers[name] as (given: unknown) => unknown
    return calls[name].output.parse(await handler(calls[name].input.parse(input))) as CallOutput<N>
  }
  return { db, events, call }
}

describe('gate review over the contract', () => {
  test('adds, predicts blindly, decides and measures, each answer of the declared shape', async () => {
    const { call, events } = review()
    const { id, version } = await call('gates.add', { text: '# Move invoices\nMigrate the table.' })
    expect(version).toBe(1)
    expect((await call('gates.predict', { id })).revealed).toBeNull()
    await call('gates.draft', { id, text: 'a thought' })
    expect((await call('gates.list', { open: true })).gates).toMatchObject([
      { id, taskType: 'migration', status: 'open' },
    ])
    expect((await call('gates.setTaskType', { id, taskType: 'refactor' })).taskType).toBe('refactor')
    const decided = await call('gates.decide', { id, action: 'correct', notes: 'Add a rollback', via: 'app' })
    expect(decided).toMatchObject({
      status: 'decided',
      decision: { via: 'app', speechAct: 'request' },
      prediction: { intact: true },
    })
    expect((await call('gates.list', { open: true })).gates).toEqual([])
    expect(await call('metrics.get', {})).toMatchObject({ n: 1, remembered: 1 })
    expect(await call('gates.import', {})).toMatchObject({ found: 0, imported: 0 })
    expect(new Set(events)).toEqual(new Set(['gates.changed']))
  })

  test('lets no secret into the database by any of its doors', async () => {
    const { call, db } = review()
    const text = `use ${SECRET}`
    const { id } = await call('gates.add', {
      text,
      title: text,
      question: text,
      upstream: [{ name: 'a', text }],
    })
    await call('gates.draft', { id, text })
    expect((await call('gates.show', { id })).draft).toMatch(/\[secret:[\w-]+:[0-9a-f]{4}\]/)
    await call('gates.decide', { id, action: 'correct', notes: text })
    for (const table of [
      'gates',
      'artifacts',
      'gate_upstream',
      'decisions',
      'predictions',
      'chunks',
      'attention',
    ]) {
      expect(JSON.stringify(db.all(`SELECT * FROM ${table}`))).not.toContain(SECRET)
    }
  })
})
