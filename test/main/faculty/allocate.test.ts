import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Allocation, allocate, type Budgets, type Candidate } from '../../../src/main/faculty'

const rung = fc.record({ cost: fc.integer({ min: 1, max: 40 }), value: fc.integer({ min: 1, max: 100 }) })
/** Coarse to fine: dearer and worth more. */
const ladder = fc.array(rung, { minLength: 1, maxLength: 4 }).map((rungs) => {
  let cost = 0
  let value = 0
  return rungs.map((step) => {
    cost += step.cost
    value += step.value
    return { cost, value }
  })
})
const candidates = (max: number) =>
  fc
    .array(
      fc.record({
        segment: fc.constantFrom('talk', 'work'),
        group: fc.constantFrom('a', 'b', 'c'),
        rungs: ladder,
      }),
      {
        maxLength: max,
      },
    )
    .map((list): Candidate[] => list.map((entry, i) => ({ id: `c${String(i).padStart(3, '0')}`, ...entry })))
const budgets = fc
  .record({
    total: fc.integer({ min: 0, max: 300 }),
    talk: fc.integer({ min: 0, max: 200 }),
    work: fc.integer({ min: 0, max: 200 }),
    borrow: fc.subarray(['talk', 'work']),
    heading: fc.integer({ min: 0, max: 12 }),
  })
  .map(
    ({ total, talk, work, borrow, heading }): Budgets => ({
      total,
      segments: { talk, work },
      borrow,
      groupCost: () => heading,
    }),
  )

/** What the chosen rungs and their headings cost, counted anew. */
function priceOf(list: readonly Candidate[], allocation: Allocation, { groupCost }: Budgets): number {
  const groups = new Set<string>()
  let cost = 0
  for (const candidate of list) {
    const index = allocation.chosen.get(candidate.id)
    if (index === undefined) continue
    cost += candidate.rungs[index]?.cost ?? 0
    if (candidate.group !== undefined) groups.add(candidate.group)
  }
  for (const group of groups) cost += groupCost?.(group) ?? 0
  return cost
}

const total = (amount: number): Budgets => ({ total: amount, segments: { talk: amount }, borrow: [] })
const one = (id: string, ...rungs: [number, number][]): Candidate => ({
  id,
  segment: 'talk',
  rungs: rungs.map(([cost, value]) => ({ cost, value })),
})

describe('detail under a budget', () => {
  test('never spends more than the total, nor a segment more than its own unless it may borrow', () => {
    fc.assert(
      fc.property(candidates(40), budgets, (list, budget) => {
        const result = allocate(list, budget)
        expect(result.spent).toBe(priceOf(list, result, budget))
        expect(result.spent).toBeLessThanOrEqual(budget.total)
        for (const [segment, own] of Object.entries(budget.segments)) {
          if (!budget.borrow.includes(segment)) expect(result.bySegment[segment]).toBeLessThanOrEqual(own)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('gives the same for every order of the candidates', () => {
    fc.assert(
      fc.property(candidates(25), budgets, fc.integer(), (list, budget, seed) => {
        const shuffled =
          fc.sample(fc.shuffledSubarray(list, { minLength: list.length }), { seed, numRuns: 1 })[0] ?? []
        expect(allocate(shuffled, budget)).toEqual(allocate(list, budget))
      }),
      { numRuns: 500 },
    )
  })

  test('undone from the end, its upgrades lead back to nothing', () => {
    fc.assert(
      fc.property(candidates(25), budgets, (list, budget) => {
        const { upgrades, chosen } = allocate(list, budget)
        const at = new Map(chosen)
        for (const step of upgrades.toReversed()) {
          expect(at.get(step.id)).toBe(step.to)
          if (step.from < 0) at.delete(step.id)
          else at.set(step.id, step.from)
        }
        expect(at.size).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  test('comes within 1 % of the best there is, on average, and never under two thirds of it', () => {
    const ratios: number[] = []
    const sizes = fc.integer({ min: 40, max: 160 })
    fc.assert(
      fc.property(candidates(7), sizes, (list, size) => {
        const flat = list.map((candidate) => ({ ...candidate, group: undefined, segment: 'talk' }))
        const optimum = best(flat, size)
        if (optimum > 0) ratios.push(allocate(flat, total(size)).value / optimum)
      }),
      { numRuns: 1500, seed: 7 },
    )
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeGreaterThanOrEqual(0.99)
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(0.66)
  })

  test('the most important gets detail first, the rest stays as skeletons', () => {
    const list = [one('focus', [10, 12], [40, 60], [100, 90]), one('edge', [10, 6], [40, 12], [100, 15])]
    expect(Object.fromEntries(allocate(list, total(60)).chosen)).toEqual({ focus: 1, edge: 0 })
    expect(Object.fromEntries(allocate(list, total(110)).chosen)).toEqual({ focus: 2, edge: 0 })
  })

  test('a segment that may not borrow leaves the others alone, one that may takes what they left', () => {
    const list: Candidate[] = ['a', 'b', 'c'].map((id) => ({ ...one(id, [30, 30]), segment: 'work' }))
    const budget = { total: 100, segments: { talk: 70, work: 30 } }
    expect(allocate(list, { ...budget, borrow: [] }).chosen.size).toBe(1)
    expect(allocate(list, { ...budget, borrow: ['work'] }).chosen.size).toBe(3)
  })

  test('takes five thousand candidates', () => {
    const list = Array.from(
      { length: 5000 },
      (_, i): Candidate => ({
        id: `c${i}`,
        segment: i % 3 === 0 ? 'work' : 'talk',
        group: `g${i % 400}`,
        rungs: [
          { cost: 15 + (i % 7), value: 10 + (i % 11) },
          { cost: 45 + (i % 13), value: 25 + (i % 17) },
          { cost: 300 + (i % 101), value: 60 + (i % 53) },
        ],
      }),
    )
    const result = allocate(list, {
      total: 20_000,
      segments: { talk: 12_000, work: 8_000 },
      borrow: ['talk'],
      groupCost: () => 8,
    })
    expect(result.spent).toBeLessThanOrEqual(20_000)
    expect(result.spent).toBeGreaterThan(19_900)
  })
})

/** The optimum by trying everything. */
function best(list: readonly Candidate[], size: number, at = 0): number {
  const candidate = list[at]
  if (!candidate) return 0
  let top = best(list, size, at + 1)
  for (const { cost, value } of candidate.rungs) {
    if (cost <= size) top = Math.max(top, value + best(list, size - cost, at + 1))
  }
  return top
}
