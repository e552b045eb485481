import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addGate, decideGate, type NewGate, predictGate } from '../../../src/main/gates'
import { PASS_BUDGET } from '../../../src/main/gates/passes'
import { openReceipt } from '../../../src/main/hydration'
import { countTokens } from '../../../src/main/models'
import { settingsSql, traceSql } from '../../../src/main/store'
import { Trace } from '../../../src/shared/attention'
import { journal } from './support'

const PLAN = '# Move the invoices\n1. Migrate the zanzibar table.\n2. Run the tests.'
const gate = (more: Partial<NewGate> = {}): NewGate => ({
  text: PLAN,
  state: 'PLAN_ASSERT',
  upstream: [{ name: 'INTENT.md', text: 'Invoices belong into the quagga ledger.' }],
  question: 'May the invoices move?',
  origin: 'cli',
  ...more,
})

/** Predicts a gate and opens the receipts of both passes. */
async function passesOf(room: ReturnType<typeof journal>, more: Partial<NewGate> = {}) {
  const { deps } = room
  const { id } = addGate(deps, gate(more))
  const view = await predictGate(deps, { id, engine: 'case', reveal: true })
  const receipts = view.revealed?.receipts
  const open = (receipt: string | null | undefined) => {
    const row = traceSql.traceOfReceipt(deps.read, receipt ?? '')
    return { ...openReceipt(deps.read, receipt ?? ''), trace: Trace.parse(JSON.parse(row?.body ?? '')), row }
  }
  return { id, view, prior: open(receipts?.prior), posterior: open(receipts?.posterior) }
}

const taught = async (room: ReturnType<typeof journal>, rounds = 3): Promise<void> => {
  for (let i = 0; i < rounds; i++) {
    const { id } = addGate(
      room.deps,
      gate({ text: `# Earlier ${i}\n1. Drop the table.`, question: `Earlier ${i}?` }),
    )
    await decideGate(room.deps, { id, action: 'correct', notes: `Where is the rollback, ${i}?`, via: 'cli' })
  }
}

