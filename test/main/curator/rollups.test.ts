import { describe, expect, test } from 'vitest'
import { curate, makeRollups, updateArcs } from '../../../src/main/curator'
import { curatorSql, rollupSql, type WriteDb } from '../../../src/main/store'
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
    db.run("UPDATE items SET text = 'Fixed the retry of the webhook with a key.' WHERE kind = 'conclusion'")
    expect(quotes()).toBe(0)
    work(db)
    expect(l1(db, 'prj_shop')).toBe('Fixed the retry of the webhook with a key.')
    db.run('DELETE FROM items')
    updateArcs(db, ['generic:s1'])
    work(db)
    expect(rollupSql.countRollups(db)).toBe(0)
  })
})
