import { AppError } from '../../shared/errors'
import { keptCodesOf, type NearCode } from './codes/kept-codes'
import { likeliest } from './codes/sift'
import type { ReadDb, SqlValue, WriteDb } from './db'
import { conditions, type RecallFilter } from './recall-filter'

/** 'item': the item's text alone. 'context': the text behind what was said before it in the session. */
export type VectorUnit = 'item' | 'context' | 'arc' | 'session'

/** One neighbour. `cosine` is exact, in [-1, 1]; the same item may appear once for each unit. */
export interface VectorHit {
  itemId: number
  unit: VectorUnit
  cosine: number
}

/** What a neighbour must fulfil. */
export interface VectorFilters extends RecallFilter {
  units?: readonly VectorUnit[]
}

export interface VectorRow {
  itemId: number
  unit: VectorUnit
  model: string
  vector: Float32Array
  provenance: readonly string[]
  labels: readonly string[]
}

const DIMENSIONS = 384

/** The signs of a vector as 48 bytes, bit i of byte j for dimension 8j + i: sqlite-vec's layout. */
export function signCode(vector: Float32Array): Buffer {
  const code = Buffer.alloc(DIMENSIONS / 8)
  for (let i = 0; i < DIMENSIONS; i++) {
    if ((vector[i] ?? 0) > 0) code[i >> 3] = (code[i >> 3] ?? 0) | (1 << (i & 7))
  }
  return code
}

/** Cosine of two unit vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < DIMENSIONS; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

const toBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** A copy: a blob of SQLite may start at an address where floats cannot be read. */
function fromBlob(blob: Buffer): Float32Array {
  const vector = new Float32Array(blob.byteLength / 4)
  new Uint8Array(vector.buffer).set(blob)
  return vector
}

/**
 * The k vectors whose signs differ least from `code` (hamming), nearest first; ties by age.
 * A scan: its time grows with the number of codes and hardly with k. 48 bytes are compared for each; in memory where
 * the thread keeps the codes there (`keepCodes`), else in the table, with the same result.
 */
export function nearestCodes(db: ReadDb, code: Buffer, k: number, filters: VectorFilters = {}): NearCode[] {
  const { units, ...filter } = filters
  const kept = keptCodesOf(db)?.nearest(code, k, units, filter)
  if (kept) return kept
  const { where, params } = codeConditions(filters)
  return db.all(
    `SELECT vector_id AS vectorId, vec_distance_hamming(vec_bit(code), vec_bit(?)) AS distance, code
     FROM vector_codes ${where} ORDER BY distance, vector_id LIMIT ?`,
    [code, ...params, k],
  )
}

/** Exact cosines of the named vectors with `vector`, best first. */
export function rescore(db: ReadDb, vector: Float32Array, vectorIds: readonly number[]): VectorHit[] {
  return storedVectors(db, vectorIds)
    .map((one) => ({ itemId: one.itemId, unit: one.unit, cosine: cosine(vector, one.vector) }))
    .sort((a, b) => b.cosine - a.cosine || a.itemId - b.itemId || (a.unit < b.unit ? -1 : 1))
}

interface StoredVector {
  itemId: number
  unit: VectorUnit
  vector: Float32Array
}

/** Vectors remembered of a connection, 1.6 kB each: what is near one question is mostly near the next one too. */
const MOST_REMEMBERED = 6000
const remembered = new WeakMap<ReadDb, Map<number, StoredVector>>()

/** The vectors with these numbers, which the caller has just seen in the codes: a number always names the same vector. */
function storedVectors(db: ReadDb, ids: readonly number[]): StoredVector[] {
  const known = remembered.get(db) ?? new Map<number, StoredVector>()
  remembered.set(db, known)
  const fresh = ids.filter((id) => !known.has(id)).sort((a, b) => a - b)
  const found = ids.flatMap((id) => known.get(id) ?? [])
  if (fresh.length === 0) return found
  if (known.size + fresh.length > MOST_REMEMBERED) known.clear()
  for (const [id, stored] of readVectors(db, fresh)) {
    known.set(id, stored)
    found.push(stored)
  }
  return found
}

/**
 * Hundreds of vectors as one row: their bytes one behind the other (SQLite joins bytes as they are, whatever they mean as
 * text). A row and a blob for each takes half as long again.
 */
