import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { fromWall, inZone, parseTime } from '../../../src/main/journal/local-time'
import { temporaryFolder } from '../../support'
import { append, contextOf, dump, ingest, items, openJournal, put } from './transcripts'

const zoneOfMachine = process.env.TZ

/** As if the machine were there. */
function goTo(zone: string | undefined): void {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
}
afterEach(() => goTo(zoneOfMachine))

const HISTORY = [
  '\n# aider chat started at 2026-03-01 10:00:00\n\n#### round the totals  \n\nRounded.\n\n',
  '# aider chat started at 2026-07-01 10:00:00\n\n#### release it  \n\nReleased.\n\n',
]

describe('times without a zone', () => {
  test('are of the zone a data folder was first used in, wherever it is read again', async () => {
    const root = join(temporaryFolder(), 'shop')
    const file = join(root, '.aider.chat.history.md')
    goTo('America/New_York')
    put(file, HISTORY[0] ?? '')
    const first = openJournal()
    await ingest(first.journal, root)
    append(file, HISTORY[1] ?? '')
    await ingest(first.journal, root)
    const told = dump(first.db)
    const times = items(first.db).map(({ ts }) => new Date(ts ?? 0).toISOString())
    expect(new Set(times)).toEqual(new Set(['2026-03-01T15:00:00.000Z', '2026-07-01T14:00:00.000Z']))

    goTo('Asia/Tokyo')
    // Replaced, so that it is read from its beginning.
    rmSync(file)
    put(file, `${HISTORY.join('')}\n`)
    put(file, HISTORY.join(''))
    first.db.run("UPDATE files SET head_hash = 'x'")
    await ingest(contextOf(first.db), root)
    expect(dump(first.db)).toBe(told)

    // A data folder that goes on there, cut where the first one was.
    goTo('America/New_York')
    const second = openJournal()
    put(file, HISTORY[0] ?? '')
    await ingest(second.journal, root)
    goTo('Asia/Tokyo')
    append(file, HISTORY[1] ?? '')
    await ingest(contextOf(second.db), root)
    expect(dump(second.db)).toBe(told)
  })

  test('become what JavaScript makes of them on a machine in that zone, also where clocks are set', () => {
    for (const zone of ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']) {
      goTo(zone)
      const compare = (wall: number): void => {
        const text = new Date(wall).toISOString().slice(0, 19)
        expect(
          inZone(zone, () => parseTime(text)),
          `${text} ${zone}`,
        ).toBe(Date.parse(text))
      }
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (s) => compare(s * 1000)),
        { numRuns: 200 },
      )
      // Every quarter of an hour of the days on which New York, Berlin and Lord Howe set theirs.
      for (const day of ['2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-04-05', '2026-10-04'])
        for (let minute = 0; minute < 24 * 60; minute += 15) compare(Date.parse(day) + minute * 60_000)
    }
  })

  test('are told from those that name one, and from days', () => {
    goTo('Asia/Tokyo')
    const there = (text: string): string =>
      new Date(inZone('America/New_York', () => parseTime(text))).toISOString()
    expect(there('2026-03-01T10:00:00')).toBe('2026-03-01T15:00:00.000Z')
    expect(there('2026-03-01 10:00')).toBe('2026-03-01T15:00:00.000Z')
    expect(there('2026-03-01T10:00:00.250')).toBe('2026-03-01T15:00:00.250Z')
    expect(there('Sunday, Mar 1, 2026, 10:00 AM')).toBe('2026-03-01T15:00:00.000Z')
    expect(there('2026-03-01T10:00:00Z')).toBe('2026-03-01T10:00:00.000Z')
    expect(there('2026-03-01T10:00:00+02:00')).toBe('2026-03-01T08:00:00.000Z')
    expect(there('Mar 1, 2026 10:00 GMT+0200')).toBe('2026-03-01T08:00:00.000Z')
    expect(there('2026-03-01')).toBe('2026-03-01T00:00:00.000Z')
    expect(inZone('Asia/Tokyo', () => parseTime('no time'))).toBeNaN()
    expect(fromWall(Number.NaN, 'Asia/Tokyo')).toBeNaN()
  })
})
