import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wrap } from '../../../src/main/journal'
import { migrate, migrations, openWrite, receiptSql, rescanSql } from '../../../src/main/store'
import { packReceipt, unpackReceipt } from '../../../src/main/store/receipt-text'
import { temporaryDb, temporaryFolder } from '../../support'

const facts = Array.from({ length: 60 }, (_, n) => ({
  handle: `itm_${n}`,
  text: `fact ${n} of the export queue`,
}))
const BODY = JSON.stringify({ goal: 'g', facts })
const FRAME = facts.map(({ text }) => text).join('\n')

test('receipts of before are packed: they read the same, and whose text was wrapped stays known', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 35),
  )
  const add = (id: string, body: string, frame: string): void => {
    db.run(
      `INSERT INTO receipts (id, kind, goal, plane, path, budget, spent, fact_count, viewer, created_at, body, frame)
       VALUES (?, 'hydrate', 'g', 'p', 'x', 1, 1, 0, 'me', 1, ?, ?)`,
      [id, body, frame],
    )
  }
  const ids = Array.from({ length: 450 }, (_, n) => `rcp_${n}`)
  for (const id of ids) add(id, BODY, wrap({ source: 'fovea', receipt: id }, FRAME))
  add('rcp_small', '{"goal":"g"}', wrap({ source: 'fovea', receipt: 'rcp_small' }, 'few words'))
  const before = size()
  migrate(db)
  for (const id of ids)
    expect(receiptSql.receiptById(db, id)).toEqual({
      kind: 'hydrate',
      body: BODY,
      frame: wrap({ source: 'fovea', receipt: id }, FRAME),
    })
  expect(receiptSql.receiptById(db, 'rcp_small')?.body).toBe('{"goal":"g"}')
  expect(ids.every((id) => receiptSql.wasWrapped(db, id, FRAME.length))).toBe(true)
  expect(receiptSql.wasWrapped(db, 'rcp_1', FRAME.length + 1)).toBe(false)
  expect(receiptSql.wasWrapped(db, 'rcp_small', 'few words'.length)).toBe(true)
  expect(size()).toBeLessThan(before / 3)

  function size(): number {
    return (
      (db.get<{ n: number }>('SELECT sum(length(body) + length(frame)) AS n FROM receipts')?.n ?? 0) +
      (migrated() ? (db.get<{ n: number }>('SELECT sum(length(packed)) AS n FROM receipts')?.n ?? 0) : 0)
    )
  }
  function migrated(): boolean {
    return db.get("SELECT 1 FROM pragma_table_info('receipts') WHERE name = 'packed'") !== undefined
  }
})

test('a packed receipt is looked through and masked like any other text', () => {
  const db = temporaryDb()
  const id = 'rcp_q7w2k5x3z6j4v2h7'
  const frame = wrap({ source: 'fovea', receipt: id }, FRAME)
  const row = {
    id,
    kind: 'hydrate',
    goal: 'g',
    plane: 'p',
    path: 'hybrid',
    budget: 9,
    spent: 1,
    viewer: 'me',
  } as const
  receiptSql.insertReceipt(db, { ...row, createdAt: 1, body: BODY, frame, facts: [], labels: [] })
  expect(db.get('SELECT body, frame FROM receipts')).toEqual({ body: '', frame: '' })
  expect(receiptSql.wasWrapped(db, id, FRAME.length)).toBe(true)
  const table = rescanSql.textTables(db).find(({ name }) => name === 'receipts')
  if (!table) throw new Error('no table of receipts')
  const [found] = rescanSql.textRows(db, table, null, 10)
  expect(found?.texts).toMatchObject({ goal: 'g', body: BODY, frame })
  rescanSql.putTexts(db, table, found?.key ?? [], { body: BODY.replaceAll('export', 'masked') })
  expect(receiptSql.receiptById(db, id)).toMatchObject({ body: BODY.replaceAll('export', 'masked'), frame })
  rescanSql.putTexts(db, table, found?.key ?? [], { goal: 'h' })
  expect(receiptSql.receiptById(db, id)?.frame).toBe(frame)
})

test('a short receipt stays as it is, and a damaged one reads as nothing', () => {
  expect(packReceipt({ body: '{}', frame: 'f' })).toEqual({ body: '{}', frame: 'f', packed: null })
  expect(unpackReceipt({ body: '', frame: '', packed: Buffer.from('no deflate') })).toEqual({
    body: '',
    frame: '',
  })
})
