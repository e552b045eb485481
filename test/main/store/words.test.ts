import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  hydrationSql,
  journalSql,
  keepCodes,
  mergeWords,
  openRead,
  type ReadDb,
  type WriteDb,
} from '../../../src/main/store'
import { indexRecords } from '../../../src/main/store/word-index.queries'
import { segmentsIn } from '../../../src/main/store/words/segments'
import { wordIndex } from '../../../src/main/store/words/word-index'
import { temporaryDb } from '../../support'
import { insertItem } from '../models/journal-rows'

// The index read from its own tables, beside the same questions put to FTS5.

let state = 1
const random = (): number => {
  state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0
  return state / 2 ** 32
}
beforeEach(() => {
  state = 1
})

const ENDINGS = ['', 's', 'ing', 'ed', 'ation', 'ness', 'ies']
/** Few words are frequent and many are rare, in several forms each. */
const someWord = (): string =>
  `w${Math.floor(400 ** random())}${ENDINGS[Math.floor(random() * ENDINGS.length)]}`
const someText = (): string => {
  const words = Array.from({ length: 1 + Math.floor(90 * random() ** 3) }, someWord)
  return ['always', ...words, ...(random() < 0.02 ? Array(3000).fill('again') : [])].join(' ')
}
const DATES = ['12 march 2026 2026-03-12', '1 may 2026 2026-05-01', '']

let added = 0

function add(db: WriteDb, count: number): number[] {
  return db.transaction(() =>
    Array.from({ length: count }, () => {
      const { id } = insertItem(db, {
        name: `added ${added++}`,
        project: `p${Math.floor(3 * random())}`,
        queued: false,
      })
      journalSql.indexItem(db, id, someText(), DATES[Math.floor(3 * random())] ?? '')
      return id
    }),
  )
}

function reword(db: WriteDb, id: number): void {
  db.transaction(() => {
    journalSql.unindexItem(db, id)
    journalSql.indexItem(db, id, someText(), '')
  })
}

function remove(db: WriteDb, id: number): void {
  db.transaction(() => {
    journalSql.unindexItem(db, id)
    db.run('DELETE FROM item_rows WHERE id = ?', [id])
  })
}

function reader(db: WriteDb): ReadDb {
  const read = openRead(db.path)
  onTestFinished(() => read.close())
  return read
}

const FILTERS = [{}, { project: 'p1' }, { project: 'p1', asOf: 1_700_000_900_000 }, { sources: ['/nowhere'] }]

/** Every question gets FTS5's answer: the same items in the same order, the same scores and counts. */
function same(read: ReadDb): void {
  const fts = (word: string): number[] =>
    read
      .all<{ id: number }>('SELECT rowid AS id FROM items_fts WHERE items_fts MATCH ? ORDER BY rowid', [
        `"${word}"`,
      ])
      .map((row) => row.id)
  expect(wordIndex(read)).not.toBeNull()
  for (let round = 0; round < 4; round++) {
    const words = Array.from({ length: 1 + Math.floor(8 * random()) }, someWord)
    words.push(...['always', 'again', 'march', '2026', 'nowhere'].filter(() => random() < 0.3))
    const limit = [1, 7, 50, 5000][round % 4] ?? 1
    // What was counted or read ahead changes no answer.
    if (random() < 0.5) hydrationSql.countWords(read, words, limit)
    if (random() < 0.3) hydrationSql.readWords(read, words)
    for (const filter of FILTERS) {
      const found = hydrationSql.lexical(read, words, limit, filter)
      const plain = hydrationSql.lexicalByFts(read, words, limit, filter)
      expect(found.map((hit) => hit.id)).toEqual(plain.map((hit) => hit.id))
      const apart = found.map((hit, i) => Math.abs(hit.score - (plain[i]?.score ?? 0)))
      expect(Math.max(0, ...apart)).toBeLessThan(1e-9)
    }
    const count = hydrationSql.wordCounter(read)
    for (const word of words) {
      const all = fts(word)
      expect([count(word, 3), count(word, 100_000)]).toEqual([Math.min(3, all.length), all.length])
    }
    const ids = Array.from({ length: 40 }, (_, n) => n * 7)
    const saying = new Set(words.flatMap(fts))
    expect(hydrationSql.saying(read, words, ids)).toEqual(new Set(ids.filter((id) => saying.has(id))))
  }
}

