import { expect, test } from 'vitest'
import { curatorSql, journalSql, type SqlParams, type WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'

// What is done once for a chunk must cost what the chunk holds, and not what the journal does.

/** How SQLite goes about each statement that is run or asked meanwhile. */
function plansOf(db: WriteDb, work: (db: WriteDb) => void): string[] {
  const plans: string[] = []
  const explain = (sql: string, params?: SqlParams): void => {
    for (const { detail } of db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params))
      plans.push(detail)
  }
  const watched = {
    ...db,
    run: (sql: string, params?: SqlParams) => {
      explain(sql, params)
      return db.run(sql, params)
    },
    all: <T>(sql: string, params?: SqlParams) => {
      explain(sql, params)
      return db.all<T>(sql, params)
    },
  } as WriteDb
  work(watched)
  // A view tells its table by the name it has there.
  return plans.filter((detail) => /^(?:SCAN|SEARCH) (?:item_rows|r)\b/.test(detail))
}

test('the places of items, their queues and their arcs are found without reading the journal', () => {
  const plans = plansOf(temporaryDb(), (db) => {
    journalSql.itemPlaces(db, ['itm_a'])
    journalSql.queueFrom(db, 1)
    curatorSql.setArc(db, [1, 2], 'arc_a')
  })
  expect(plans.length).toBeGreaterThanOrEqual(4)
  for (const plan of plans)
    expect(plan).toMatch(/^SEARCH (?:item_rows|r) USING (?:INDEX|COVERING INDEX|INTEGER PRIMARY KEY)/)
})

test('what is added is queued once, goals first, and what stood there before is left alone', () => {
  const db = temporaryDb()
  db.run(
    "INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES ('s', 's', 'generic', 1, 2)",
  )
  const add = (handle: string, kind: string): number => {
    db.run(
      `INSERT INTO items (handle, kind, session_id, position, ts, text, chars, file_path, line, byte_offset, byte_length, record_hash)
       VALUES (?, ?, 's', 1, 1, '', 0, '', 1, 0, 0, '')`,
      [handle, kind],
    )
    return db.get<{ id: number }>('SELECT id FROM items WHERE handle = ?', [handle])?.id ?? 0
  }
  add('itm_old', 'goal')
  const first = add('itm_z', 'file_op')
  add('itm_a', 'goal')
  for (let twice = 0; twice < 2; twice++) journalSql.queueFrom(db, first)
  expect(
    db.all('SELECT handle, priority FROM embed_queue JOIN items ON items.id = item_id ORDER BY handle'),
  ).toEqual([
    { handle: 'itm_a', priority: 0 },
    { handle: 'itm_z', priority: 6 },
  ])
  expect(db.all('SELECT subject FROM curate_queue ORDER BY subject')).toEqual([
    { subject: 'itm_a' },
    { subject: 'itm_z' },
  ])
})
