import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyRetention,
  curate,
  previewRetention,
  saveRetention,
  tendNeighbourhoods,
} from '../../../src/main/curator'
import {
  curatorSql,
  factSql,
  hydrationSql,
  openWrite,
  retentionSql,
  unpackText,
  type WriteDb,
} from '../../../src/main/store'
import type { RetentionLevel, RetentionRule } from '../../../src/shared/retention'
import { temporaryDb } from '../../support'
import { insertItem } from '../models/journal-rows'

const NOW = Date.UTC(2026, 10, 30)
const DAY = 86_400_000
const LONG = `We moved the retry queue of src/pay/retry.ts behind a lock, and no event is lost any more. ${'The rest of it is told at length. '.repeat(30)}`
const SHORT = 'Done: the queue keeps its events.'

/** Items of so many days ago, curated. */
function journal(ages: readonly number[], text = LONG): { db: WriteDb; ids: number[]; handles: string[] } {
  const db = temporaryDb()
  const made = ages.map((days, n) =>
    insertItem(db, { text, kind: 'conclusion', project: 'shop', ts: NOW - days * DAY, position: n }),
  )
  while (curate(db, { now: 1 }) > 0);
  return { db, ids: made.map((one) => one.id), handles: made.map((one) => one.handle) }
}

const rule = (level: RetentionLevel, days: number | null, source: string | null = null): RetentionRule => ({
  source,
  level,
  days,
})
const run = (db: WriteDb, compact = false) =>
  applyRetention(db, { now: NOW, compact, rest: async () => undefined })
const textOf = (db: WriteDb, id = 0): string =>
  unpackText(db.get('SELECT text, text_z FROM items WHERE id = ?', [id]) ?? { text: null, text_z: null })
const levels = (db: WriteDb, handle = ''): string[] =>
  Object.keys(curatorSql.rungs(db, [handle]).get(handle) ?? {}).sort()