describe('the index over words, read from its own tables', () => {
  test('answers as FTS5 does, in one segment and in many, with rows reworded and gone, merged and not', () => {
    const db = temporaryDb()
    const read = reader(db)
    const ids = add(db, 1500)
    same(read)
    for (let n = 0; n < 40; n++) ids.push(...add(db, 5))
    same(read)
    for (let n = 0; n < 60; n++) reword(db, ids[Math.floor(random() * ids.length)] ?? 0)
    for (let n = 0; n < 30; n++) remove(db, ids.splice(Math.floor(random() * ids.length), 1)[0] ?? 0)
    same(read)
    db.run("INSERT INTO items_fts (items_fts, rank) VALUES ('merge', 20)")
    same(read)
    db.run("INSERT INTO items_fts (items_fts) VALUES ('optimize')")
    same(read)
  })

  test('becomes one part in short steps, and answers the same after each, whatever is written meanwhile', () => {
    const db = temporaryDb()
    const read = reader(db)
    const parts = (): number => segmentsIn(indexRecords(db)?.structure ?? Buffer.alloc(0))?.length ?? 0
    const ids = Array.from({ length: 12 }, () => add(db, 400)).flat()
    expect(parts()).toBeGreaterThan(4)
    let steps = 0
    while (mergeWords(db)) {
      steps++
      if (steps % 3 === 0) same(read)
      if (steps % 5 === 0) ids.push(...add(db, 3))
      if (steps % 5 === 1) reword(db, ids[Math.floor(random() * ids.length)] ?? 0)
      if (steps % 5 === 2) remove(db, ids.shift() ?? 0)
    }
    expect(steps).toBeGreaterThan(2)
    expect(steps).toBeLessThan(100)
    same(read)
    while (mergeWords(db));
    // What little is added at a time is not worth writing everything anew.
    const before = parts()
    expect(before).toBeLessThanOrEqual(4)
    add(db, 1)
    expect(mergeWords(db)).toBe(false)
    for (let n = 0; n < 5; n++) add(db, 300)
    expect(mergeWords(db)).toBe(true)
    while (mergeWords(db));
    expect(parts()).toBe(1)
    same(read)
  })

  test('also with the lengths of texts in memory, whatever happens to the texts', async () => {
    const db = temporaryDb()
    const read = reader(db)
    const ids = add(db, 300)
    const codes = keepCodes(read)
    onTestFinished(() => codes.close())
    await codes.warm()
    const inMemory = (): boolean => {
      const index = wordIndex(read)
      return index !== null && read.snapshot(() => codes.lengths(index)) !== null
    }
    expect(inMemory()).toBe(true)
    same(read)
    ids.push(...add(db, 20))
    reword(db, ids[3] ?? 0)
    remove(db, ids[4] ?? 0)
    expect(inMemory()).toBe(true)
    same(read)
    // Somebody changes a text and tells nobody: it no longer adds up, and is read anew.
    db.transaction(() => {
      db.run('DELETE FROM items_fts WHERE rowid = ?', [ids[7] ?? 0])
      journalSql.indexItem(db, ids[7] ?? 0, 'w1 w2 w3 '.repeat(50), '')
    })
    expect(inMemory()).toBe(false)
    same(read)
    await codes.warm()
    expect(inMemory()).toBe(true)
    same(read)
  })

  test('leaves to FTS5 a word of two parts and an index that is written in another way', () => {
    const db = temporaryDb()
    const read = reader(db)
    add(db, 50)
    const { id } = insertItem(db, { queued: false })
    journalSql.indexItem(db, id, 'the naïve re·try of naive code', '')
    expect(hydrationSql.lexical(read, ['naive'], 5).map((hit) => hit.id)).toEqual([id])
    expect(wordIndex(read)?.postings('re·try')).toBeNull()
    expect(hydrationSql.lexical(read, ['re·try', 'code'], 5).map((hit) => hit.id)).toEqual([id])
    expect(hydrationSql.wordCounter(read)('re·try', 5)).toBe(1)
    const other: ReadDb = {
      ...read,
      get: <T>(sql: string) => (sql.includes('items_fts_config') ? ({ v: 5 } as T) : read.get<T>(sql)),
    }
    expect(wordIndex(other)).toBeNull()
    expect(hydrationSql.lexical(other, ['naive'], 5).map((hit) => hit.id)).toEqual([id])
  })
})
