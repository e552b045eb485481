import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble, type Bid, CATALOGUE, SEPARATOR } from '../../../src/main/faculty'
import { bid, chars4, request, requests, row, watchedBids } from './support'

const bidsOf = (list: readonly { bid: Bid }[]): Bid[] => list.map((one) => one.bid)

describe('whatever bids come', () => {
  test('the context is never over the budget, and the trace says what it costs', () => {
    fc.assert(
      fc.property(watchedBids(), requests, (list, asked) => {
        const { context, trace } = assemble(bidsOf(list), asked)
        expect(chars4(context)).toBeLessThanOrEqual(asked.budget)
        expect(trace.spent).toBe(context === '' ? 0 : chars4(context))
        expect(trace.budget).toBeLessThanOrEqual(asked.budget)
      }),
    )
  })

  test('pins are always in', () => {
    fc.assert(
      fc.property(watchedBids(), requests, (list, asked) => {
        const { trace } = assemble(bidsOf(list), { ...asked, budget: 2000 })
        for (const one of trace.rows.filter(({ pin }) => pin)) expect(one.verdict).not.toBe('dropped')
      }),
    )
  })

  test('raising the salience of a bid never removes it', () => {
    const term = fc.constantFrom('relevance', 'recency', 'importance', 'surprise', 'interrupt')
    fc.assert(
      fc.property(
        watchedBids(),
        requests,
        fc.nat(),
        term,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, asked, at, name, by) => {
          if (list.length === 0) return
          const before = bidsOf(list)
          const chosen = before[at % before.length] as Bid
          if (row(assemble(before, asked).trace, chosen.id).verdict === 'dropped') return
          const raised = {
            ...chosen,
            terms: { ...chosen.terms, [name]: Math.min(1, (chosen.terms[name as 'relevance'] ?? 0) + by) },
          }
          const after = before.map((one) => (one === chosen ? raised : one))
          expect(row(assemble(after, asked).trace, chosen.id).verdict).not.toBe('dropped')
        },
      ),
      { numRuns: 500 },
    )
  })

  test('the order in which they arrive does not matter', () => {
    fc.assert(
      fc.property(watchedBids(), requests, fc.infiniteStream(fc.nat()), (list, asked, dice) => {
        const shuffled = bidsOf(list)
          .map((one) => [dice.next().value ?? 0, one] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, one]) => one)
        expect(assemble(shuffled, asked)).toEqual(assemble(bidsOf(list), asked))
      }),
    )
  })

  test('what is dropped is never rendered, and what stands is rendered once', () => {
    fc.assert(
      fc.property(watchedBids(), requests, (list, asked) => {
        const { trace } = assemble(bidsOf(list), asked)
        for (const { bid: one, calls } of list) {
          const fate = row(trace, one.id)
          expect(calls, one.id).toBe(fate.verdict === 'dropped' ? 0 : 1)
          expect(fate.rendered).toBe(calls > 0)
        }
      }),
    )
  })

  test('nothing is dropped for the budget while its coarsest rung would still fit', () => {
    fc.assert(
      fc.property(watchedBids(), requests, (list, asked) => {
        const { trace } = assemble(bidsOf(list), { ...asked, mode: 'adaptive' })
        const separator = chars4(SEPARATOR)
        const standing = trace.rows.filter(({ verdict }) => verdict !== 'dropped')
        const priced = standing.reduce((sum, { tokens }) => sum + tokens + separator, 0)
        for (const { reason, verdict, tokens } of trace.rows) {
          if (verdict === 'dropped' && reason === 'budget') {
            expect(priced + tokens).toBeGreaterThan(trace.budget)
          }
        }
      }),
    )
  })

  test('every bid has one row with a verdict, and a dropped one has its reason', () => {
    fc.assert(
      fc.property(watchedBids(), requests, (list, asked) => {
        const { trace } = assemble(bidsOf(list), asked)
        expect(trace.rows.map(({ bid: id }) => id)).toEqual(bidsOf(list).map(({ id }) => id))
        for (const one of trace.rows) {
          expect(one.reason !== null, one.bid).toBe(one.verdict !== 'kept')
          expect(one.place === null).toBe(one.verdict === 'dropped')
        }
      }),
    )
  })
})

describe('fixed mode', () => {
  test('is a plain concatenation in the order of the catalogue', () => {
    const slots = Object.values(CATALOGUE)
      .sort((a, b) => a.slot - b.slot)
      .map(({ source }) => source)
    fc.assert(
      fc.property(watchedBids(), (list) => {
        const distinct = bidsOf(list).map(({ key: _key, ...rest }) => rest)
        const { context } = assemble(distinct, request({ mode: 'fixed', budget: 1_000_000 }))
        let plain = ''
        for (const slot of slots) {
          for (const order of [0, 1, 2, 3]) {
            for (const one of distinct) {
              if (one.source !== slot || one.order !== order) continue
              const last = one.rungs[one.rungs.length - 1]
              plain +=
                (plain === '' ? '' : '\n\n') +
                (typeof last?.render === 'function' ? last.render() : last?.render)
            }
          }
        }
        expect(context).toBe(plain)
      }),
    )
  })

  test('drops from the end of the priority list only what the budget forces', () => {
    const bids = (['recall', 'telemetry', 'upstream', 'oracle'] as const).map((source) =>
      bid(source, { source, text: source.padEnd(40, '.') }),
    )
    const { trace } = assemble(bids, request({ mode: 'fixed', budget: 25 }))
    expect(trace.rows.filter(({ verdict }) => verdict === 'kept').map(({ bid: id }) => id)).toEqual([
      'oracle',
      'upstream',
    ])
    expect(row(trace, 'recall')).toMatchObject({ verdict: 'dropped', reason: 'budget', rendered: false })
  })

  test('drops by rank within a source, and still reads in its order', () => {
    const history = [1, 2, 3].map((n) =>
      bid(`h${n}`, { source: 'session-history', order: n, rank: -n, text: `turn ${n}` }),
    )
    const { context } = assemble(history, request({ mode: 'fixed', budget: 5 }))
    expect(context).toBe('turn 2\n\nturn 3')
  })

  test('a pin too long for the budget steps down to its coarser rung', () => {
    const artifact = bid('plan', { source: 'artifact', lengths: [40, 4000] })
    const { trace } = assemble([artifact], request({ mode: 'fixed', budget: 100 }))
    expect(row(trace, 'plan')).toMatchObject({
      verdict: 'compressed',
      level: 'L1',
      wanted: 'L0',
      reason: 'budget',
    })
  })
})
