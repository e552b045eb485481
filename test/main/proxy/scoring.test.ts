import { describe, expect, test } from 'vitest'
import {
  accuracy,
  alwaysApproveReference,
  baseRateReference,
  brier,
  logLoss,
  type Scored,
  skill,
} from '../../../src/main/proxy'

const scored: Scored[] = [
  { p: { approve: 0.7, correct: 0.2, reject: 0.1 }, outcome: 'approve' },
  { p: { approve: 0.6, correct: 0.3, reject: 0.1 }, outcome: 'correct' },
]

describe('scoring', () => {
  test('computes Brier over three classes, log loss in nats, and accuracy of the winner', () => {
    expect(brier(scored)).toBeCloseTo((0.09 + 0.04 + 0.01 + 0.36 + 0.49 + 0.01) / 2, 12)
    expect(logLoss(scored)).toBeCloseTo(-(Math.log(0.7) + Math.log(0.3)) / 2, 12)
    expect(accuracy(scored)).toBe(0.5)
  })

  test('measures skill against the base rate and against a rubber stamp', () => {
    const outcomes = scored.map(({ outcome }) => outcome)
    expect(brier(baseRateReference(outcomes))).toBe(0.5)
    expect(brier(alwaysApproveReference(outcomes))).toBe(1)
    expect(skill(scored, alwaysApproveReference(outcomes))).toBeCloseTo(0.5, 12)
    expect(skill(scored, baseRateReference(outcomes))).toBeCloseTo(0, 12)
  })

  test('says null where there is nothing to say, never NaN', () => {
    expect([accuracy([]), brier([]), logLoss([]), skill([], [])]).toEqual([null, null, null, null])
    expect(skill(scored.slice(0, 1), alwaysApproveReference(['approve']))).toBeNull()
    expect(logLoss([{ p: { approve: 1, correct: 0, reject: 0 }, outcome: 'reject' }])).toBeCloseTo(
      -Math.log(1e-6),
      9,
    )
  })
})
