import { describe, expect, onTestFinished, test } from 'vitest'
import {
  hydrationSql,
  keepCodes,
  openRead,
  type SqlParams,
  vectorSql,
  type WriteDb,
} from '../../../src/main/store'
import { HammingBlocks } from '../../../src/main/store/codes/hamming'
import { temporaryDb } from '../../support'
import { insertItem, seededVector, type TestItem } from '../models/journal-rows'

const put = (db: WriteDb, seed: number, item: TestItem & { unit?: vectorSql.VectorUnit } = {}): number => {
  const { id } = insertItem(db, item)
  const vector = seededVector(seed)
  const row = { itemId: id, unit: item.unit ?? ('item' as const), model: 'test', vector }
  vectorSql.putVector(db, { ...row, provenance: [], labels: [] })
  return id
}

const reader = (db: WriteDb) => {
  const read = openRead(db.path)
  onTestFinished(() => read.close())
  return read
}

/** Bytes compare as numbers, whoever holds them. */
const bytesPlain = (rows: readonly { code: Uint8Array }[]) =>
  rows.map((row) => ({ ...row, code: [...row.code] }))

/** The same question to a connection that keeps the codes and to one that scans the table. */
function both(db: WriteDb) {
  const [kept, plain] = [reader(db), reader(db)]
  const codes = keepCodes(kept)
  return {
    codes,
    warm: () => codes.warm(),
    same: (filters: vectorSql.VectorFilters = {}, k = 25) => {
      const code = vectorSql.signCode(seededVector(1))
      const found = bytesPlain(vectorSql.nearestCodes(kept, code, k, filters))
      expect(found).toEqual(bytesPlain(vectorSql.nearestCodes(plain, code, k, filters)))
      // It was memory that answered.
      const { units, ...rest } = filters
      expect(bytesPlain(codes.nearest(code, k, units, rest) ?? [])).toEqual(found)
      return found.length
    },
  }
}

const KINDS = ['goal', 'note', 'error'] as const
const some = (db: WriteDb, from: number, to: number): number[] =>
  db.transaction(() =>
    Array.from({ length: to - from }, (_, i) => {
      const n = from + i
      const unit = n % 3 === 0 ? ('context' as const) : ('item' as const)
      return put(db, n, { kind: KINDS[n % 3] ?? 'note', project: `p${n % 4}`, ts: n * 10, unit })
    }),
  )

describe('codes kept in memory', () => {
  test('count the bits that differ as a plain loop does', () => {
    const blocks = new HammingBlocks()
    const codes = Array.from({ length: 300 }, (_, n) => vectorSql.signCode(seededVector(n + 1)))
    codes.forEach((code, n) => void blocks.block(0).codes.set(code, n * 48))
    blocks.block(0).kinds.fill(1)
    blocks.block(0).kinds[7] = 2
    const asked = codes[3] as Buffer
    const histogram = blocks.scan(asked, 300, 'kinds', 1)
    const plain = codes.map((code) =>
      code.reduce((sum, byte, i) => sum + (byte ^ (asked[i] ?? 0)).toString(2).replaceAll('0', '').length, 0),
    )
    const counted = [...blocks.block(0).differences.subarray(0, 300)]
    expect(counted).toEqual(plain.map((bits, n) => (n === 7 ? 385 : bits)))
    expect(histogram[0]).toBe(1)
    expect(histogram.reduce((sum, n) => sum + n, 0)).toBe(300)
  })

  test('find exactly what a scan of the table finds, also of some units and under filters', async () => {
    const db = temporaryDb()
    some(db, 2, 400)
    const { same, warm } = both(db)
    await warm()
    expect(same()).toBe(25)
    expect(same({}, 1000)).toBe(398)
    expect(same({ units: ['item'] }, 300)).toBeGreaterThan(200)
    expect(same({ project: 'p1' })).toBe(25)
    expect(same({ project: 'nobody' })).toBe(0)
    expect(same({ projects: ['p1', 'p2'], kinds: ['goal', 'error'], since: 500, asOf: 2500 })).toBe(25)
    expect(same({ sources: ['/nowhere'] })).toBe(0)
    expect(same({ units: ['session'] })).toBe(0)
  })

  test('hear of what other connections add, change and delete', async () => {
    const db = temporaryDb()
    const ids = some(db, 2, 200)
    const { same, warm, codes } = both(db)
    await warm()
    same({ project: 'p1' })
    some(db, 200, 260)
    expect(same({}, 1000)).toBe(258)
    db.run("UPDATE item_rows SET project = 'moved', kind = 'plan' WHERE id = ?", [ids[5] ?? 0])
    expect(same({ project: 'moved' })).toBe(1)
    expect(same({ kinds: ['plan'] })).toBe(1)
    db.run('DELETE FROM item_rows WHERE id = ?', [ids[9] ?? 0])
    expect(same({}, 1000)).toBe(257)
    // The highest row number is free again, and the next item gets it.
    const last = db.get<{ id: number }>('SELECT max(id) AS id FROM items')?.id ?? 0
    db.run('DELETE FROM item_rows WHERE id = ?', [last])
    same({ project: 'p1' })
    expect(put(db, 900, { project: 'again', kind: 'goal', ts: 1, name: 'again' })).toBe(last)
    expect(same({ project: 'again' })).toBe(1)
    vectorSql.deleteAllVectors(db)
    expect(same({}, 1000)).toBe(0)
    expect(codes.size).toBe(0)
  })

  test('answer nothing before they are read, and start again when they missed too much', async () => {
    const db = temporaryDb()
    const ids = some(db, 2, 100)
    const { codes, warm, same } = both(db)
    expect(codes.nearest(vectorSql.signCode(seededVector(1)), 5, undefined, {})).toBeNull()
    await warm()
    expect(same({}, 1000)).toBe(98)
    db.run('DELETE FROM item_rows WHERE id = ?', [ids[3] ?? 0])
    db.run('DELETE FROM item_rows WHERE id = ?', [ids[4] ?? 0])
    // Forgotten by the log before this connection asked.
    db.run('DELETE FROM recall_changes WHERE seq < (SELECT max(seq) FROM recall_changes)')
    expect(same({}, 1000)).toBe(96)
  })
})

