import { describe, expect, test } from 'vitest'
import { compareRows, requestWords } from '../../src/renderer/receipts/compare-rows'
import { comparison, handle } from './fake-data'

const lines = (rows: ReturnType<typeof compareRows>): string[] =>
  rows.map((row) => (row.handle === null ? row.text : `${row.from ?? '-'} ${row.to ?? '-'} ${row.figure}`))

describe('two frames beside each other', () => {
  test('what only one holds, what changed its rung, what moved its score, in groups', () => {
    const rows = compareRows(comparison)
    expect(rows.filter((row) => row.handle === null).map((row) => row.text)).toEqual([
      'Only in A: 2 facts',
      'Only in B: 11 facts',
      'At another rung: 1 fact',
      'At another score: 1 fact',
    ])
    expect(lines(rows).slice(0, 3)).toEqual(['Only in A: 2 facts', 'L0 - 0.82', 'L0 - 0.74'])
    expect(lines(rows).slice(-3)).toEqual(['L2 L1 ', 'At another score: 1 fact', 'L2 L2 +.19'])
  })

  test('a fact at another rung is not told again for its score, and a day of age is no difference', () => {
    const moved = [
      { handle: handle(2), from: 0.6, to: 0.7, terms: [] },
      { handle: handle(5), from: 0.5, to: 0.501, terms: [] },
    ]
    const groups = compareRows({ ...comparison, moved }).filter((row) => row.handle === null)
    expect(groups.map((row) => row.text)).not.toContain('At another score: 1 fact')
  })

  test('a score that reads the same in both frames has not moved; one that reads differently moved by what is read', () => {
    const told = (from: number, to: number): string[] =>
      lines(compareRows({ ...comparison, moved: [{ handle: handle(5), from, to, terms: [] }] })).slice(-1)
    expect(told(0.4151, 0.4249)).not.toEqual(['L2 L2 +.01'])
    expect(told(0.4249, 0.4251)).toEqual(['L2 L2 +.01'])
  })

  test('the marks of prose are shown as what they mean, those of a command as they stand', () => {
    const { before } = comparison
    const [first] = before.facts
    if (!first) throw new Error('the invented frame has no facts')
    const told = (kind: typeof first.kind) =>
      compareRows({
        ...comparison,
        before: { ...before, facts: [{ ...first, kind }] },
        removed: [first.handle],
      })
        .filter((row) => row.handle === first.handle)
        .map((row) => row.prose)
    expect([told('note'), told('command')]).toEqual([[true], [false]])
  })

  test('the same frame twice has no rows', () => {
    const { before } = comparison
    expect(
      compareRows({ before, after: before, request: [], added: [], removed: [], changed: [], moved: [] }),
    ).toEqual([])
  })

  test('the requests differ in words a person uses', () => {
    const request = [
      { field: 'goal', before: 'a', after: 'b' },
      { field: 'budget', before: '1500', after: '20000' },
      { field: 'project', before: 'null', after: 'shop-api' },
      { field: 'words', before: '["retry"]', after: '["retry","queue"]' },
      { field: 'project', before: '', after: 'null' },
    ]
    expect(requestWords({ ...comparison, request }, 0)).toEqual([
      { field: 'budget', before: '1,500 tokens', after: '20,000 tokens' },
      { field: 'project', before: 'none', after: 'shop-api' },
      { field: 'words looked up', before: 'retry', after: 'retry, queue' },
    ])
  })
})
