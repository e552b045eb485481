import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowedRungs, givesAway, underCeiling } from '../../../src/main/sharing/ceiling'
import type { Rung } from '../../../src/shared/domain'

const rungs = {
  L0: 'We tried a queue table first. It deadlocked under load, so we chose backoff with an idempotency key.',
  L1: 'It deadlocked under load, so we chose backoff with an idempotency key.',
  L2: 'decisions: backoff with idempotency key; outcomes: queue table rejected',
  L3: 'conclusion · src/webhooks/retry.ts · idempotency',
}

describe('a ceiling', () => {
  test('lets out its own rung and what is coarser', () => {
    expect(allowedRungs('L2')).toEqual(['L2', 'L3'])
    expect(underCeiling(rungs, 'L2')).toEqual({ L2: rungs.L2, L3: rungs.L3 })
    expect(underCeiling(rungs, 'L0')).toEqual(rungs)
  })

  test('holds back a coarse rung that quotes a finer one whole, whatever its white space and case', () => {
    const quoting = {
      ...rungs,
      L2: `decisions: it deadlocked under load,\n so we chose backoff with an idempotency key.`,
    }
    expect(underCeiling(quoting, 'L2')).toEqual({ L3: rungs.L3 })
    expect(givesAway(quoting.L2, [rungs.L1])).toBe(true)
  })

  test('a short remark is telling too: its skeleton does not carry it whole', () => {
    expect(underCeiling({ L0: 'yes, do it', L3: 'goal: yes, do it' }, 'L3')).toEqual({})
  })

  test('an arc’s distillation loses the sentences that are an item of it whole, and keeps the others', () => {
    const distillation = JSON.stringify({
      entities: ['ledger.ts'],
      decisions: ['The salary of Ann must be 91000.', 'Keep the ledger.'],
      constraints: [],
      outcomes: [],
      open_questions: [],
    })
    const out = underCeiling({ L0: 'the goal of it all', L2: distillation }, 'L2', [
      'The salary of Ann must be 91000.',
    ])
    expect(out.L2).toContain('Keep the ledger.')
    expect(out.L2).not.toContain('91000')
  })

  test('does not count a name that both rungs carry as giving away', () => {
    expect(underCeiling({ L0: 'npm test', L2: 'ran npm test', L3: 'npm test' }, 'L2')).toEqual({
      L2: 'ran npm test',
      L3: 'npm test',
    })
  })

  test('never lets a finer telling text out, for any texts', () => {
    const words = fc
      .array(fc.stringMatching(/^[a-z]{6,10}$/), { minLength: 5, maxLength: 9 })
      .map((list) => list.join(' '))
    fc.assert(
      fc.property(
        words,
        words,
        fc.constantFrom<Rung>('L1', 'L2', 'L3'),
        fc.boolean(),
        (fine, coarse, ceiling, quotes) => {
          const text = quotes ? `${coarse} ${fine}` : coarse
          const out = underCeiling({ L0: fine, L1: text, L2: text, L3: text }, ceiling)
          expect(JSON.stringify(out)).not.toContain(fine)
        },
      ),
    )
  })
})
