import { ItemKind } from '@shared/domain'
import { expect, test } from 'vitest'
import { kindName, kindRung, seededInWords } from '../../src/renderer/lib/words'

test('how a fact was found is one sentence, with the steps it took', () => {
  expect(seededInWords({ seededBy: ['semantic', 'goal'], hop: 0 })).toBe(
    'Found by its meaning and by the goal it was made for.',
  )
  expect(seededInWords({ seededBy: ['lexical', 'semantic', 'recency'], hop: 0 })).toBe(
    'Found by its words, by its meaning and because it is recent.',
  )
  expect(seededInWords({ seededBy: ['neighbour'], hop: 1 })).toContain('one step away from a direct hit')
  expect(seededInWords({ seededBy: [], hop: 2 })).toBe('Reached 2 steps away from a direct hit.')
})

test('every kind has a name and a rung', () => {
  for (const kind of ItemKind.options) {
    expect(kindName[kind]).toBeTruthy()
    expect(kindRung[kind]).toMatch(/^L[0-3]$/)
  }
})
