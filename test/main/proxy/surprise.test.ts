import { describe, expect, test } from 'vitest'
import { klBits, surpriseBetween, surpriseBits, totalVariation } from '../../../src/main/proxy'

const p = (approve: number, correct: number, reject: number) => ({ approve, correct, reject })

describe('surprise', () => {
  test('fires on the mission’s own example: approve .80 becomes correct .85, though confidence moves by .05 only', () => {
    const surprise = surpriseBetween(p(0.8, 0.15, 0.05), p(0.1, 0.85, 0.05))
    expect(surprise.tv).toBeCloseTo(0.7, 12)
    expect(surprise.confidenceShift).toBeCloseTo(0.05, 12)
    expect(surprise.fired).toBe(true)
  })

  test('fires on a changed winner from a total variation of .15 on', () => {
    expect(surpriseBetween(p(0.52, 0.38, 0.1), p(0.36, 0.54, 0.1)).fired).toBe(true)
    expect(surpriseBetween(p(0.5, 0.4, 0.1), p(0.42, 0.48, 0.1)).fired).toBe(false)
  })

  test('stays quiet when the same winner moves a little, and fires when it moves by .30', () => {
    expect(surpriseBetween(p(0.5, 0.4, 0.1), p(0.75, 0.2, 0.05)).fired).toBe(false)
    expect(surpriseBetween(p(0.5, 0.4, 0.1), p(0.85, 0.1, 0.05)).fired).toBe(true)
  })

  test('is told in bits as KL(posterior ‖ prior)', () => {
    expect(klBits(p(1, 0, 0), p(0.5, 0.4, 0.1))).toBe(1)
    expect(klBits(p(0.5, 0.4, 0.1), p(0.5, 0.4, 0.1))).toBe(0)
    expect(totalVariation(p(1, 0, 0), p(0, 1, 0))).toBe(1)
  })

  test('of the decision itself is −log2 of what was given to it, not merely that there was an answer', () => {
    expect(surpriseBits(p(0.5, 0.25, 0.25), 'approve')).toBe(1)
    expect(surpriseBits(p(0.5, 0.25, 0.25), 'correct')).toBe(2)
  })
})
