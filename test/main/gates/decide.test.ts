import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addGate, decideGate, metricsOf, predictGate, showGate } from '../../../src/main/gates'
import { canonicalJson } from '../../../src/main/proxy'
import { blind, decide, gate, journal, PLAN } from './support'

describe('a gate under review', () => {
  test('shows only the seal of its prediction until it is decided', async () => {
    const { deps } = journal()
    const { id } = addGate(deps, gate())
    const view = await predictGate(deps, blind(id))
    expect(view).toMatchObject({
      seal: expect.stringMatching(/^[0-9a-f]{64}$/),
      peeked: false,
      revealed: null,
    })
    const shown = showGate(deps.read, id)
    expect(shown.prediction).toEqual(view)
    expect(JSON.stringify(shown)).not.toMatch(/posterior|logRatio|salience|salt/)
    expect(shown.foreseen).toBeNull()
  })

  test('does not tell how similar gates ended before it is decided, or its prediction looked at', async () => {
    const { deps } = journal()
    const text = `${PLAN}\n3. Copy.`
    await decideGate(deps, decide(addGate(deps, gate()).id, 'correct', 'Add a rollback.'))
    const { id } = addGate(deps, gate({ text }))
    await predictGate(deps, blind(id))
    const hidden = showGate(deps.read, id).similar
    expect(hidden).toMatchObject([{ title: 'Move invoices', round: 1, outcome: null }])
    const peeked = addGate(deps, gate({ text }))
    await predictGate(deps, { ...blind(peeked.id), reveal: true })
    expect(showGate(deps.read, peeked.id).similar).toMatchObject([{ outcome: 'correct' }])
    await decideGate(deps, decide(id, 'approve'))
    expect(showGate(deps.read, id).similar).toMatchObject([{ outcome: 'correct' }])
  })

  test('once decided reveals what was sealed, and anyone can compute the seal again', async () => {
    const { deps } = journal()
    const { id } = addGate(deps, gate())
    const { seal } = await predictGate(deps, blind(id))
    await decideGate(deps, decide(id, 'correct', 'Add a rollback.'))
    const { prediction, decision } = showGate(deps.read, id)
    expect(prediction).toMatchObject({ seal, intact: true })
    const value = { gate: id, version: 1, prediction: prediction?.revealed }
    expect(
      createHash('sha256')
        .update(`${prediction?.salt}\n${canonicalJson(value)}`)
        .digest('hex'),
    ).toBe(seal)
    expect(decision?.surpriseBits).toBeCloseTo(-Math.log2(prediction?.revealed?.posterior.correct ?? 0), 12)
  })

  test('says so when a sealed prediction was tampered with', async () => {
    const { deps, db } = journal()
    const { id } = addGate(deps, gate())
    await predictGate(deps, blind(id))
    await decideGate(deps, decide(id, 'approve'))
    db.run(`UPDATE predictions SET body = json_set(body, '$.posterior.approve', 0.99)`)
    expect(showGate(deps.read, id).prediction?.intact).toBe(false)
  })

  test('keeps one prediction: asking again changes neither seal nor time', async () => {
    const { deps, tick } = journal()
    const { id } = addGate(deps, gate())
    const first = await predictGate(deps, blind(id))
    tick(5)
    expect(await predictGate(deps, { id, engine: 'model', reveal: false })).toEqual(first)
  })

  test('that was peeked at is marked for good and scored apart', async () => {
    const { deps } = journal()
    const { id } = addGate(deps, gate())
    const view = await predictGate(deps, { ...blind(id), reveal: true })
    expect(view.peeked).toBe(true)
    expect(view.revealed?.prior).toMatchObject({ approve: 0.5, correct: 0.4, reject: 0.1 })
    expect(await predictGate(deps, blind(id))).toEqual(view)
    await decideGate(deps, decide(id, 'approve'))
    expect(metricsOf(deps.read, {})).toMatchObject({ n: 0, remembered: 1 })
  })

  test('decided without a prediction gets one first, sealed before the action is written', async () => {
    const { deps, db } = journal()
    const { id } = addGate(deps, gate())
    await decideGate(deps, decide(id, 'approve'))
    const times = db.get<{ sealed: number; decided: number }>(
      'SELECT p.sealed_at AS sealed, d.decided_at AS decided FROM predictions p JOIN decisions d USING (gate_id)',
    )
    expect(times?.sealed).toBeLessThanOrEqual(times?.decided ?? 0)
    expect(metricsOf(deps.read, {})).toMatchObject({ n: 1, remembered: 1 })
  })

  test.each([
    ['approve', 'approve'],
    ['correct', 'correct'],
    ['revise-plan', 'correct'],
    ['refine-intent', 'correct'],
    ['reject', 'reject'],
  ] as const)('decided with %s has the outcome %s', async (action, outcome) => {
    const { deps } = journal()
    const { id } = addGate(deps, gate({ state: 'WORK_ASSERT' }))
    await decideGate(deps, decide(id, action, 'ok'))
    expect(showGate(deps.read, id)).toMatchObject({
      status: 'decided',
      outcome,
      decision: { action, outcome },
    })
  })

  test('is not sent back without a word on what is wrong', async () => {
    const { deps } = journal()
    const { id } = addGate(deps, gate())
    await expect(decideGate(deps, decide(id, 'correct', ' \n'))).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('say what is wrong'),
    })
    expect(showGate(deps.read, id)).toMatchObject({ status: 'open', decision: null, prediction: null })
    await decideGate(deps, decide(id, 'reject'))
  })

  test('is decided once: a second decision is refused and changes nothing', async () => {
    const { deps, db } = journal()
    const { id } = addGate(deps, gate())
    await decideGate(deps, decide(id, 'approve'))
    await expect(decideGate(deps, decide(id, 'reject'))).rejects.toMatchObject({ code: 'conflict' })
    expect(showGate(deps.read, id).outcome).toBe('approve')
    expect(db.all('SELECT id FROM chunks')).toHaveLength(1)
  })

  test('decided by two at once has one decision', async () => {
    const { deps, db } = journal()
    const { id } = addGate(deps, gate())
    const results = await Promise.allSettled([
      decideGate(deps, decide(id, 'approve')),
      decideGate(deps, decide(id, 'reject')),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(db.all('SELECT id FROM chunks')).toHaveLength(1)
  })

  test('leaves all or nothing when memory cannot be written', async () => {
    const { deps, db } = journal()
    const { id } = addGate(deps, gate())
    await predictGate(deps, blind(id))
    db.run("CREATE TRIGGER broken BEFORE INSERT ON attention BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    await expect(decideGate(deps, decide(id, 'approve'))).rejects.toThrow('disk full')
    expect(showGate(deps.read, id)).toMatchObject({ status: 'open', decision: null })
    expect(db.all('SELECT id FROM chunks')).toEqual([])
  })

  test('leaves a chunk with both passes, percepts, words and traces, and gives traces to what was used', async () => {
    const { deps, db } = journal()
    const one = addGate(deps, gate())
    await decideGate(deps, decide(one.id, 'correct', 'Add a rollback strategy.'))
    const two = addGate(deps, gate({ text: `${PLAN}\n3. Copy.` }))
    await decideGate(deps, decide(two.id, 'correct', 'Still no rollback.'))
    const [first, second] = db.all<Record<string, string>>('SELECT * FROM chunks ORDER BY interaction')
    expect(JSON.parse(first?.traces ?? '')).toEqual([1, 1, 2])
    expect(JSON.parse(second?.traces ?? '')).toEqual([2, 2])
    expect(JSON.parse(second?.features ?? '')).toContain('no rollback')
    expect(second).toMatchObject({ answered_by: 'person', response: 'Still no rollback.' })
    expect(JSON.parse(second?.prior ?? '{}').reason).toContain('gate')
    expect(db.get("SELECT present, not_approved, named FROM attention WHERE phrase = 'no rollback'")).toEqual(
      { present: 2, not_approved: 2, named: 2 },
    )
  })

  test('learns: after enough corrections it foresees the next one', async () => {
    const { deps } = journal()
    const safe = `${PLAN}\n## Rollback\nRevert by the switch.`
    for (let i = 0; i < 6; i += 1) {
      await decideGate(deps, decide(addGate(deps, gate()).id, 'correct', 'Add a rollback strategy.'))
      await decideGate(deps, decide(addGate(deps, gate({ text: safe })).id, 'approve'))
    }
    const bad = addGate(
      deps,
      gate({ text: '# Move sessions\n1. Migrate the table of sessions.\n2. Run the tests.' }),
    )
    await decideGate(deps, decide(bad.id, 'correct', 'No rollback again.'))
    expect(showGate(deps.read, bad.id).foreseen).toBe(true)
    const metrics = metricsOf(deps.read, { state: 'PLAN_ASSERT' })
    expect(metrics.n).toBe(13)
    expect(metrics.accuracy.posterior).toBeGreaterThan(metrics.accuracy.prior ?? 1)
    expect(metrics.attention[0]).toMatchObject({ phrase: 'no rollback', listed: true })
  })

  test('says no number it does not have', () => {
    const { deps } = journal()
    expect(metricsOf(deps.read, {})).toEqual({
      n: 0,
      accuracy: { prior: null, posterior: null },
      brier: { prior: null, posterior: null },
      logLoss: { prior: null, posterior: null },
      skill: { baseRate: null, alwaysApprove: null },
      surpriseRate: null,
      priorOverturned: null,
      remembered: 0,
      attention: [],
    })
  })

  test('asked for a model says honestly that there is none', async () => {
    const { deps } = journal()
    const { id } = addGate(deps, gate())
    const { revealed } = await predictGate(deps, { id, engine: 'model', reveal: true })
    expect(revealed?.engine).toBe('case')
    expect(revealed?.engineReason).toContain('No language model is wired in yet')
    expect(revealed?.engineReason).toContain('no model in this test')
  })
})
