import { expect, test } from 'vitest'
import { curate, retentionState, saveRetention } from '../../../../src/main/curator'
import type { WriteDb } from '../../../../src/main/store'
import { DailyRetention } from '../../../../src/main/workers/index/daily-retention'
import { temporaryDb } from '../../../support'
import { insertItem } from '../../models/journal-rows'

const DAY = 86_400_000
const START = Date.UTC(2026, 10, 30)

function old(db: WriteDb, count: number, from = 0): void {
  db.transaction(() => {
    for (let n = 0; n < count; n++)
      insertItem(db, {
        kind: 'conclusion',
        text: `Queue ${from + n} is behind a lock now. ${'All of it is told at length. '.repeat(20)}`,
        ts: START - 100 * DAY,
        position: from + n,
      })
  })
  while (curate(db, { now: 1 }) > 0);
}

function daily(db: WriteDb) {
  const failures: unknown[] = []
  const time = { now: START }
  const retention = new DailyRetention({
    db,
    clock: () => time.now,
    onFailure: (error) => failures.push(error),
  })
  return { retention, time, failures }
}

const rules = [{ source: null, level: 'L0' as const, days: 90 }]

test('nothing goes by itself until the person wants it, nor without a rule', async () => {
  const db = temporaryDb()
  old(db, 3)
  const { retention } = daily(db)
  saveRetention(db, rules)
  await retention.look()
  expect(retentionState(db)).toMatchObject({ automatic: false, ran: null, letGo: { L0: 0 } })
  saveRetention(db, [], true)
  await retention.look()
  expect(retentionState(db)).toMatchObject({ automatic: true, ran: null, letGo: { L0: 0 } })
})

test('what is due goes once a day, is told, and rules that change leave the switch as it is', async () => {
  const db = temporaryDb()
  old(db, 3)
  const { retention, time } = daily(db)
  saveRetention(db, rules, true)
  await retention.look()
  expect(retentionState(db)).toMatchObject({ ran: { at: START, L0: 3, L1: 0 }, letGo: { L0: 3 } })
  old(db, 2, 3)
  saveRetention(db, rules)
  time.now += DAY - 1
  await retention.look()
  expect(retentionState(db)).toMatchObject({ automatic: true, ran: { at: START }, letGo: { L0: 3 } })
  time.now += 1
  await retention.look()
  expect(retentionState(db)).toMatchObject({ ran: { at: START + DAY, L0: 2 }, letGo: { L0: 5 } })
  saveRetention(db, rules, false)
  expect(retentionState(db).automatic).toBe(false)
})

test('closed in the middle, it ends between two transactions; the next start goes on the same day', async () => {
  const db = temporaryDb()
  old(db, 250)
  const { retention, failures } = daily(db)
  saveRetention(db, rules, true)
  const looked = retention.look()
  await Promise.resolve()
  await retention.close()
  await looked
  expect(retentionState(db)).toMatchObject({ ran: null, letGo: { L0: 200 } })
  expect(failures).toEqual([])
  const next = daily(db)
  await next.retention.look()
  expect(retentionState(db)).toMatchObject({ ran: { L0: 50 }, letGo: { L0: 250 } })
})

test('a failure is logged and tried again at the next look', async () => {
  const db = temporaryDb()
  old(db, 1)
  saveRetention(db, rules, true)
  const { retention, failures } = daily(db)
  db.run("CREATE TRIGGER full BEFORE INSERT ON let_go BEGIN SELECT RAISE(ABORT, 'disk full'); END")
  await retention.look()
  expect(failures).toHaveLength(1)
  db.run('DROP TRIGGER full')
  await retention.look()
  expect(retentionState(db).letGo.L0).toBe(1)
})
