import { describe, expect, test } from 'vitest'
import { curate, makeRollups, updateArcs } from '../../../src/main/curator'
import { curatorSql, rollupSql, type SqlParams, type WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { handleOf, insertItem } from '../models/journal-rows'

const NOON = new Date(2026, 4, 6, 12).getTime()

function arc(
  db: WriteDb,
  n: number,
  conclusion: string,
  more: { ts?: number; project?: string; labels?: string[] },
) {
  const session = `generic:s${n}`
  const goal = handleOf(`goal ${n}`)
  const item = { session, ts: NOON, project: 'shop', goal, ...more }
  insertItem(db, {
    ...item,
    name: `goal ${n}`,
    kind: 'goal',
    goal: null,
    position: 1,
    text: 'Fix it, please',
  })
  insertItem(db, { ...item, kind: 'conclusion', position: 2, text: conclusion })
  updateArcs(db, [session])
}

function work(db: WriteDb): void {
  while (curate(db, { now: 1 }) > 0);
  while (makeRollups(db, { now: 1, version: 1, limit: 3 }) > 0);
}

const l1 = (db: WriteDb, subject: string): string | undefined =>
  curatorSql.rungs(db, [subject]).get(subject)?.L1?.text

describe('rollups', () => {
  test('tell a session, a day and a project by the sentence that says most, with sources and labels', () => {
    const db = temporaryDb()
    arc(db, 1, 'Nothing to see here, we only looked around for a while.', {})
    arc(db, 2, 'Fixed the retry of the webhook, which dropped events after three attempts.', {
      labels: ['team'],
    })
    arc(db, 3, 'Added a dark theme to the settings page.', { ts: NOON + 86_400_000, project: 'site' })
    work(db)
    const told = 'Fixed the retry of the webhook, which dropped events after three attempts.'
    expect(l1(db, 'day_2026-05-06/shop')).toBe(told)
    expect(l1(db, 'day_2026-05-06/*')).toBe(told)
    expect(l1(db, 'prj_shop')).toBe(told)
    expect(l1(db, 'ses_generic:s3')).toBe('Added a dark theme to the settings page.')
    expect(l1(db, 'day_2026-05-06/site')).toBeUndefined()
    expect(rollupSql.daySentences(db, ['2026-05-06', '2026-05-07'], 'site')).toEqual(
      new Map([['2026-05-07', 'Added a dark theme to the settings page.']]),
    )
    expect(
      db.get('SELECT labels, provenance FROM rungs WHERE subject = ? AND level = ?', ['prj_site', 'L1']),
    ).toEqual({ labels: '[]', provenance: JSON.stringify([handleOf('generic:s3/2')]) })
    expect(db.get('SELECT labels FROM rungs WHERE subject = ? AND level = ?', ['prj_shop', 'L1'])).toEqual({
      labels: '["team"]',
    })
  })

  test('quote nothing that changed or is gone', () => {
    const db = temporaryDb()
    arc(db, 1, 'Fixed the retry of the webhook with the key of ACME.', {})
    work(db)
    const quotes = (): number =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM rungs WHERE text LIKE '%ACME%'")?.n ?? 0
    expect(quotes()).toBeGreaterThan(3)
    db.run(
      "UPDATE item_rows SET text = 'Fixed the retry of the webhook with a key.' WHERE kind = 'conclusion'",
    )
    expect(quotes()).toBe(0)
    work(db)
    expect(l1(db, 'prj_shop')).toBe('Fixed the retry of the webhook with a key.')
    db.run('DELETE FROM item_rows')
    updateArcs(db, ['generic:s1'])
    work(db)
    expect(rollupSql.countRollups(db)).toBe(0)
  })

  test('cost the same for a new arc in a large project as in one of a hundred arcs', () => {
    const work100 = costOfOneMore(100)
    const work800 = costOfOneMore(800)
    expect(work800.arcsRead).toBe(work100.arcsRead)
    expect(work100.arcsRead).toBe(60)
    expect(work800.rows).toBe(work100.rows)
    // What SQLite does behind a row: arcs of a project come by an index in the order of time, none is counted.
    expect(work800.plans).toEqual(work100.plans)
    expect(
      work100.plans.filter((plan) => /SCAN (?:a|arcs)\b|USE TEMP B-TREE FOR ORDER BY/.test(plan)),
    ).toEqual([])
    expect(work100.counted).toEqual([])
  })
})

/** What making the rollup of a project of so many arcs takes when one more has come. */
function costOfOneMore(arcs: number): { arcsRead: number; rows: number; plans: string[]; counted: string[] } {
  const db = temporaryDb()
  db.transaction(() => {
    for (let n = 0; n < arcs; n++)
      arc(db, n, `Fixed part ${n} of the queue, which lost events.`, { ts: NOON - n * 3_600_000 })
  })
  work(db)
  arc(db, arcs, 'Fixed the last part of the queue.', { ts: NOON + 60_000 })
  while (curate(db, { now: 2 }) > 0);
  db.run("DELETE FROM rollup_queue WHERE subject <> 'prj_shop'")
  let rows = 0
  let arcsRead = 0
  const asked = new Set<string>()
  const seen = <T>(sql: string, found: T[]): T[] => {
    asked.add(sql)
    rows += found.length
    if (/FROM arcs/.test(sql)) arcsRead += found.length
    return found
  }
  const counted = new Proxy(db, {
    get: (of, name) => {
      if (name === 'all') return (sql: string, params?: SqlParams) => seen(sql, of.all(sql, params))
      if (name === 'get')
        return (sql: string, params?: SqlParams) => seen(sql, [of.get(sql, params)].filter(Boolean))[0]
      const value: unknown = Reflect.get(of, name)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  expect(makeRollups(counted, { now: 2, version: 1, limit: 3 })).toBe(1)
  const onArcs = [...asked].filter((sql) => /FROM arcs/.test(sql))
  const plans = onArcs.flatMap((sql) => {
    const params = Array.from({ length: sql.split('?').length - 1 }, () => 1)
    return db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params).map((row) => row.detail)
  })
  return { arcsRead, rows, plans, counted: onArcs.filter((sql) => /count\(|sum\(/.test(sql)) }
}
