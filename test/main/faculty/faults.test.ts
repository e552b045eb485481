import { describe, expect, test } from 'vitest'
import { assemble, type Bid, WEIGHTS } from '../../../src/main/faculty'
import { bid, chars4, request, row, watch } from './support'

describe('a bid that cannot be trusted', () => {
  const good = bid('good')

  test.each([
    ['a relevance that is no number', { terms: { relevance: Number.NaN } }, /its relevance is NaN/],
    ['a recency that is no number', { terms: { recency: Number.NaN } }, /its recency is NaN/],
    ['an importance over 1', { terms: { importance: 7 } }, /its importance is 7/],
    ['a surprise under 0', { terms: { surprise: -0.1 } }, /its surprise is -0.1/],
    ['an endless interrupt', { terms: { interrupt: Number.POSITIVE_INFINITY } }, /its interrupt is Infinity/],
    ['a time that is no number', { at: Number.NaN }, /its time is NaN/],
    ['a place that is no number', { order: Number.NaN }, /its place is NaN/],
    ['a rank that is no number', { rank: Number.NaN }, /its rank is NaN/],
    ['no cost', { rungs: [{ level: 'L0' as const, tokens: 0, render: 'x' }] }, /costs 0 tokens/],
    ['a negative cost', { rungs: [{ level: 'L0' as const, tokens: -3, render: 'x' }] }, /costs -3 tokens/],
    ['an endless cost', { rungs: [{ level: 'L0' as const, tokens: Number.NaN, render: 'x' }] }, /costs NaN/],
    [
      'no cost of a finer rung',
      {
        rungs: [
          { level: 'L1' as const, tokens: 3, render: 'x' },
          { level: 'L0' as const, tokens: 0, render: 'xy' },
        ],
      },
      /its L0 says it costs 0 tokens/,
    ],
    ['nothing to show', { rungs: [] }, /nothing to show/],
  ])('with %s is left out with that reason, and the rest stands', (_what, fault, words) => {
    for (const mode of ['fixed', 'adaptive'] as const) {
      const { context, trace } = assemble([good, bid('bad', fault)], request({ mode }))
      expect(context).toBe('text of good')
      expect(row(trace, 'bad')).toMatchObject({ verdict: 'dropped', reason: 'invalid', rendered: false })
      expect(row(trace, 'bad').detail).toMatch(words)
    }
  })

  test('whose renderer throws is left out, and what it threw is not kept', () => {
    const broken = watch(bid('broken'))
    const bids = [
      good,
      {
        ...broken.bid,
        rungs: [
          {
            level: 'L0' as const,
            tokens: 9,
            render: () => {
              throw new Error('secret')
            },
          },
        ],
      },
    ]
    const { context, trace } = assemble(bids, request())
    expect(context).toBe('text of good')
    expect(row(trace, 'broken')).toMatchObject({ verdict: 'dropped', reason: 'render-failed' })
    expect(JSON.stringify(trace)).not.toContain('secret')
  })

  test('whose text is dearer than it said gives way to its coarser rung, else is left out', () => {
    const liar = (id: string, rungs: Bid['rungs']) => ({ ...bid(id), rungs })
    const long = 'y'.repeat(4000)
    const { context, trace } = assemble(
      [
        good,
        liar('half', [
          { level: 'L1', tokens: 3, render: 'short' },
          { level: 'L0', tokens: 10, render: long },
        ]),
        liar('whole', [{ level: 'L0', tokens: 10, render: long }]),
      ],
      request(),
    )
    expect(context).not.toContain('yyyy')
    expect(row(trace, 'half')).toMatchObject({ verdict: 'compressed', level: 'L1', reason: 'cost' })
    expect(row(trace, 'whole')).toMatchObject({ verdict: 'dropped', reason: 'cost' })
    expect(row(trace, 'whole').detail).toBe('its L0 said 10 tokens and takes 1000')
  })

  test('whose text costs less than it said stands, and what it did not take is not counted as spent', () => {
    const modest = { ...bid('modest'), rungs: [{ level: 'L0' as const, tokens: 90, render: 'short' }] }
    const { context, trace } = assemble([good, modest], request({ budget: 100 }))
    expect(context).toContain('short')
    expect(trace.spent).toBe(chars4(context))
    expect(trace.spent).toBeLessThan(20)
  })

  test.each([
    ['a number', 7],
    ['nothing', undefined],
    ['a promise', Promise.resolve('late')],
  ])('whose renderer gives %s is left out by name, and the rest stands', (_what, value) => {
    const wrong = {
      ...bid('wrong'),
      rungs: [{ level: 'L0' as const, tokens: 9, render: () => value as never }],
    }
    for (const mode of ['fixed', 'adaptive'] as const) {
      const { context, trace } = assemble([good, wrong], request({ mode }))
      expect(context).toBe('text of good')
      expect(row(trace, 'wrong')).toMatchObject({
        verdict: 'dropped',
        reason: 'render-failed',
        detail: 'its L0 rendered to something that is no text',
      })
    }
  })

  test('whose finest renderer throws stands at the next, and says why', () => {
    const throws = (): string => {
      throw new Error('no')
    }
    const rungs = [
      { level: 'L1' as const, tokens: 3, render: 'short' },
      { level: 'L0' as const, tokens: 10, render: throws },
    ]
    const { context, trace } = assemble([{ ...good, rungs }], request())
    expect(context).toBe('short')
    expect(row(trace, 'good')).toMatchObject({
      verdict: 'compressed',
      level: 'L1',
      reason: 'render-failed',
      detail: 'its L0 could not be rendered',
    })
  })

  test('whose sound terms weigh to nonsense is left out, or stops the assembly when it is pinned', () => {
    const weights = { ...WEIGHTS, surprise: Number.NaN }
    const loud = bid('loud', { modality: 'exogenous', terms: { surprise: 0.5 } })
    const { context, trace } = assemble([good, loud], request({ weights }))
    expect(context).toBe('text of good')
    expect(row(trace, 'loud')).toMatchObject({
      verdict: 'dropped',
      reason: 'invalid',
      detail: 'its salience comes to NaN',
      rendered: false,
    })
    expect(() => assemble([{ ...loud, pin: true }], request({ weights }))).toThrow(/“loud”.*NaN/)
  })

  test('that shares its id with another is left out with it', () => {
    const { context, trace } = assemble([good, bid('twice'), bid('twice', { text: 'other' })], request())
    expect(context).toBe('text of good')
    expect(trace.rows.filter(({ reason }) => reason === 'invalid')).toHaveLength(2)
  })

  test('stops the assembly by name when it is pinned', () => {
    const throwing = {
      level: 'L0' as const,
      tokens: 9,
      render: (): string => {
        throw new Error('no')
      },
    }
    expect(() => assemble([bid('guard', { pin: true, rungs: [throwing] })], request())).toThrow(
      /“guard”.*could not be rendered/,
    )
    expect(() =>
      assemble([bid('guard', { pin: true, terms: { relevance: Number.NaN } })], request()),
    ).toThrow(/“guard”.*its relevance is NaN/)
    const free = { level: 'L0' as const, tokens: -1, render: 'x' }
    expect(() => assemble([bid('guard', { pin: true, rungs: [free] })], request())).toThrow(
      /“guard”.*costs -1 tokens/,
    )
    const liar = { level: 'L0' as const, tokens: 10, render: 'y'.repeat(4000) }
    expect(() => assemble([bid('guard', { pin: true, rungs: [liar] })], request())).toThrow(
      /“guard”.*its L0 said 10 tokens and takes 1000/,
    )
    const twice = [bid('guard', { pin: true }), bid('guard', { pin: true })]
    expect(() => assemble(twice, request())).toThrow(/“guard”.*another bid has the same id/)
  })
})

