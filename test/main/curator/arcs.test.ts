import { describe, expect, test } from 'vitest'
import { updateArcs } from '../../../src/main/curator'
import type { WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { handleOf, insertItem, type TestItem } from '../models/journal-rows'

const arcs = (db: WriteDb): unknown[] =>
  db.all(
    'SELECT id, goal_handle, started_at, ended_at, items, by_kind, provenance, labels FROM arcs ORDER BY id',
  )
const placed = (db: WriteDb): unknown[] => db.all('SELECT handle, arc_id FROM items ORDER BY handle')

const first = handleOf('first goal')
const second = handleOf('second goal')
/** A session: a goal with two items, another with one, and the first again. */
const story: TestItem[] = [
  { name: 'first goal', kind: 'goal', position: 1, labels: ['acme'] },
  { kind: 'command', goal: first, position: 2 },
  { kind: 'command', goal: first, position: 3, labels: ['private'] },
  { name: 'second goal', kind: 'goal', goal: second, position: 4 },
  { kind: 'file_op', goal: second, position: 5 },
  { kind: 'conclusion', goal: first, position: 6 },
]

function arrived(batches: readonly (readonly TestItem[])[]): WriteDb {
  const db = temporaryDb()
  for (const batch of batches) {
    db.transaction(() => {
      for (const item of batch) insertItem(db, item)
      updateArcs(db, ['generic:s1'])
    })
  }
  return db
}

describe('arcs', () => {
  test('are the runs of one goal, a goal coming back being a new arc', () => {
    const db = arrived([story])
    const rows = db.all<Record<string, unknown>>('SELECT * FROM arcs ORDER BY started_at')
    expect(rows.map((row) => [row.goal_handle, row.items, row.by_kind])).toEqual([
      [first, 3, '{"command":2,"goal":1}'],
      [second, 2, '{"file_op":1,"goal":1}'],
      [first, 1, '{"conclusion":1}'],
    ])
    expect(rows[0]).toMatchObject({
      id: expect.stringMatching(/^arc_[a-z2-7]{26}$/),
      labels: '["acme","private"]',
      provenance: JSON.stringify([first, handleOf('generic:s1/2'), handleOf('generic:s1/3')]),
    })
    expect(db.all('SELECT 1 FROM items WHERE arc_id IS NULL')).toEqual([])
  })

  test('are the same however the items arrived', () => {
    const whole = arrived([story])
    const orders = [
      story.map((item) => [item]),
      [story.slice(0, 2), story.slice(2, 5), story.slice(5)],
      [...story].reverse().map((item) => [item]),
      [story.slice(3), story.slice(0, 3)],
      [story.filter((_, n) => n % 2 === 0), story.filter((_, n) => n % 2 === 1)],
    ]
    for (const order of orders) {
      const db = arrived(order)
      expect(arcs(db)).toEqual(arcs(whole))
      expect(placed(db)).toEqual(placed(whole))
    }
  })

  test('an item that gets another goal, and a deleted one, change the arcs to what they would always have been', () => {
    const db = arrived([story])
    db.run('UPDATE item_rows SET goal = (SELECT n FROM names WHERE name = ?) WHERE position = 6', [second])
    updateArcs(db, [])
    expect(arcs(db)).toEqual(
      arcs(arrived([story.map((i) => (i.position === 6 ? { ...i, goal: second } : i))])),
    )
    db.run('DELETE FROM item_rows WHERE position IN (4, 5)')
    updateArcs(db, [])
    expect(arcs(db)).toEqual(
      arcs(arrived([story.slice(0, 3).concat({ kind: 'conclusion', goal: second, position: 6 })])),
    )
    const ids = new Set(db.all<{ id: string }>('SELECT id FROM arcs').map((row) => row.id))
    const queued = db.all<{ subject: string }>("SELECT subject FROM curate_queue WHERE subject LIKE 'arc_%'")
    expect(queued.every((row) => ids.has(row.subject))).toBe(true)
  })

  test('an update without news reads nothing and writes nothing', () => {
    const db = arrived([story])
    expect(updateArcs(db, ['generic:s1', 'generic:none'])).toEqual({ arcs: 0, itemsRead: 0 })
  })

  test('the work for new items does not grow with the session or the journal', () => {
    const work = [100, 3_000].map((size) => {
      const db = temporaryDb()
      db.transaction(() => {
        for (let n = 1; n <= size; n++) insertItem(db, { goal: first, position: n, queued: false })
        for (let n = 1; n <= size; n++)
          insertItem(db, { session: 'generic:other', goal: second, position: n, queued: false })
        updateArcs(db, ['generic:s1', 'generic:other'])
        for (let n = 1; n <= 5; n++) insertItem(db, { goal: first, position: size + n, queued: false })
      })
      return updateArcs(db, ['generic:s1', 'generic:other'])
    })
    expect(work).toEqual([
      { arcs: 1, itemsRead: 5 },
      { arcs: 1, itemsRead: 5 },
    ])
  })

  test('what finds the frontier of a session never scans it', () => {
    const db = temporaryDb()
    const plan = db
      .all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT position FROM item_rows INDEXED BY items_without_arc
         WHERE session = 1 AND arc IS NULL ORDER BY position LIMIT 1`,
      )
      .map((row) => row.detail)
      .join('\n')
    expect(plan).toMatch(/SEARCH item_rows USING (COVERING )?INDEX items_without_arc/)
    expect(plan).not.toMatch(/TEMP B-TREE/)
  })
})