describe('the two passes of a prediction', () => {
  test('each leave a receipt of their own, with what was said to whom and a trace of every bid', async () => {
    const room = journal()
    await taught(room)
    const { prior, posterior } = await passesOf(room)
    for (const [pass, made] of [
      ['prior', prior],
      ['posterior', posterior],
    ] as const) {
      expect(made.kind).toBe('prediction')
      expect(made.receipt).toMatchObject({
        goal: 'May the invoices move?',
        request: { plane: pass, viewer: 'proxy' },
      })
      expect(made.receipt.budget.total).toBe(PASS_BUDGET[pass])
      expect(countTokens(made.frame, 'o200k')).toBe(made.receipt.budget.spent)
      expect(made.row).toMatchObject({ faculty: 'proxy.attention', purpose: pass })
      expect(made.trace.rows.every(({ verdict }) => verdict === 'kept')).toBe(true)
    }
    expect(prior.frame).toContain('Where is the rollback, 2?')
    expect(posterior.frame).toContain(PLAN)
    expect(posterior.frame).toContain('quagga ledger')
  })

  test('the prior holds nothing of the artifact, its title, or what it answers to', async () => {
    const room = journal()
    await taught(room)
    const { prior } = await passesOf(room)
    expect(prior.frame).not.toMatch(/zanzibar|Move the invoices|quagga|INTENT/)
    expect(JSON.stringify(prior.trace) + JSON.stringify(prior.receipt)).not.toMatch(
      /zanzibar|Move the inv|quagga/,
    )
  })

  test('whatever the artifact says, the prior is put together the same, byte for byte', async () => {
    const word = fc.constantFrom(
      'rollback',
      'drop',
      'table',
      '# Fix',
      'migrate',
      'tests',
      '\n',
      'approve',
      'Earlier 1',
    )
    const artifact = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '))
    const prior = async (text: string): Promise<string> => {
      const room = journal()
      await taught(room, 2)
      const made = await passesOf(room, { text, upstream: [{ name: 'up', text: text.toUpperCase() }] })
      return JSON.stringify([made.prior.frame, made.prior.trace.rows])
    }
    const first = await prior('# Something else entirely')
    await fc.assert(
      fc.asyncProperty(artifact, async (text) => {
        expect(await prior(text)).toBe(first)
      }),
      { numRuns: 12 },
    )
  })

  test('an artifact far over the budget is read in outline, and the budget holds', async () => {
    const long = `# Plan\n## Steps\n${'Rewrite every file of the system with great care. '.repeat(2000)}`
    const { posterior } = await passesOf(journal(), { text: long })
    expect(posterior.receipt.budget.spent).toBeLessThanOrEqual(PASS_BUDGET.posterior)
    expect(posterior.trace.rows.find(({ bid }) => bid === 'artifact')).toMatchObject({
      verdict: 'compressed',
      level: 'L1',
      reason: 'budget',
    })
  })

  test('a new version is predicted with receipts of its own, and the earlier ones stay', async () => {
    const room = journal()
    const first = await passesOf(room, { lineage: 'invoices' })
    const second = await passesOf(room, { lineage: 'invoices', text: '# Another plan' })
    expect(second.id).toBe(first.id)
    expect(second.prior.receipt.id).not.toBe(first.prior.receipt.id)
    expect(traceSql.listTraces(room.deps.read, { limit: 10, gate: first.id })).toHaveLength(4)
  })

  test('session history before the plan bids, the plan and what came after it do not', async () => {
    const room = journal()
    room.add({
      name: 'ask',
      kind: 'goal',
      text: 'Please move the invoices to the wombat store',
      data: {},
      session: 'claude-code:s9',
    })
    room.plan('t1', PLAN, { verdict: 'approve', session: 'claude-code:s9', goal: 'ask' })
    room.add({
      name: 'later',
      kind: 'goal',
      text: 'Now do the okapi thing',
      data: {},
      session: 'claude-code:s9',
    })
    const { id } = addGate(room.deps, gate())
    const at = room.db.get<{ ts: number; handle: string }>("SELECT ts, handle FROM items WHERE kind = 'plan'")
    room.db.run('UPDATE gates SET session_id = ?, plan_handle = ?, created_at = ? WHERE id = ?', [
      'claude-code:s9',
      at?.handle ?? null,
      at?.ts ?? 0,
      id,
    ])
    const view = await predictGate(room.deps, { id, engine: 'case', reveal: true })
    const prior = openReceipt(room.deps.read, view.revealed?.receipts.prior ?? '')
    expect(prior.frame).toContain('wombat')
    expect(prior.frame).not.toMatch(/okapi|zanzibar/)
    expect(prior.receipt.facts).toMatchObject([{ segment: 'session-history', kind: 'goal', level: 'L0' }])
  })

  test('the settings turn adaptive assembly on, and the numbers of the prediction stay what they were', async () => {
    const numbers = async (settings: object) => {
      const room = journal()
      await taught(room)
      settingsSql.writeMeta(room.db, 'settings', JSON.stringify({ faculty: settings }))
      const { view, posterior } = await passesOf(room)
      const { receipts: _receipts, ...rest } = view.revealed ?? { receipts: null }
      return { rest, mode: posterior.trace.mode, scored: posterior.trace.scored }
    }
    const off = await numbers({})
    const on = await numbers({ adaptive: true, salience: true })
    expect([off.mode, off.scored, on.mode, on.scored]).toEqual(['fixed', false, 'adaptive', true])
    expect(on.rest).toEqual(off.rest)
  })

  test('with interrupts on, a gate that opened raises the zone and bids, once', async () => {
    const room = journal()
    const faculty = { adaptive: true, salience: true, interrupts: true }
    settingsSql.writeMeta(room.db, 'settings', JSON.stringify({ faculty }))
    const first = await passesOf(room)
    for (const made of [first.prior, first.posterior]) {
      expect(made.trace).toMatchObject({
        zone: 'amber',
        transitions: [{ from: 'green', to: 'amber', cause: 'gate-opened' }],
      })
      expect(made.frame).toContain('A gate was opened.')
    }
    const signals = room.db.all<{ taken_at: number | null }>('SELECT taken_at FROM faculty_signals')
    expect(signals.map(({ taken_at }) => taken_at !== null)).toEqual([true])
  })

  test('with adaptive depth on, a precise question lets fewer remembered gates bid', async () => {
    const recalled = async (adaptiveDepth: boolean): Promise<number> => {
      const room = journal()
      await taught(room, 20)
      const faculty = { adaptive: true, salience: true, adaptiveDepth }
      settingsSql.writeMeta(room.db, 'settings', JSON.stringify({ faculty }))
      const { prior } = await passesOf(room, { question: 'May src/store/open.ts change?' })
      return prior.trace.rows.filter(({ source }) => source === 'recall').length
    }
    expect([await recalled(false), await recalled(true)]).toEqual([20, 16])
  })

  test('with the scene gate on, a picture that shows nothing new stays out, and the trace says so', async () => {
    const verdicts = async (sceneGate: boolean, question: string) => {
      const room = journal()
      const faculty = { adaptive: true, salience: true, sceneGate }
      settingsSql.writeMeta(room.db, 'settings', JSON.stringify({ faculty }))
      const look = (phash: string) => ({ sha256: 'a'.repeat(64), bytes: 9, mediaType: 'image/png', phash })
      room.add({ name: 'ask', kind: 'goal', text: 'Move them', data: {}, session: 'claude-code:s9' })
      for (const [i, phash] of ['00ff00ff00ff00ff', '00ff00ff00ff00fe'].entries()) {
        room.add({ name: `shot ${i}`, kind: 'image', text: '', data: look(phash), session: 'claude-code:s9' })
      }
      const { id } = addGate(room.deps, gate({ question }))
      room.db.run("UPDATE gates SET session_id = 'claude-code:s9' WHERE id = ?", [id])
      const view = await predictGate(room.deps, { id, engine: 'case', reveal: true })
      const trace = traceSql.traceOfReceipt(room.deps.read, view.revealed?.receipts.prior ?? '')
      return Trace.parse(JSON.parse(trace?.body ?? ''))
        .rows.filter(({ source }) => source === 'visual-scene')
        .map(({ verdict, reason }) => `${verdict} ${reason ?? ''}`.trim())
        .sort()
    }
    expect(await verdicts(false, 'May they move?')).toEqual(['kept', 'kept'])
    expect(await verdicts(true, 'May they move?')).toEqual(['dropped scene', 'kept'])
    expect(await verdicts(true, 'Does it look like the screenshot?')).toEqual(['kept', 'kept'])
  })

  test('a prediction still hidden keeps its receipts closed until the gate is decided', async () => {
    const { deps } = journal()
    const { id } = addGate(deps, gate())
    await predictGate(deps, { id, engine: 'case', reveal: false })
    const [line] = traceSql.listTraces(deps.read, { limit: 1 })
    expect(traceSql.isSealed(deps.read, line?.receipt_id ?? '')).toBe(true)
    await decideGate(deps, { id, action: 'approve', notes: '', via: 'cli' })
    expect(traceSql.isSealed(deps.read, line?.receipt_id ?? '')).toBe(false)
  })
})
