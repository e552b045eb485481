import type { AttentionLine } from '@shared/review'
import { expect, test } from 'vitest'
import { attentionShownOf, lookedAt } from '../../src/renderer/gate-review/attention'

const line = (phrase: string, more: Partial<AttentionLine>): AttentionLine => ({
  phrase,
  salient: 0,
  present: 6,
  named: 0,
  rate: 0.5,
  listed: false,
  ignored: false,
  ...more,
})

test('what only was there is not shown as looked at', () => {
  const shown = attentionShownOf(
    [
      line('named', { named: 2 }),
      line('moved', { salient: 1 }),
      line('there', {}),
      line('never', { present: 9, ignored: true }),
    ],
    6,
  )
  expect(shown.looked.map(({ phrase }) => phrase)).toEqual(['named', 'moved'])
  expect(shown.passed.map(({ phrase }) => phrase)).toEqual(['never'])
  expect(shown.looked.map((one) => lookedAt(one).words)).toEqual(['named 2×', 'moved 1/6'])
})
