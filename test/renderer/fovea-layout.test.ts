import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byDetail } from '../../src/renderer/lib/fact-order'
import { type FoveaInput, foveaLayout, foveaRings, ringOf } from '../../src/renderer/receipts/fovea-layout'
import { handle, receipt } from './fake-data'

const size = 200
const { facts } = receipt(1, 'a goal')
const far = (point: { x: number; y: number }): number => Math.hypot(point.x, point.y)

const anyFact = fc.record({
  handle: fc.integer({ min: 0, max: 5000 }).map(handle),
  level: fc.constantFrom('L0', 'L1', 'L2', 'L3'),
  hop: fc.integer({ min: 0, max: 4 }),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  tokens: fc.integer({ min: 0, max: 4000 }),
}) as fc.Arbitrary<FoveaInput>

describe('the drawn fovea', () => {
  test('places every fact inside the circle, whatever the frame holds', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 80 }), (many) => {
        const points = foveaLayout(many, size)
        expect(points).toHaveLength(many.length)
        for (const point of points) expect(far(point) + point.r).toBeLessThanOrEqual(size + 0.001)
      }),
      { numRuns: 60 },
    )
  })

  test('is the same drawing each time', () => {
    expect(foveaLayout(facts, size)).toEqual(foveaLayout(facts, size))
  })

  test('keeps dots apart in an ordinary frame', () => {
    const points = foveaLayout(facts, size)
    for (const [i, a] of points.entries()) {
      for (const b of points.slice(i + 1)) {
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(a.r + b.r)
      }
    }
  })

  test('draws what is in focus inside the inner ring and a skeleton outside it', () => {
    const rings = foveaRings(facts)
    for (const point of foveaLayout(facts, size)) {
      const fact = facts.find((one) => one.handle === point.handle)
      const ring = fact ? ringOf(fact) : 0
      const inner = ring === 0 ? 0 : (rings[ring - 1] ?? 0) * size
      expect(far(point)).toBeGreaterThanOrEqual(inner)
      expect(far(point)).toBeLessThanOrEqual((rings[ring] ?? 1) * size)
    }
  })

  test('gives a crowded focus the room that an empty periphery does not need', () => {
    const crowd = facts.map((fact) => ({ ...fact, level: 'L0' as const, hop: 0 }))
    expect(foveaRings(crowd)[0]).toBeGreaterThan(0.75)
    expect(foveaRings(facts)[0]).toBeLessThan(0.5)
    expect(foveaRings([])).toEqual([expect.any(Number), expect.any(Number), 1])
  })

  test('gives four times the tokens twice the radius', () => {
    const base = { level: 'L0', hop: 0, score: 1 } as const
    const [big, small] = foveaLayout(
      [
        { ...base, handle: handle(1), tokens: 400 },
        { ...base, handle: handle(2), tokens: 100 },
      ],
      size,
    )
    expect((big?.r ?? 0) / (small?.r ?? 1)).toBeCloseTo(2)
  })
})

test('facts are read from the sharp middle outwards', () => {
  const levels = byDetail([...facts].reverse()).map((fact) => fact.level)
  expect(levels).toEqual([...levels].sort())
})
