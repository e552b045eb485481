import { describe, expect, test } from 'vitest'
import { importGates, listGates, metricsOf, pastGates, predictGate, showGate } from '../../../src/main/gates'
import type { WriteDb } from '../../../src/main/store'
import { hashOf, journal, T0 } from './support'

const PLAN = '# Move invoices\n1. Create the table.\n2. Copy the rows in batches.\n3. Run the tests.'
const everything = (db: WriteDb): string =>
  JSON.stringify(
    ['gates', 'artifacts', 'gate_upstream', 'decisions', 'chunks', 'attention', 'predictions'].map((table) =>
      db.all(`SELECT * FROM ${table}`),
    ),
  )

describe('importing gates from transcripts', () => {
  test('takes an approval as approve, and points at the record that holds the result', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'approve', line: 40 })
    const report = await importGates(deps, {})
    expect(report).toMatchObject({ found: 1, imported: 1, approve: 1, correct: 0, reject: 0, pending: 0 })
    expect(report.gates[0]).toMatchObject({
      outcome: 'approve',
      speechAct: 'none',
      words: '',
      pointer: { file: '/t/claude-code-s1.jsonl', line: 41, recordId: 'rec-result t1' },
    })
  })

  test('says that there is nothing at a path that does not exist', async () => {
    const { deps } = journal()
    await expect(importGates(deps, { path: '/nonexistent' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is nothing at /nonexistent, and nothing was ingested from there.',
    })
  })

  test('takes a plan sent back with words as correct, also when the words ask something', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'can you use a switch case instead of linked ifelse?' })
    const [gate] = (await importGates(deps, {})).gates
    expect(gate).toMatchObject({ outcome: 'correct', speechAct: 'question' })
    expect(showGate(deps.read, gate?.id ?? '').decision).toMatchObject({
      outcome: 'correct',
      via: 'transcript',
      surpriseBits: null,
    })
  })

  test('calls it a rejection only when the words plainly turn the plan down', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'No, forget it.' })
    plan('t2', 'Something else entirely, about colours.', { verdict: 'refused', words: 'no, use blue' })
    expect((await importGates(deps, {})).gates.map(({ outcome }) => outcome)).toEqual(['reject', 'correct'])
  })

  test('knows a bare stop as approval when the same plan is carried out in another session of the project', async () => {
    const { deps, plan, add } = journal()
    plan('t1', PLAN, { verdict: 'bare-stop' })
    add({ name: 'typed', kind: 'goal', text: 'and now the colours', data: {} })
    add({
      name: 'go',
      kind: 'goal',
      text: `Implement the following plan:\n\n${PLAN}`,
      data: { implementsPlan: true, planHash: hashOf(`${PLAN}\n`) },
      session: 'claude-code:s2',
    })
    expect((await importGates(deps, {})).gates[0]).toMatchObject({
      outcome: 'approve',
      words: '',
      speechAct: 'none',
    })
  })

  test('knows the plan again behind the sentences its agent puts around it, and no other plan that begins like it', async () => {
    const { deps, plan, add } = journal()
    plan('t1', PLAN, { verdict: 'bare-stop' })
    const data = { implementsPlan: true }
    const longer = `Implement the following plan:\n\n${PLAN}\n4. Delete the old table.`
    add({ name: 'longer', kind: 'goal', text: longer, data, session: 'claude-code:s2' })
    expect((await importGates(deps, {})).gates[0]?.outcome).toBe('ended')
    const trailer =
      'If you need specific details from before exiting plan mode, read the full transcript at: /t/x.jsonl'
    const text = `Implement the following plan:\n\n${PLAN}\n\n\n${trailer}`
    add({ name: 'go', kind: 'goal', text, data, session: 'claude-code:s3' })
    expect((await importGates(deps, {})).gates[0]?.outcome).toBe('approve')
  })

  test('does not take the same plan in another project, or an earlier one, for an approval', async () => {
    const { deps, plan, add } = journal()
    const data = { implementsPlan: true, planHash: hashOf(PLAN) }
    add({ name: 'before', kind: 'goal', text: PLAN, data, session: 'claude-code:s0' })
    plan('t1', PLAN, { verdict: 'bare-stop' })
    add({ name: 'elsewhere', kind: 'goal', text: PLAN, data, session: 'claude-code:s9', project: 'other' })
    expect((await importGates(deps, {})).gates[0]?.outcome).toBe('ended')
  })

  test('knows a bare stop as correction when the person types on in the session', async () => {
    const { deps, plan, add } = journal()
    plan('t1', PLAN, { verdict: 'bare-stop' })
    add({ name: 'typed', kind: 'goal', text: 'I want batches of 5,000.', data: {} })
    expect((await importGates(deps, {})).gates[0]).toMatchObject({
      outcome: 'correct',
      words: 'I want batches of 5,000.',
    })
  })

  test('takes words typed in another session for no answer', async () => {
    const { deps, plan, add } = journal()
    plan('t1', PLAN, { verdict: 'bare-stop' })
    add({ name: 'typed', kind: 'goal', text: 'do something else', data: {}, session: 'claude-code:s2' })
    expect((await importGates(deps, {})).gates[0]?.outcome).toBe('ended')
  })

  test('holds a fresh bare stop as pending, stores nothing, and settles it when the evidence arrives', async () => {
    const { deps, db, plan, add, setNow } = journal()
    plan('t1', PLAN, { verdict: 'bare-stop' })
    setNow(T0 + 3 * 60_000)
    expect(await importGates(deps, {})).toMatchObject({ found: 1, imported: 0, pending: 1 })
    expect(db.all('SELECT id FROM gates')).toEqual([])
    setNow(T0 + 24 * 3_600_000)
    expect((await importGates(deps, {})).gates[0]?.outcome).toBe('ended')
    add({
      name: 'go',
      kind: 'goal',
      text: PLAN,
      data: { implementsPlan: true, planHash: hashOf(PLAN) },
      session: 'claude-code:s2',
    })
    expect(await importGates(deps, {})).toMatchObject({ imported: 1, approve: 1 })
    expect(await importGates(deps, {})).toMatchObject({ imported: 0, approve: 1 })
    expect(listGates(deps.read, { open: false })).toMatchObject([{ status: 'decided', outcome: 'approve' }])
  })

  test('never lets one empty plan prove another approved', async () => {
    const { deps, plan, add } = journal()
    plan('t1', '', { verdict: 'bare-stop' })
    add({
      name: 'go',
      kind: 'goal',
      text: '',
      data: { implementsPlan: true, planHash: hashOf('') },
      session: 'claude-code:s2',
    })
    expect((await importGates(deps, {})).gates[0]?.outcome).toBe('ended')
  })

  test('keeps an approved plan without text, marked as empty', async () => {
    const { deps, plan } = journal()
    plan('t1', '', { verdict: 'approve' })
    const [gate] = (await importGates(deps, {})).gates
    expect(showGate(deps.read, gate?.id ?? '').versions).toMatchObject([
      { version: 1, text: '', empty: true },
    ])
  })

  test('changes nothing when it runs again, and appends what is new', async () => {
    const { deps, db, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'Add a rollback.' })
    const first = await importGates(deps, {})
    const before = everything(db)
    const second = await importGates(deps, {})
    expect(second).toEqual({ ...first, imported: 0 })
    expect(everything(db)).toBe(before)
    plan('t2', `${PLAN}\n## Rollback\nKeep the old table.`, { verdict: 'approve' })
    expect(await importGates(deps, {})).toMatchObject({ found: 2, imported: 1, approve: 1, correct: 1 })
    expect(db.all<{ interaction: number }>('SELECT interaction FROM chunks ORDER BY interaction')).toEqual([
      { interaction: 1 },
      { interaction: 2 },
    ])
  })

  test('run by two at once imports each gate once', async () => {
    const { deps, db, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'Add a rollback.' })
    plan('t2', `${PLAN}\n4. Roll back.`, { verdict: 'approve' })
    await Promise.all([importGates(deps, {}), importGates(deps, {})])
    expect(db.all('SELECT id FROM chunks')).toHaveLength(2)
    expect(db.get("SELECT max(present) AS most FROM attention WHERE phrase = 'very short'")).toEqual({
      most: 2,
    })
  })

  test('follows a plan through its rounds, whatever its title, and keeps the notes on the next version', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'Add a rollback.' })
    plan('t2', `${PLAN.replace('Move invoices', 'A new name')}\n## Rollback\nKeep the old table.`, {
      verdict: 'approve',
    })
    plan('t3', '# Colours\nPaint every button of the settings page blue and check the contrast.', {
      verdict: 'approve',
    })
    const [one, two, three] = (await importGates(deps, {})).gates.map(({ id }) => showGate(deps.read, id))
    expect([one?.round, two?.round, three?.round]).toEqual([1, 2, 1])
    expect(two?.lineage).toBe(one?.lineage)
    expect(three?.lineage).not.toBe(one?.lineage)
    expect(two?.versions.map(({ version }) => version)).toEqual([1, 2])
    expect(two?.notes).toMatchObject([{ version: 1, text: 'Add a rollback.' }])
  })

  test('hands its gates to a replay as they were: no round knows how a later one ended', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'Add a rollback.' })
    plan('t2', `${PLAN}\n4. Roll back.`, { verdict: 'approve' })
    await importGates(deps, {})
    expect(
      pastGates(deps.read).map(({ situation, outcome }) => [situation.last, situation.round, outcome]),
    ).toEqual([
      [null, 1, 'correct'],
      ['correct', 2, 'approve'],
    ])
  })

  test('teaches without ever being scored or shown as predicted', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'refused', words: 'Add a rollback.' })
    plan('t2', `${PLAN}\n## Rollback\nKeep it.`, { verdict: 'approve' })
    const { gates } = await importGates(deps, {})
    expect(metricsOf(deps.read, {})).toMatchObject({
      n: 0,
      remembered: 2,
      accuracy: { prior: null, posterior: null },
    })
    for (const { id } of gates)
      expect(showGate(deps.read, id)).toMatchObject({ prediction: null, foreseen: null })
    const id = gates[0]?.id ?? ''
    await expect(predictGate(deps, { id, engine: 'case', reveal: true })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('reads only one file or folder when asked', async () => {
    const { deps, plan } = journal()
    plan('t1', PLAN, { verdict: 'approve', session: 'claude-code:a' })
    plan('t2', PLAN, { verdict: 'approve', session: 'claude-code:b' })
    expect((await importGates(deps, { path: '/t/claude-code-a.jsonl' })).found).toBe(1)
    expect((await importGates(deps, { path: '/t/' })).found).toBe(2)
    await expect(importGates(deps, { path: '/t/claude-code' })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('leaves a plan without a result to its agent’s own dialog', async () => {
    const { deps, add } = journal()
    add({ name: 'plan', kind: 'plan', text: PLAN, data: { gate: { toolUseId: 'open' } } })
    add({ name: 'todo', kind: 'plan', text: '- a', data: { todo: true } })
    expect((await importGates(deps, {})).found).toBe(0)
  })

  test('takes the goal as what the plan answers to', async () => {
    const { deps, plan, add } = journal()
    add({ name: 'goal', kind: 'goal', text: 'Fix the crash when an invoice is empty', data: {} })
    plan('t1', PLAN, { verdict: 'approve', goal: 'goal' })
    const [gate] = (await importGates(deps, {})).gates
    expect(showGate(deps.read, gate?.id ?? '')).toMatchObject({
      taskType: 'bug-fix',
      project: 'shop',
      agent: 'claude-code',
      upstream: [{ name: 'goal', text: 'Fix the crash when an invoice is empty' }],
    })
  })
})