test.each(['fixed', 'adaptive'] as const)(
  'pins over the budget are an error that names them (%s)',
  (mode) => {
    const pins = [
      bid('rules', { pin: true, lengths: [400] }),
      bid('who', { pin: true, lengths: [400] }),
      bid('other'),
    ]
    expect(() => assemble(pins, request({ mode, budget: 150 }))).toThrow(
      'The pinned parts alone need 201 tokens and the budget is 150: rules, who.',
    )
  },
)

test('in red, pins over half of the budget stand; over all of it they are an error that names them', () => {
  const pins = [bid('rules', { pin: true, lengths: [300] }), bid('who', { pin: true, lengths: [300] })]
  const { trace } = assemble([...pins, bid('other')], request({ budget: 200, zone: 'red' }))
  expect(trace.budget).toBe(151)
  expect([row(trace, 'rules').verdict, row(trace, 'who').verdict]).toEqual(['kept', 'kept'])
  expect(row(trace, 'other')).toMatchObject({ verdict: 'dropped', reason: 'budget' })
  expect(() => assemble(pins, request({ budget: 140, zone: 'red' }))).toThrow(/rules, who/)
})

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('a budget of %s is none', (budget) => {
  for (const mode of ['fixed', 'adaptive'] as const)
    expect(() => assemble([bid('good')], request({ mode, budget }))).toThrow(/A budget of .* tokens is none/)
})

test('a budget of nothing holds nothing, and no renderer is called', () => {
  const watched = watch(bid('good'))
  const { context, trace } = assemble([watched.bid], request({ budget: 0 }))
  expect([context, trace.spent, watched.calls]).toEqual(['', 0, 0])
  expect(row(trace, 'good')).toMatchObject({ verdict: 'dropped', reason: 'budget' })
})
