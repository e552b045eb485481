import { describe, expect, test } from 'vitest'
import { vectorSql, type WriteDb } from '../../../src/main/store'
import { likeliest } from '../../../src/main/store/codes/sift'
import { temporaryDb } from '../../support'
import { between, insertItem, seededVector, type TestItem } from '../models/journal-rows'

const put = (
  db: WriteDb,
  vector: Float32Array,
  item: TestItem & { unit?: vectorSql.VectorUnit } = {},
): number => {
  const { id } = insertItem(db, item)
  vectorSql.putVector(db, {
    itemId: id,
    unit: item.unit ?? 'item',
    model: 'test',
    vector,
    provenance: [],
    labels: [],
  })
  return id
}

describe('vector search', () => {
  test('the sign code has the layout of sqlite-vec', () => {
    const db = temporaryDb()
    const vector = seededVector(3)
    const theirs = db.get<{ code: Buffer }>('SELECT vec_quantize_binary(?) AS code', [
      Buffer.from(vector.buffer),
    ])?.code
    expect(vectorSql.signCode(vector).equals(theirs ?? Buffer.alloc(0))).toBe(true)
  })

  test('finds what an exact comparison with every vector finds', () => {
    const db = temporaryDb()
    const query = seededVector(1)
    const all = Array.from({ length: 600 }, (_, n) => {
      const vector = between(query, seededVector(n + 2), 0.1 + n / 700)
      return { id: db.transaction(() => put(db, vector)), cosine: vectorSql.cosine(query, vector) }
    })
    const exact = [...all].sort((a, b) => b.cosine - a.cosine).slice(0, 20)
    const hits = vectorSql.nearest(db, query, { k: 20 })
    expect(hits.map((hit) => hit.itemId)).toEqual(exact.map((row) => row.id))
    expect(hits[0]?.cosine).toBeCloseTo(exact[0]?.cosine ?? 0, 5)
  })

  test('reads the vectors whose signs speak for them, by a sum as plain as its formula', () => {
    const query = seededVector(1)
    const signed = Array.from({ length: 400 }, (_, n) => {
      const vector = between(query, seededVector(n + 2), 0.6 + n / 2000)
      return { vectorId: n + 1, code: vectorSql.signCode(vector), cosine: vectorSql.cosine(query, vector) }
    })
    const isPlus = (code: Uint8Array, i: number): boolean => (((code[i >> 3] ?? 0) >> (i & 7)) & 1) === 1
    const sum = (code: Uint8Array): number =>
      query.reduce((total, value, i) => total + (isPlus(code, i) ? value : -value), 0)
    const plain = [...signed].sort((a, b) => sum(b.code) - sum(a.code)).map(({ vectorId }) => vectorId)
    expect(likeliest(query, signed, 60)).toEqual(plain.slice(0, 60))
    const nearest = [...signed].sort((a, b) => b.cosine - a.cosine).slice(0, 30)
    const differ = (code: Uint8Array): number => {
      const own = vectorSql.signCode(query)
      return query.reduce((count, _, i) => count + Number(isPlus(code, i) !== isPlus(own, i)), 0)
    }
    const bySigns = [...signed].sort((a, b) => differ(a.code) - differ(b.code)).slice(0, 60)
    const holds = (ids: readonly number[]): number =>
      nearest.filter(({ vectorId }) => ids.includes(vectorId)).length
    expect(holds(plain.slice(0, 60))).toBeGreaterThan(holds(bySigns.map(({ vectorId }) => vectorId)))
    expect(likeliest(query, signed, 400)).toHaveLength(400)
  })

  test('hundreds of vectors read as one come back to the bit, each under its own item and unit', () => {
    const db = temporaryDb()
    const query = seededVector(1)
    // Nought bytes, signs of no text, minus nought and the smallest there are.
    const odd = Float32Array.from({ length: 384 }, (_, i) => [0, -0, 1e-45, -3.5e-39, 0.25][i % 5] ?? 0)
    const stored = Array.from({ length: 300 }, (_, n) => {
      const vector = n % 3 === 0 ? odd.map((value) => value * (n + 1)) : seededVector(n + 2)
      const unit = n % 2 === 0 ? ('item' as const) : ('context' as const)
      return { id: db.transaction(() => put(db, vector, { unit })), unit, vector }
    })
    const found = vectorSql.rescore(db, query, [...stored.map((_, n) => n + 1), 9999])
    const cosines = new Map(found.map((hit) => [hit.itemId, hit]))
    expect(found).toHaveLength(300)
    for (const { id, unit, vector } of stored)
      expect(cosines.get(id)).toEqual({ itemId: id, unit, cosine: vectorSql.cosine(query, vector) })
  })

  test('a narrow filter finds the one item that fulfils it behind hundreds of nearer ones', () => {
    const db = temporaryDb()
    const query = seededVector(1)
    db.transaction(() => {
      for (let n = 0; n < 500; n++) put(db, between(query, seededVector(n + 10), 0.2), { project: 'near' })
    })
    const far = put(db, between(query, seededVector(9), 0.9), { project: 'far' })
    expect(vectorSql.nearest(db, query, { k: 5, project: 'far' }).map((hit) => hit.itemId)).toEqual([far])
  })

  test('filters by kind, unit and time', () => {
    const db = temporaryDb()
    const query = seededVector(1)
    const goal = put(db, query, { kind: 'goal', ts: 100 })
    const late = put(db, query, { kind: 'note', ts: 300 })
    vectorSql.putVector(db, {
      itemId: late,
      unit: 'context',
      model: 'test',
      vector: query,
      provenance: [],
      labels: [],
    })
    const ids = (filters: vectorSql.VectorFilters) =>
      vectorSql.nearest(db, query, { k: 9, ...filters }).map((hit) => `${hit.itemId}/${hit.unit}`)
    expect(ids({ kinds: ['goal'] })).toEqual([`${goal}/item`])
    expect(ids({ asOf: 200 })).toEqual([`${goal}/item`])
    expect(ids({ since: 200 })).toEqual([`${late}/context`, `${late}/item`])
    expect(ids({ units: ['context'] })).toEqual([`${late}/context`])
  })

  test('a vector written again replaces the old one, and a deleted item takes its vectors along', () => {
    const db = temporaryDb()
    const id = put(db, seededVector(1))
    const row = { itemId: id, unit: 'item' as const, model: 'test', provenance: [], labels: [] }
    vectorSql.putVector(db, { ...row, vector: seededVector(2) })
    expect(vectorSql.countVectors(db)).toBe(1)
    expect(vectorSql.nearest(db, seededVector(2), { k: 5 })[0]?.cosine).toBeCloseTo(1, 5)
    db.run('DELETE FROM item_rows WHERE id = ?', [id])
    expect(vectorSql.countVectors(db)).toBe(0)
    expect(vectorSql.nearest(db, seededVector(2), { k: 5 })).toEqual([])
  })

  test('refuses a vector with a NaN in it, stored or asked', () => {
    const db = temporaryDb()
    const bad = seededVector(1)
    bad[7] = Number.NaN
    expect(() => put(db, bad)).toThrow(expect.objectContaining({ code: 'bad-input' }))
    expect(() => vectorSql.nearest(db, bad, { k: 1 })).toThrow(expect.objectContaining({ code: 'bad-input' }))
  })
})
