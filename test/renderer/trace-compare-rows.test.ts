import { describe, expect, test } from 'vitest'
import { traceCompareRows } from '../../src/renderer/receipts/trace-compare-rows'
import { turnTraces } from './fake-data'

const [before, after] = [turnTraces[0].trace, turnTraces[1].trace]

describe('two traces beside each other', () => {
  test('every bid of either stands in exactly one group, what differs first', () => {
    const rows = traceCompareRows(before, after)
    const bids = rows.flatMap(({ bid }) => (bid === null ? [] : [bid]))
    const all = new Set([...before.rows, ...after.rows].map(({ bid }) => bid))
    expect(new Set(bids)).toEqual(all)
    expect(bids).toHaveLength(all.size)
    expect(rows.filter(({ bid }) => bid === null).map(({ text }) => text)).toEqual([
      'Attended to only in A: 2 bids',
      'Attended to only in B: 1 bid',
      'At another rung: 2 bids',
      'In neither, for different reasons: 1 bid',
      'In both: 7 bids',
      'In neither: 2 bids',
    ])
  })

  test('one that did not bid there at all is told so, and the most salient of a group comes first', () => {
    const rows = traceCompareRows(before, after)
    expect(rows[1]).toMatchObject({ bid: 'recall:4', b: null })
    const both = rows.slice(rows.findIndex(({ text }) => text.startsWith('In both')) + 1)
    expect(both[0]?.a?.salience).toBe(1)
  })
})
