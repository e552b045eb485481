import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalJson,
  DEFAULT_OPTIONS,
  type PriorInput,
  pooledRate,
  predictCase,
  predictPrior,
} from '../../../src/main/proxy'
import { contextOf, inspectionOf, remembered } from './support'

const memory = [
  remembered('a', 'approve', { artifact: '# Plan\nBatches and rollback.' }),
  remembered('b', 'correct', {
    words: 'Add a rollback',
    salience: 'state=PLAN_ASSERT task=migration no rollback',
    salient: ['no rollback'],
  }),
  remembered('c', 'reject', { situation: { taskType: 'docs', project: 'portal' } }),
]

describe('the prior', () => {
  test('without memory is the Dirichlet(1, 0.8, 0.2) rate itself', () => {
    const { p } = predictPrior(contextOf([]))
    expect(p.approve).toBeCloseTo(0.5, 12)
    expect(p.correct).toBeCloseTo(0.4, 12)
    expect(p.reject).toBeCloseTo(0.1, 12)
  })

  test('weighs identical contexts 1 each and smooths with two cases of the pooled rate', () => {
    const { p } = predictPrior(
      contextOf([remembered('a', 'approve'), remembered('b', 'approve'), remembered('c', 'correct')]),
    )
    const g = pooledRate(['approve', 'approve', 'correct'])
    expect(g.approve).toBeCloseTo(3 / 5, 12)
    expect(p.approve).toBeCloseTo((2 + 2 * g.approve) / 5, 5)
    expect(p.correct).toBeCloseTo((1 + 2 * g.correct) / 5, 5)
  })

  test('lets a far context count e^{4(sim − 1)}', () => {
    const far = remembered('far', 'reject', { situation: { taskType: 'docs', project: 'portal' } })
    const { cases } = predictPrior(contextOf([far]))
    const [only] = cases
    // Two of six situation words differ, the stimulus is the same: cosine (4/6 + 1) / 2.
    expect(only?.similarity).toBeCloseTo((4 / 6 + 1) / 2, 5)
    expect(only?.weight).toBeCloseTo(Math.exp(4 * ((4 / 6 + 1) / 2 - 1)), 5)
  })

  test('never changes by a byte when only the artifact changes', () => {
    const before = canonicalJson(predictCase(contextOf(memory), inspectionOf('')).prediction.prior)
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.array(fc.string(), { maxLength: 3 }), (text, points) => {
        const upstream = [{ name: 'intent', text: points.map((point) => `- ${point}`).join('\n') }]
        const artifact = inspectionOf(`# Plan\n${text}\nDrop the table, no rollback.`, upstream)
        const made = predictCase(contextOf(memory), artifact)
        expect(canonicalJson(made.prediction.prior)).toBe(before)
        // Salience found with the artifact must not find its way into the first pass either.
        expect(made.prior.surprising.map(({ id }) => id)).toEqual(['b'])
      }),
      { numRuns: 200 },
    )
  })

  test('does not look at the artifacts of the gates it remembers', () => {
    const other = memory.map((one) => ({
      ...one,
      vectors: { ...one.vectors, artifact: new Float32Array(2048) },
      terms: new Set<string>(),
      features: new Set<string>(),
    }))
    expect(predictPrior(contextOf(other)).p).toEqual(predictPrior(contextOf(memory)).p)
  })

  test('is refused an artifact by its type', () => {
    const leaking = { ...contextOf(memory), artifact: new Float32Array(3) }
    // @ts-expect-error a value with an artifact is no PriorInput
    const input: PriorInput = leaking
    expect(predictPrior(input).p).toEqual(predictPrior(contextOf(memory)).p)
  })

  test('never takes the proxy’s own answers as evidence', () => {
    const own = Array.from({ length: 20 }, (_, i) =>
      remembered(`own${i}`, 'approve', { answeredBy: 'proxy' }),
    )
    expect(predictPrior(contextOf([...memory, ...own])).p).toEqual(predictPrior(contextOf(memory)).p)
    const artifact = inspectionOf('# Plan\nDrop the table.')
    expect(predictCase(contextOf([...memory, ...own]), artifact).posterior.p).toEqual(
      predictCase(contextOf(memory), artifact).posterior.p,
    )
  })

  test('says in a person’s voice what stands behind it', () => {
    const { prediction } = predictCase(
      contextOf([remembered('a', 'approve'), remembered('b', 'approve')]),
      inspectionOf('x'),
    )
    expect(prediction.prior.reason).toContain('I’d approve: 2 of the 2 gates most like this were approved')
    expect(predictCase(contextOf([]), inspectionOf('x')).prediction.prior.reason).toContain(
      'no earlier decision',
    )
  })

  test('with activation on prefers the fresher of two equal memories when only one fits', () => {
    const old = remembered('old', 'reject', { traces: [1] })
    const fresh = remembered('fresh', 'approve', { traces: [900] })
    const options = { ...DEFAULT_OPTIONS, cases: 1 }
    const { cases } = predictPrior({ ...contextOf([old, fresh]), now: 901, options })
    expect(cases.map((one) => one.remembered.id)).toEqual(['fresh'])
  })
})
