import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inlineMarks } from '../../src/renderer/lib/inline-marks'

const shown = (text: string): string =>
  inlineMarks(text)
    .map(({ text: piece, mark }) => (mark ? `<${mark}:${piece}>` : piece))
    .join('')

test.each([
  ['The **retry** is in `retry.ts` now', 'The <strong:retry> is in <code:retry.ts> now'],
  ['**Added `EndedAt`** to the state', '<strong:Added EndedAt> to the state'],
  ['## Result\nAll green', 'Result\nAll green'],
  ['__init__ stays, so does a*b**c**d', '<strong:init> stays, so does a*b**c**d'],
  ['my__dunder__name and 2 ** 3 ** 4', 'my__dunder__name and 2 ** 3 ** 4'],
  ['a lone ` tick and a lone ** star', 'a lone ` tick and a lone ** star'],
  ['`**not strong**`', '<code:**not strong**>'],
  ['<b>not bold</b> &amp; [no](javascript:1)', '<b>not bold</b> &amp; [no](javascript:1)'],
  ['', ''],
])('%j reads %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test('nothing is lost but signs, whatever the text', () => {
  const without = (text: string): string => text.replace(/[`*_#\s]/g, '')
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('*', '_', '`', '#', ' ', 'a', 'b', '\n', '<') }),
      (text) => {
        const joined = inlineMarks(text).map((run) => run.text)
        expect(without(joined.join(''))).toBe(without(text))
      },
    ),
  )
})

test('a text of nothing but signs is read in no more than its length', () => {
  const long = '**a'.repeat(50_000)
  expect(
    inlineMarks(long)
      .map((run) => run.text)
      .join('').length,
  ).toBeLessThanOrEqual(long.length)
})
