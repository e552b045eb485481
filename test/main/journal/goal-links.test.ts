import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linkGoals, SAME_GOAL } from '../../../src/main/journal'
import { goalLinkSql, vectorSql, type WriteDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { ingest, items, openJournal, put, scribe } from './transcripts'

/** A unit vector at a given cosine to the first axis. */
function vectorAt(cosine: number, axis = 1): Float32Array {
  // Spread over many dimensions, so that its signs say something.
  const base = new Float32Array(384).map((_, i) => (i % 2 ? 1 : -1) / Math.sqrt(384))
  const other = new Float32Array(384).map((_, i) => ((i >> axis) % 2 ? 1 : -1) * (i % 2 ? 1 : -1))
  const along = other.reduce((sum, value, i) => sum + value * (base[i] ?? 0), 0)
  const rest = other.map((value, i) => value - along * (base[i] ?? 0))
  const length = Math.hypot(...rest)
  return base.map((value, i) => cosine * value + Math.sqrt(1 - cosine * cosine) * ((rest[i] ?? 0) / length))
}

function embed(db: WriteDb, handle: string, vector: Float32Array): void {
  const { id } = db.get<{ id: number }>('SELECT id FROM items WHERE handle = ?', [handle]) ?? { id: -1 }
  db.transaction(() =>
    vectorSql.putVector(db, {
      itemId: id,
      unit: 'item',
      model: 'm',
      vector,
      provenance: [handle],
      labels: [],
    }),
  )
}

async function journalOfGoals(goals: readonly (readonly [session: string, text: string])[]) {
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  for (const [n, [session, text]] of goals.entries()) {
    const s = scribe(session, { start: Date.parse('2026-03-03T09:00:00Z') + n * 60_000 })
    s.user(text, { uuid: `${session}-${n}` })
    put(join(root, `${n}.jsonl`), s.text())
  }
  await ingest(journal, root)
  const byText = new Map(items(db).map((item) => [item.text, item.handle]))
  return { db, of: (n: number) => byText.get(goals[n]?.[1] ?? '') ?? '' }
}

test('goals that say the same in different sessions are linked, with how alike they are', async () => {
  const { db, of } = await journalOfGoals([
    ['A', 'export the invoices as CSV'],
    ['B', 'write the invoices to a CSV file'],
    ['C', 'make the login page faster'],
    ['A', 'export all invoices as CSV again'],
  ])
  embed(db, of(0), vectorAt(1))
  embed(db, of(1), vectorAt(SAME_GOAL + 0.03))
  embed(db, of(2), vectorAt(SAME_GOAL - 0.05, 2))
  embed(db, of(3), vectorAt(1))
  expect(linkGoals(db)).toBe(4)
  expect(linkGoals(db)).toBe(0)
  const same = goalLinkSql.sameGoals(db, of(1))
  // Both of session A, but not each other: they stand in one session.
  expect(new Set(same.map((one) => one.handle))).toEqual(new Set([of(0), of(3)]))
  expect(same[0]?.similarity).toBeCloseTo(SAME_GOAL + 0.03, 3)
  expect(goalLinkSql.sameGoals(db, of(0)).map((one) => one.handle)).toEqual([of(1)])
  expect(goalLinkSql.sameGoals(db, of(2))).toEqual([])
  expect(
    db.get<{ provenance: string }>('SELECT provenance FROM goal_links WHERE handle = ?', [of(1)]),
  ).toEqual({ provenance: JSON.stringify([of(0), of(1)].sort()) })
})

test('a few words that fit anywhere are no common goal', async () => {
  const { db, of } = await journalOfGoals([
    ['A', 'fix it up now'],
    ['B', 'fix it up !'],
  ])
  embed(db, of(0), vectorAt(1))
  embed(db, of(1), vectorAt(1))
  linkGoals(db)
  expect(goalLinkSql.sameGoals(db, of(0))).toEqual([])
})

test('a link goes with its goal, and is measured anew when a goal is embedded anew', async () => {
  const { db, of } = await journalOfGoals([
    ['A', 'export the invoices as CSV'],
    ['B', 'write the invoices to a CSV file'],
  ])
  embed(db, of(0), vectorAt(1))
  embed(db, of(1), vectorAt(1))
  linkGoals(db)
  expect(goalLinkSql.sameGoals(db, of(0))).toHaveLength(1)
  embed(db, of(1), vectorAt(0.1))
  linkGoals(db)
  expect(goalLinkSql.sameGoals(db, of(0))).toEqual([])
  embed(db, of(1), vectorAt(0.95))
  linkGoals(db)
  expect(goalLinkSql.sameGoals(db, of(0))).toHaveLength(1)
  db.run('DELETE FROM item_rows WHERE handle = ?', [of(0)])
  expect(db.all('SELECT * FROM goal_links')).toEqual([])
})
