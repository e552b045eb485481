import type { ItemKind } from '@shared/domain'
import type { ArcLine, DayBucket, ItemLine } from '@shared/journal'
import { describe, expect, test } from 'vitest'
import { bars, endOfDay, fittingZoom, segments, shiftDay } from '../../src/renderer/timeline/histogram'
import { foldRuns, timelineRows } from '../../src/renderer/timeline/rows'
import { arcs as fakeArcs, handle } from './fake-data'

const day = (name: string, items: number): DayBucket => ({
  day: name,
  items,
  arcs: 1,
  byKind: { goal: 1, file_op: items - 1 },
  projects: ['p'],
  rollup: null,
})

describe('the histogram', () => {
  test('days without items keep their place, so that a gap reads as a gap', () => {
    const shown = bars([day('2026-11-26', 5), day('2026-11-23', 2)], 'days')
    expect(shown.slice(-4).map((bar) => [bar.key, bar.items])).toEqual([
      ['2026-11-23', 2],
      ['2026-11-24', 0],
      ['2026-11-25', 0],
      ['2026-11-26', 5],
    ])
  })

  test('a week begins on Monday and holds its days', () => {
    const shown = bars([day('2026-11-26', 5), day('2026-11-23', 2), day('2026-11-22', 7)], 'weeks')
    expect(shown.slice(-2).map((bar) => [bar.from, bar.items])).toEqual([
      ['2026-11-16', 7],
      ['2026-11-23', 7],
    ])
  })

  test('months add up to the same number of items as their days', () => {
    const all = [day('2026-11-26', 5), day('2026-10-31', 2), day('2026-01-01', 7)]
    expect(bars(all, 'months').reduce((sum, bar) => sum + bar.items, 0)).toBe(14)
  })

  test('a bar is stacked by rung and never higher than its frame', () => {
    const [bar] = bars([day('2026-11-26', 10)], 'days').slice(-1)
    const stack = bar ? segments(bar, 10, 64) : []
    expect(stack.map((part) => part.rung)).toEqual(['L0', 'L3'])
    expect(stack.reduce((sum, part) => sum + part.height, 0)).toBeCloseTo(64)
    expect(stack[1]?.y).toBeCloseTo(0)
  })

  test('one item beside ten thousand can still be seen', () => {
    const [bar] = bars([day('2026-11-26', 1)], 'days').slice(-1)
    expect(bar && segments(bar, 10_000, 64).reduce((sum, part) => sum + part.height, 0)).toBe(2)
  })

  test('the zoom follows how far the memory reaches', () => {
    expect(fittingZoom([day('2026-11-26', 1), day('2026-11-01', 1)])).toBe('days')
    expect(fittingZoom([day('2026-11-26', 1), day('2026-01-01', 1)])).toBe('weeks')
    expect(fittingZoom([day('2026-11-26', 1), day('2023-01-01', 1)])).toBe('months')
    expect(fittingZoom([])).toBe('days')
  })

  test('days are calendar days, over the turn of a month and of summer time', () => {
    expect(shiftDay('2026-03-01', -1)).toBe('2026-02-28')
    expect(shiftDay('2026-10-25', 1)).toBe('2026-10-26')
    expect(new Date(endOfDay('2026-11-26')).getDate()).toBe(27)
  })
})

const item = (n: number, kind: ItemKind): ItemLine => ({
  handle: handle(n),
  kind,
  ts: n,
  session: 's',
  project: null,
  level: 'L3',
  text: `${kind} ${n}`,
})

describe('the rows of the timeline', () => {
  const arc = fakeArcs[0] as ArcLine
  const inside = {
    items: [item(1, 'goal'), item(2, 'file_op'), item(3, 'file_op'), item(4, 'file_op'), item(5, 'command')],
    total: 5,
    status: 'ready' as const,
  }

  test('three edits in a row are one quiet line, until it is opened', () => {
    const folded = timelineRows([arc], { [arc.id]: inside }, new Set())
    expect(folded.map((row) => row.type)).toEqual(['day', 'arc', 'item', 'run', 'item'])
    const key = folded[3]?.key ?? ''
    const unfolded = timelineRows([arc], { [arc.id]: inside }, new Set([key]))
    expect(unfolded.map((row) => row.type)).toEqual(['day', 'arc', 'item', 'item', 'item', 'item', 'item'])
  })

  test('edits and commands are not folded into each other', () => {
    const runs = foldRuns([item(1, 'file_op'), item(2, 'command'), item(3, 'command'), item(4, 'note')])
    expect(runs.map((run) => run.length)).toEqual([1, 2, 1])
  })

  test('an arc with more items than were fetched says so', () => {
    const rows = timelineRows([arc], { [arc.id]: { ...inside, total: 900 } }, new Set())
    expect(rows[rows.length - 1]).toMatchObject({ type: 'tail', left: 895 })
  })

  test('arcs of one day share one heading, and every row has a key of its own', () => {
    const rows = timelineRows(fakeArcs, {}, new Set())
    const headings = rows.filter((row) => row.type === 'day')
    expect(new Set(headings.map((row) => row.key)).size).toBe(headings.length)
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
    expect(headings[0]).toMatchObject({ arcs: 4, projects: 2 })
  })
})