describe('retention', () => {
  test('keeps everything until a rule is set', async () => {
    const { db, ids } = journal([4000])
    expect((await run(db)).levels.L0.items).toBe(0)
    expect(textOf(db, ids[0])).toBe(LONG)
  })

  test('lets an old verbatim text go; its rungs, facts, names and words stay, and nothing makes them anew', async () => {
    const { db, ids, handles } = journal([100, 10])
    const [old = 0, young = 0] = ids
    const before = {
      levels: levels(db, handles[0]),
      facts: factSql.factsOf(db, old, 50),
      names: factSql.entitiesOf(db, old, 50),
    }
    const sentence = curatorSql.rungs(db, [handles[0] ?? '']).get(handles[0] ?? '')?.L1?.text
    saveRetention(db, [rule('L0', 90)])
    const report = await run(db)
    expect(report.levels).toMatchObject({ L0: { items: 1 }, L1: { items: 0 }, L2: { items: 0 } })
    expect(textOf(db, old)).toBe(sentence)
    expect(textOf(db, young)).toBe(LONG)
    curatorSql.requeueAllRungs(db)
    while (curate(db, { now: 2 }) > 0);
    while (tendNeighbourhoods(db, { now: 2, version: 2 }) > 0);
    expect({
      levels: levels(db, handles[0]),
      facts: factSql.factsOf(db, old, 50),
      names: factSql.entitiesOf(db, old, 50),
    }).toEqual(before)
    expect(hydrationSql.itemsById(db, [old])[0]).toMatchObject({ letGo: 1, chars: LONG.length })
    expect(retentionSql.letGoOf(db, handles[0] ?? '')).toEqual([{ level: 'L0', at: NOW }])
  })

  test('goes on with sentences and distillations, and leaves the skeleton', async () => {
    const { db, ids, handles } = journal([2000])
    expect(levels(db, handles[0])).toEqual(['L1', 'L2', 'L3'])
    saveRetention(db, [rule('L0', 90), rule('L1', 365), rule('L2', 1825)])
    expect((await run(db)).levels).toMatchObject({ L0: { items: 1 }, L1: { items: 1 }, L2: { items: 1 } })
    expect(levels(db, handles[0])).toEqual(['L3'])
    expect(textOf(db, ids[0])).toBe(curatorSql.rungs(db, handles).get(handles[0] ?? '')?.L3?.text)
    curatorSql.requeueAllRungs(db)
    while (curate(db, { now: 2 }) > 0);
    expect(levels(db, handles[0])).toEqual(['L3'])
  })

  test('leaves alone what is short, and what still waits for its rungs', async () => {
    const { db } = journal([400], SHORT)
    insertItem(db, { text: LONG, ts: NOW - 400 * DAY, position: 9 })
    saveRetention(db, [rule('L0', 0)])
    expect((await run(db)).levels.L0.items).toBe(0)
  })

  test('a text that is masked later is still made anew', async () => {
    const { db, ids, handles } = journal([100])
    saveRetention(db, [rule('L0', 90)])
    await run(db)
    db.run("UPDATE item_rows SET text = 'The key is [secret:key:abcd].' WHERE id = ?", [ids[0] ?? 0])
    expect(levels(db, handles[0])).toEqual([])
    while (curate(db, { now: 2 }) > 0);
    expect(levels(db, handles[0])).toContain('L3')
  })

  test('refuses rules that contradict each other, naming them, and keeps the old ones', () => {
    const { db } = journal([1])
    saveRetention(db, [rule('L0', 90)])
    expect(() => saveRetention(db, [rule('L0', 400), rule('L1', 365)])).toThrow(
      /L1 of every source.*365.*L0 longer/,
    )
    expect(() => saveRetention(db, [rule('L1', 365)])).toThrow(/L0 longer/)
    expect(() => saveRetention(db, [rule('L0', 1, 'src_none')])).toThrow('There is no source src_none')
    expect(() => saveRetention(db, [rule('L0', 1), rule('L0', 2)])).toThrow('two rules')
    expect(retentionSql.retentionRules(db)).toEqual([rule('L0', 90)])
  })

  test('an interrupted run has all of an item gone or nothing, and the next one goes on', async () => {
    const { db, ids } = journal(Array.from({ length: 450 }, () => 100))
    saveRetention(db, [rule('L0', 90), rule('L1', 95)])
    const whole = previewRetention(db, NOW)
    let rests = 0
    const cut = applyRetention(db, {
      now: NOW,
      compact: false,
      rest: async () => {
        rests += 1
        if (rests === 2) throw new Error('killed')
      },
    })
    await expect(cut).rejects.toThrow('killed')
    const other = openWrite(db.path)
    const gone = retentionSql.countLetGo(other)
    expect(gone).toEqual({ L0: 400, L1: 400, L2: 0 })
    expect(ids.filter((id) => textOf(other, id) === LONG)).toHaveLength(50)
    other.close()
    expect((await run(db)).levels.L0.items).toBe(50)
    expect(whole.levels.L0.items).toBe(450)
    expect(db.get('SELECT * FROM retention_now')).toBeUndefined()
  })

  test('what a preview tells is what happens, and then nothing is left to go', async () => {
    const days = fc.constantFrom(null, 0, 30, 90, 365)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 12 }),
        fc.tuple(days, days, days),
        fc.boolean(),
        async (ages, spans, short) => {
          const { db } = journal(ages, short ? SHORT : LONG)
          const ordered = [...spans].sort((a, b) => (a ?? 1e9) - (b ?? 1e9))
          const rules = (['L0', 'L1', 'L2'] as const).map((level, i) => rule(level, ordered[i] ?? null))
          const tried = previewRetention(db, NOW, rules)
          saveRetention(db, rules)
          expect(previewRetention(db, NOW)).toEqual(tried)
          const { before, after, compacted, ...done } = await run(db)
          expect(done).toEqual(tried)
          expect(compacted).toBe(false)
          expect(after.bytes).toBeGreaterThanOrEqual(before.free)
          expect((await run(db)).levels.L0.items).toBe(0)
          expect(previewRetention(db, NOW).sources).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
  })

  test('compacting makes the file smaller by about what went', async () => {
    const { db } = journal(
      Array.from({ length: 60 }, () => 100),
      Array.from({ length: 3000 }, (_, n) => `word${n * 7919}`).join(' '),
    )
    saveRetention(db, [rule('L0', 90)])
    const { before, after, levels: went } = await run(db, true)
    expect(went.L0.items).toBe(60)
    expect(before.bytes - after.bytes).toBeGreaterThan(went.L0.bytes / 2)
  })
})
