import { describe, expect, test } from 'vitest'
import { baseLevel, isListed, logisticNoise } from '../../../src/main/proxy'

describe('base-level activation', () => {
  test('one trace alone falls under each threshold at the age the formula says', () => {
    const lastAgeAbove = (threshold: number): number => {
      let age = 1
      while (baseLevel([0], age + 1) >= threshold) age += 1
      return age
    }
    expect(lastAgeAbove(-0.5)).toBe(2)
    expect(lastAgeAbove(-2)).toBe(54)
    expect(lastAgeAbove(-2.65)).toBe(200)
    expect(lastAgeAbove(-3.5)).toBe(1096)
  })

  test('is an exact sum over traces, and a trace of now counts as age 1', () => {
    expect(baseLevel([10, 6, 1], 10)).toBeCloseTo(Math.log(1 + 1 / 2 + 1 / 3), 12)
    expect(baseLevel([7], 7)).toBe(0)
    expect(baseLevel([], 7)).toBe(Number.NEGATIVE_INFINITY)
  })

  test('a thing seen once goes stale: it is listed for about a thousand interactions and then no more', () => {
    expect(isListed([5], 1000)).toBe(true)
    expect(isListed([5], 1200)).toBe(false)
    expect(isListed([5, 900], 1200)).toBe(true)
  })

  test('noise is logistic, and the same uniform number always gives the same noise', () => {
    expect(logisticNoise(0.5, 0.25)).toBe(0)
    expect(logisticNoise(0.9, 0.25)).toBe(logisticNoise(0.9, 0.25))
    const s = 0.4
    const n = 20_001
    const draws = Array.from({ length: n }, (_, i) => logisticNoise((i + 0.5) / n, s))
    const deviation = Math.sqrt(draws.reduce((sum, x) => sum + x * x, 0) / n)
    expect(deviation).toBeCloseTo((Math.PI * s) / Math.sqrt(3), 2)
  })
})
