import { expect, test } from 'vitest'
import { askedInWords } from '../../src/renderer/lib/asked-words'
import type { AskedFor } from '../../src/shared/recall'

const now = new Date(2026, 10, 26, 12).getTime()

test.each<[AskedFor | undefined, string[]]>([
  [undefined, []],
  [{ broad: true }, ['many things']],
  [
    { paths: ['a.ts', 'b.ts'], kinds: ['decision', 'file_op'] },
    ['about a.ts, b.ts', 'above all: decision, file'],
  ],
  [
    { within: { phrase: 'before the release', since: null, until: new Date(2026, 9, 1, 9, 5).getTime() } },
    ['only before the release (to 1 Oct 09:05)'],
  ],
  [
    { times: [{ phrase: 'in March', since: 0, until: 1 }], names: ['Ann'] },
    ['rather in March', 'said by Ann'],
  ],
])('what was read out of a goal: %j', (asked, read) => {
  expect(askedInWords(asked, now)).toEqual({ read, dropped: [] })
})

test('what could not be held to is kept apart', () => {
  const dropped = ['Memory holds nothing of "last week".']
  expect(askedInWords({ dropped }, now)).toEqual({ read: [], dropped })
})
