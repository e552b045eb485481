import { describe, expect, test } from 'vitest'
import { migrate, migrations, modelCallSql, openWrite, settingsSql } from '../../../src/main/store'
import { faithful, say } from '../../doubles/summariser'
import { temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'
import { conclusion, curateAll, good, NOON, rungsOf, scene } from './model-support'

const DAY = 86_400_000
const MIDNIGHT = new Date(2026, 10, 27).getTime()

describe('the daily budget', () => {
  test('stops before a call that it does not hold, and goes on the next day', async () => {
    const { db, work, server, choose, now } = await scene()
    choose({ dailyTokens: 3_000 })
    const handles = Array.from({ length: 12 }, (_, n) => conclusion(db, `pool${n}`))
    curateAll(db)
    const first = await work()
    expect(first).toMatchObject({ resting: 'budget', until: MIDNIGHT })
    const byModel = (): number =>
      handles.filter((handle) => rungsOf(db, handle)[0]?.method === 'model').length
    const before = byModel()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(12)
    const spent = modelCallSql.spentSince(db, NOON - DAY)
    expect(spent.promptTokens + spent.answerTokens).toBeLessThanOrEqual(3_000)

    const calls = server.asked.length
    await work()
    expect(server.asked).toHaveLength(calls)
    for (let day = 1; byModel() < 12 && day < 20; day++) {
      now.at = NOON + day * DAY
      await work()
      const today = modelCallSql.spentSince(db, now.at - DAY / 2)
      expect(today.promptTokens + today.answerTokens).toBeLessThanOrEqual(3_000)
    }
    expect(byModel()).toBe(12)
  })

  test('holds failed calls as well', async () => {
    const { db, work, choose } = await scene(() => ({
      say: 'nonsense',
      promptTokens: 800,
      answerTokens: 700,
    }))
    choose({ dailyTokens: 4_000 })
    for (let n = 0; n < 6; n++) conclusion(db, `pool${n}`)
    curateAll(db)
    expect(await work()).toMatchObject({ resting: 'budget' })
    expect(modelCallSql.spentSince(db, 0).failed).toBeGreaterThan(0)
  })

  test('holds second tries: what they would take beyond it is not asked', async () => {
    const { db, work, choose, server } = await scene(() => ({ say: 'nonsense, at length. '.repeat(20) }))
    choose({ dailyTokens: 5_000 })
    for (let n = 0; n < 12; n++) conclusion(db, `pool${n}`)
    curateAll(db)
    expect(await work()).toMatchObject({ resting: 'budget' })
    const spent = modelCallSql.spentSince(db, 0)
    expect(spent.promptTokens + spent.answerTokens).toBeLessThanOrEqual(5_000)
    expect(spent.requests).toBe(server.asked.length)
    expect(spent.calls).toBeLessThan(spent.requests)
  })
})

describe('the work rests', () => {
  test('paused by hand, on battery, and while a gate is open if the proxy uses the same model; then it goes on', async () => {
    const { db, work, choose, ports, server } = await scene()
    const handle = conclusion(db, 'webhook')
    curateAll(db)
    choose({ paused: true })
    expect(await work()).toMatchObject({ resting: 'paused' })
    choose({ paused: false })
    ports.onBattery = () => true
    expect(await work()).toMatchObject({ resting: 'battery' })
    ports.onBattery = () => null
    ports.gateOpen = () => true
    choose({ proxy: 'local:1b' })
    expect(await work()).toMatchObject({ resting: 'gate' })
    expect(server.asked).toEqual([])
    choose({ proxy: 'other:7b' })
    expect(await work()).toMatchObject({ resting: 'idle' })
    expect(rungsOf(db, handle)[0]?.method).toBe('model')
  })

  test('while another process does it, and takes over when that one is gone', async () => {
    const { db, work, now, server } = await scene()
    conclusion(db, 'webhook')
    curateAll(db)
    const lease = (pid: number): void =>
      settingsSql.writeMeta(db, 'model.lease', JSON.stringify({ owner: 'other', pid, until: NOON + DAY }))
    lease(process.ppid)
    expect(await work()).toMatchObject({ resting: 'elsewhere' })
    expect(server.asked).toEqual([])
    // No process has this number.
    lease(2 ** 22 + 1)
    expect(await work()).toMatchObject({ resting: 'idle' })
    expect(server.asked).toHaveLength(1)
    expect(now.at).toBe(NOON)
  })
})

test('a call that was cut off with its process counts as spent, and what it was about is asked again', async () => {
  const hanging = await scene(() => ({ say: '{', after: 'hang' }))
  const { db } = hanging
  const handle = conclusion(db, 'webhook')
  curateAll(db)
  const cutOff = hanging.work()
  await expect.poll(() => hanging.server.asked.length).toBe(1)
  // As after kill -9: its row is open and its lease belongs to nobody.
  settingsSql.writeMeta(db, 'model.lease', '')
  const next = await scene(good, { db })
  expect(await next.work()).toMatchObject({ resting: 'idle' })
  expect(next.server.asked).toHaveLength(1)
  expect(rungsOf(db, handle)[0]?.method).toBe('model')
  const calls = db.all<{ outcome: string; reserved: number }>(
    'SELECT outcome, prompt_tokens > 0 AND answer_tokens > 0 AS reserved FROM model_calls ORDER BY id',
  )
  expect(calls).toEqual([
    { outcome: 'interrupted', reserved: 1 },
    { outcome: 'answered', reserved: 1 },
  ])
  await hanging.server.close()
  await cutOff
})

test('a memory of the version before goes on: its rungs stand, and nothing waits', () => {
  const db = openWrite(`${temporaryFolder()}/fovea.db`)
  migrate(
    db,
    migrations.filter(({ version }) => version < 16),
  )
  const { handle } = insertItem(db, { kind: 'conclusion', text: 'It works. '.repeat(100) })
  db.run(
    `INSERT INTO rungs (subject, level, text, method, version, tokens, created_at) VALUES (?, 'L1', 'It works.', 'extractive', 2, 3, 1)`,
    [handle],
  )
  migrate(db)
  expect(rungsOf(db, handle)).toMatchObject([{ text: 'It works.', method: 'extractive' }])
  expect(db.all('SELECT * FROM model_queue')).toEqual([])
  db.run(`INSERT INTO model_queue (subject, tier, newest_at, ready_at) VALUES (?, 5, 1, 1)`, [handle])
  db.run(
    `INSERT INTO model_done (subject, basis, size, model, outcome, at) VALUES (?, 'b', 1, 'm', 'made', 1)`,
    [handle],
  )
  db.run('DELETE FROM item_rows WHERE handle = ?', [handle])
  expect([...db.all('SELECT * FROM model_queue'), ...db.all('SELECT * FROM model_done')]).toEqual([])
  db.close()
})

test('choosing another model asks again only where the first was of no use', async () => {
  let useful = false
  const { db, work, choose, server } = await scene(
    (request, call) => (useful || call > 100 ? { say: say(faithful(request)) } : good(request, call)),
    { models: [{ name: 'local:1b' }, { name: 'better:8b' }] },
  )
  const handle = conclusion(db, 'webhook')
  curateAll(db)
  await work()
  useful = true
  choose({ curator: null })
  await work()
  choose({ curator: 'better:8b' })
  await work()
  expect(server.asked).toHaveLength(1)
  expect(rungsOf(db, handle)[0]?.model).toBe('local:1b')
})
