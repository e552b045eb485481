import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { day } from '../../../src/main/hydration/frame'
import { askedFor } from '../../../src/main/hydration/question'
import { filterOf } from '../../../src/main/hydration/segments'
import { timelineSql } from '../../../src/main/store'
import { parseMoment } from '../../../src/main/surfaces/cli/context'
import { dayText, minuteText, startOfDay } from '../../../src/shared/days'
import { temporaryFolder } from '../../support'
import { ingest, openJournal, put, scribe } from '../journal/transcripts'

// A day is the person's, wherever they live: work of an evening is not of the next day because Greenwich is ahead.

/** Zones on both sides of Greenwich, at the edges, with halves and quarters of hours, and days that are not 24 hours. */
const ZONES = [
  ['UTC', '2026-01-03'],
  ['America/Los_Angeles', '2026-01-06'],
  ['America/St_Johns', '2026-01-09'],
  ['Asia/Kolkata', '2026-01-12'],
  ['Asia/Kathmandu', '2026-01-15'],
  ['Pacific/Kiritimati', '2026-01-18'],
  ['Pacific/Pago_Pago', '2026-01-21'],
  ['Australia/Lord_Howe', '2026-01-24'],
  // Clocks went back and forth on these days.
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
] as const

function inZone(zone: string): void {
  const before = process.env.TZ
  process.env.TZ = zone
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
}

describe.each(ZONES)('in %s, on %s', (zone, date) => {
  test.each(['00:05', '04:30', '12:00', '18:45', '23:55'])(
    'what was done at %s is of that day',
    async (clock) => {
      inZone(zone)
      const at = Date.parse(`${date}T${clock}`)
      expect([dayText(at), minuteText(at), day(at)]).toEqual([date, `${date} ${clock}`, date])

      const { db, journal } = openJournal()
      const s = scribe('S1', { start: at - 1000 })
      s.user('build the cart')
      await ingest(journal, put(join(temporaryFolder(), 'S1.jsonl'), s.text()))
      expect(timelineSql.itemsByDay(db, {})).toEqual([{ day: date, kind: 'goal', items: 1 }])
      const found = db.all('SELECT rowid FROM items_fts WHERE items_fts MATCH ?', [`"${date}"`])
      expect(found).toHaveLength(1)

      const noon = new Date(at).setHours(12, 0, 0, 0)
      const today = askedFor('what did we do today', noon).within
      const tomorrow = new Date(startOfDay(at, 1)).setHours(9, 0, 0, 0)
      const yesterday = askedFor('what did we do yesterday', tomorrow).within
      for (const span of [today, yesterday]) {
        expect(span?.since).toBe(parseMoment(date))
        expect(span?.until).toBe(startOfDay(at, 1))
        expect(at).toBeGreaterThanOrEqual(span?.since ?? Number.POSITIVE_INFINITY)
        expect(at).toBeLessThan(span?.until ?? 0)
      }
      const segment = { name: 'then', share: 1, borrow: false, since: date, until: date }
      expect(filterOf(segment)).toEqual({ since: parseMoment(date), asOf: startOfDay(at, 1) - 1 })
      expect(askedFor(`the outage of ${date}`, tomorrow).times?.[0]).toMatchObject({
        since: parseMoment(date),
        until: startOfDay(at, 1),
      })
    },
  )
})
