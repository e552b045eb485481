import { expect, test } from 'vitest'
import { SIGNAL_KINDS } from '../../src/main/faculty'
import { causeName, purposeName } from '../../src/renderer/lib/attention-words'

test('every signal that can move a zone has words of its own, and quiet keeps its', () => {
  for (const kind of SIGNAL_KINDS) expect(causeName(kind)).not.toBe(kind)
  expect(causeName('five quiet minutes')).toBe('five quiet minutes')
})

test('every purpose a trace is kept for is named', () => {
  for (const purpose of ['prior', 'posterior', 'turn', 'turn-prompt', 'turn-anew', 'summaries'])
    expect(purposeName(purpose)).not.toBe(purpose)
})