function readVectors(db: ReadDb, ids: readonly number[]): [number, StoredVector][] {
  const row = db.get<{ ids: string; items: string; units: string; bytes: Buffer } | { ids: null }>(
    `SELECT group_concat(v.id) AS ids, group_concat(v.item_id) AS items, group_concat(v.unit) AS units,
       CAST(group_concat(v.embedding, '') AS BLOB) AS bytes
     FROM json_each(?) AS wanted JOIN vectors AS v ON v.id = wanted.value`,
    [JSON.stringify(ids)],
  )
  if (!row || row.ids === null) return []
  const all = fromBlob(row.bytes)
  const [items, units] = [row.items.split(','), row.units.split(',')]
  return row.ids.split(',').map((id, i) => {
    const vector = all.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)
    return [Number(id), { itemId: Number(items[i]), unit: units[i] as VectorUnit, vector }]
  })
}

/** So many codes are looked at for each neighbour that is wanted, and at least so many. */
const CODES_FOR_ONE = 4
const LEAST_CODES = 800
/** So many vectors are read and compared exactly for each that is wanted, and at least so many. */
const READ_FOR_ONE = 1.5
const LEAST_READ = 150

/**
 * The k nearest units to a unit vector of 384 float32, by exact cosine over the best few hundred sign codes
 * (DESIGN: binary codes first, then rescored): of those that differ least the likeliest are read. Filters hold for the
 * codes already, so a narrow filter finds as much as there is.
 * To rank 'item' and 'context' apart, ask twice with `units`.
 * @throws AppError `bad-input` when the vector is not 384 finite numbers
 */
export function nearest(
  db: ReadDb,
  vector: Float32Array,
  { k, ...filters }: VectorFilters & { k: number },
): VectorHit[] {
  assertVector(vector)
  return db.snapshot(() => {
    const codes = nearestCodes(db, signCode(vector), Math.max(LEAST_CODES, CODES_FOR_ONE * k), filters)
    const near = likeliest(vector, codes, Math.max(LEAST_READ, READ_FOR_ONE * k))
    return rescore(db, vector, near).slice(0, k)
  })
}

/** The stored vectors of some items, for comparing them with one another. */
export function vectorsOf(
  db: ReadDb,
  itemIds: readonly number[],
  unit: VectorUnit = 'item',
): Map<number, Float32Array> {
  const rows = db.all<{ itemId: number; embedding: Buffer }>(
    `SELECT v.item_id AS itemId, v.embedding FROM json_each(?) AS wanted
     JOIN vectors AS v ON v.item_id = wanted.value AND v.unit = ?`,
    [JSON.stringify(itemIds), unit],
  )
  return new Map(rows.map((row) => [row.itemId, fromBlob(row.embedding)]))
}

/** Writes one unit's vector and its code, in place of what was there. Call it inside a transaction. */
export function putVector(db: WriteDb, row: VectorRow): void {
  assertVector(row.vector)
  db.run('DELETE FROM vectors WHERE item_id = ? AND unit = ?', [row.itemId, row.unit])
  const { lastInsertRowid } = db.run(
    'INSERT INTO vectors (item_id, unit, model, embedding, provenance, labels) VALUES (?, ?, ?, ?, ?, ?)',
    [
      row.itemId,
      row.unit,
      row.model,
      toBlob(row.vector),
      JSON.stringify(row.provenance),
      JSON.stringify(row.labels),
    ],
  )
  db.run('INSERT INTO vector_codes (vector_id, item_id, unit, code) VALUES (?, ?, ?, ?)', [
    lastInsertRowid,
    row.itemId,
    row.unit,
    signCode(row.vector),
  ])
}

export function deleteVectorsOf(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM vectors WHERE item_id = ?', [itemId])
}

export function deleteAllVectors(db: WriteDb): void {
  db.run('DELETE FROM vector_codes')
  db.run('DELETE FROM vectors')
}

export function countVectors(db: ReadDb): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM vector_codes')?.n ?? 0
}

/** sqlite-vec accepts NaN and compares it as if it were a number, so it is refused here. */
function assertVector(vector: Float32Array): void {
  if (vector.length === DIMENSIONS && vector.every(Number.isFinite)) return
  throw new AppError('bad-input', `A vector needs ${DIMENSIONS} finite numbers.`)
}

function codeConditions({ units, ...filter }: VectorFilters): { where: string; params: SqlValue[] } {
  const parts: string[] = []
  const params: SqlValue[] = []
  if (units) {
    parts.push('unit IN (SELECT value FROM json_each(?))')
    params.push(JSON.stringify(units))
  }
  const item = conditions(filter)
  if (item.params.length > 0) {
    parts.push(`item_id IN (SELECT i.id FROM items AS i WHERE 1${item.sql})`)
    params.push(...item.params)
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', params }
}