test('an arc leads to its turning points, not every item of their kinds', () => {
  const db = temporaryDb()
  const plans: string[] = []
  const spy: WriteDb = {
    ...db,
    all: <T>(sql: string, params?: SqlParams) => {
      plans.push(...db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params).map((row) => row.detail))
      return db.all<T>(sql, params)
    },
  }
  hydrationSql.turningPoints(spy, ['arc_a'], { project: 'p', asOf: 1 }, 3)
  expect(plans.filter((detail) => /\bi\b.*USING/.test(detail))).toEqual([
    expect.stringContaining('items_arc'),
  ])
})

describe('counts', () => {
  test('of items, vectors and what waits are kept by the database itself', () => {
    const db = temporaryDb()
    const ids = some(db, 2, 50)
    db.run('INSERT OR IGNORE INTO embed_queue (item_id) VALUES (?)', [ids[1] ?? 0])
    db.run('INSERT OR IGNORE INTO embed_queue (item_id) VALUES (?)', [ids[1] ?? 0])
    db.run('DELETE FROM item_rows WHERE id = ?', [ids[0] ?? 0])
    expect(hydrationSql.recallState(db)).toMatchObject(counted(db))
    vectorSql.deleteAllVectors(db)
    db.run('DELETE FROM embed_queue')
    expect(hydrationSql.recallState(db)).toMatchObject({ ...counted(db), vectors: 0, pending: 0 })
  })

  test('of a word are remembered until the index changes, whoever changes it', () => {
    const db = temporaryDb()
    const read = reader(db)
    const index = (id: number, text: string): void => {
      db.run('INSERT INTO items_fts (rowid, text, dates) VALUES (?, ?, ?)', [id, text, ''])
    }
    for (let id = 1; id <= 30; id++) index(id, 'retry the webhook')
    const count = hydrationSql.wordCounter(read)
    expect([count('webhook', 10), count('webhook', 100), count('webhook', 5), count('gone', 5)]).toEqual([
      10, 30, 5, 0,
    ])
    index(31, 'webhook')
    expect(hydrationSql.wordCounter(read)('webhook', 100)).toBe(31)
    db.run('DELETE FROM items_fts WHERE rowid = 31')
    expect(hydrationSql.wordCounter(read)('webhook', 100)).toBe(30)
    db.transaction(() => {
      db.run('DELETE FROM items_fts WHERE rowid = 30')
      index(30, 'another text')
    })
    expect(hydrationSql.wordCounter(read)('webhook', 100)).toBe(29)
  })
})

const counted = (db: WriteDb): object =>
  db.get<object>(
    `SELECT (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM vectors) AS vectors,
       (SELECT count(*) FROM embed_queue) AS pending`,
  ) ?? {}
