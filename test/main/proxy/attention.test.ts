import { describe, expect, test } from 'vitest'
import {
  type AttentionMap,
  attentionLines,
  isIgnored,
  isLooked,
  liftProbability,
  NO_ATTENTION,
  observed,
} from '../../../src/main/proxy'
import { betaTail } from '../../../src/main/proxy/beta'

const map = (gates: number, notApproved: number): AttentionMap => ({ counts: new Map(), gates, notApproved })
const count = (present: number, notApproved: number, salient = 0, named = 0) => ({
  present,
  notApproved,
  salient,
  named,
})

describe('the attention map', () => {
  test('knows the tail of a Beta distribution', () => {
    expect(betaTail(0.3, 1, 1)).toBeCloseTo(0.7, 9)
    expect(betaTail(0.5, 4, 4)).toBeCloseTo(0.5, 9)
    // Beta(2, 3): P(X > x) = 1 − 6x² + 8x³ − 3x⁴.
    expect(betaTail(0.4, 2, 3)).toBeCloseTo(1 - 6 * 0.16 + 8 * 0.064 - 3 * 0.0256, 9)
    expect(betaTail(0.9, 2, 3)).toBeCloseTo(1 - 6 * 0.81 + 8 * 0.729 - 3 * 0.6561, 9)
  })

  test('lists a percept when P(lift > 1) is at least .9 and it was there three times', () => {
    expect(isLooked(count(3, 3), map(20, 6))).toBe(true)
    expect(isLooked(count(2, 2), map(20, 6))).toBe(false)
    expect(isLooked(count(10, 3), map(20, 6))).toBe(false)
    expect(liftProbability(count(10, 3), map(20, 6))).toBeLessThan(0.9)
  })

  test('never lists what is there in every gate', () => {
    expect(isLooked(count(30, 12), map(30, 12))).toBe(false)
  })

  test('calls ignored what was there eight times, never salient and never named', () => {
    expect(isIgnored(count(8, 2))).toBe(true)
    expect(isIgnored(count(7, 2))).toBe(false)
    expect(isIgnored(count(30, 2, 1))).toBe(false)
    expect(isIgnored(count(30, 2, 0, 1))).toBe(false)
  })

  test('learns from decided gates and shows what is looked for first', () => {
    let learnt = NO_ATTENTION
    for (let i = 0; i < 10; i += 1) {
      const bad = i % 2 === 0
      learnt = observed(learnt, {
        outcome: bad ? 'correct' : 'approve',
        present: bad ? ['no rollback', 'untidy formatting'] : ['untidy formatting'],
        salient: bad ? ['no rollback'] : [],
        named: bad ? ['no rollback'] : [],
      })
    }
    expect(attentionLines(learnt)).toEqual([
      { phrase: 'no rollback', salient: 5, present: 5, named: 5, rate: 1, listed: true, ignored: false },
      {
        phrase: 'untidy formatting',
        salient: 0,
        present: 10,
        named: 0,
        rate: 0.5,
        listed: false,
        ignored: true,
      },
    ])
  })
})
