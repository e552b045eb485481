import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KEPT, keepCallTrace } from '../../../src/main/curator/model/call-trace'
import { materialOf } from '../../../src/main/curator/model/material'
import { promptFor } from '../../../src/main/curator/model/prompt.bids'
import { migrate, migrations, modelCallSql, openWrite, traceSql, type WriteDb } from '../../../src/main/store'
import { Trace } from '../../../src/shared/attention'
import { temporaryDb, temporaryFolder } from '../../support'
import { conclusion, curateAll, NOON, scene } from './model-support'

const tracesOf = (db: WriteDb) =>
  traceSql
    .listTraces(db, { limit: 1_000, ofModel: true })
    .map((line) => ({ ...line, trace: Trace.parse(JSON.parse(traceSql.traceById(db, line.id)?.body ?? '')) }))

const words = (text: string): string[] => text.toLowerCase().match(/[a-z]{4,}/g) ?? []

test('each prompt to the model leaves the trace of what bid for it, with its call', async () => {
  const { db, work, server } = await scene()
  const handles = ['webhook', 'ledger', 'exporter'].map((subject) => conclusion(db, subject))
  curateAll(db)
  await work()
  const traces = tracesOf(db)
  expect(traces.length).toBe(server.asked.length)
  const calls = db.all<{ id: number; subjects: number }>('SELECT id, subjects FROM model_calls')
  for (const { call_id, trace, faculty, purpose, goal, receipt_id } of traces) {
    const { subjects } = calls.find(({ id }) => id === call_id) ?? { subjects: -1 }
    expect([faculty, purpose, receipt_id]).toEqual(['curator.attention', 'summaries', null])
    expect(goal).toBe(subjects === 1 ? 'A summary of one text' : `Summaries of ${subjects} texts`)
    expect(trace.rows.filter(({ source }) => source === 'artifact')).toHaveLength(subjects)
    expect(trace.rows.every(({ pin, verdict }) => pin && verdict !== 'dropped')).toBe(true)
    expect(trace.spent).toBeLessThanOrEqual(trace.budget)
  }
  const shown = new Set(traces.flatMap(({ trace }) => trace.rows.flatMap((row) => row.handles)))
  for (const handle of handles) expect(shown).toContain(handle)
})

test('a call that failed leaves its trace too', async () => {
  const { db, work, server } = await scene(() => ({ say: 'nonsense' }))
  conclusion(db, 'webhook')
  curateAll(db)
  await work()
  expect(server.asked.length).toBeGreaterThan(0)
  const failed = db.get<{ n: number }>("SELECT count(*) AS n FROM model_calls WHERE outcome = 'failed'")?.n
  expect(failed).toBeGreaterThan(0)
  expect(tracesOf(db)).toHaveLength(failed ?? 0)
})

test('a title tells how a text begins, masked, and no more of it', () => {
  const db = temporaryDb()
  const handle = conclusion(db, 'webhook')
  const material = materialOf(db, handle)
  const [part] = material?.parts ?? []
  if (!material || !part) throw new Error('nothing to summarise')
  const secret = 'sk-live-abcdef'
  const text = `${secret} ${part.text}`
  const made = promptFor([{ ...material, parts: [{ ...part, text }] }], {
    budget: 4_000,
    count: (one) => Math.ceil(one.length / 4),
    mask: (one) => one.replaceAll(secret, '[secret]'),
    now: NOON,
  })
  const row = made?.trace.rows.find(({ bid }) => bid === 'text:1')
  expect(row?.title).toMatch(/^conclusion: \[secret\] /)
  expect(row?.title.length).toBeLessThan(90)
  const told = JSON.stringify(made?.trace)
  expect(told).not.toContain(secret)
  const end = words(part.text).slice(-8).join(' ')
  expect(end.length).toBeGreaterThan(20)
  expect(words(told).join(' ')).not.toContain(end)
})

/** A call, and the trace of a prompt that showed one text. */
function called(db: WriteDb, handle: string): number {
  const material = materialOf(db, handle)
  if (!material) throw new Error(`nothing of ${handle}`)
  const prompt = promptFor([material], {
    budget: 4_000,
    count: (text) => Math.ceil(text.length / 4),
    mask: (text) => text,
    now: NOON,
  })
  if (!prompt) throw new Error('no prompt')
  const id = modelCallSql.beginCall(db, {
    purpose: 'summaries',
    model: 'local:1b',
    subjects: 1,
    startedAt: NOON,
    promptTokens: 1,
    answerTokens: 1,
  })
  keepCallTrace(db, id, { trace: prompt.trace, materials: [material], at: NOON })
  return id
}

test(`only the last ${KEPT} calls can be looked at; the ledger keeps all`, () => {
  const db = temporaryDb()
  const handle = conclusion(db, 'webhook')
  const ids = db.transaction(() => Array.from({ length: KEPT + 7 }, () => called(db, handle)))
  const left = traceSql.listTraces(db, { limit: 1_000, ofModel: true }).map(({ call_id }) => call_id)
  expect(left.sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(ids.slice(-KEPT))
  expect(db.get('SELECT count(*) AS n FROM model_calls')).toEqual({ n: KEPT + 7 })
  expect(traceSql.listTraces(db, { limit: 1_000 })).toHaveLength(KEPT)
})

test('a database from before keeps its traces, and the trace of a call goes with it', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 29),
  )
  db.run(
    `INSERT INTO traces (id, faculty, purpose, goal, mode, zone, budget, spent, bids, kept, created_at, body)
     VALUES ('trc_aaaaaaaaaaaaaaaa', 'a.attention', 'turn', 'g', 'fixed', 'green', 1, 1, 1, 1, 1, '{}')`,
  )
  migrate(db)
  expect(traceSql.listTraces(db, { limit: 5 })).toMatchObject([{ purpose: 'turn', call_id: null }])
  expect(traceSql.listTraces(db, { limit: 5, ofModel: true })).toEqual([])
  const handle = conclusion(db, 'webhook')
  const id = called(db, handle)
  expect(traceSql.listTraces(db, { limit: 5 })).toHaveLength(2)
  db.run('DELETE FROM model_calls WHERE id = ?', [id])
  expect(traceSql.listTraces(db, { limit: 5 }).map(({ purpose }) => purpose)).toEqual(['turn'])
})
