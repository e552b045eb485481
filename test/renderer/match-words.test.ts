import type { Receipt } from '@shared/recall'
import { expect, test } from 'vitest'
import { pathReasons, weakMatch } from '../../src/renderer/lib/match-words'

const receipt = (match: Receipt['match']): Receipt => ({ match }) as Receipt

test('a goal that nothing is near says how far off the nearest is', () => {
  expect(weakMatch(receipt({ weak: false, cosine: 0.7, coverage: 0.9 }))).toBeNull()
  expect(weakMatch(receipt({ weak: true, cosine: 0.241, coverage: 0 }))).toBe(
    'Memory has no close match for this: the nearest in meaning is 24 % alike, none of its words is told of.',
  )
  expect(weakMatch(receipt({ weak: true, cosine: null, coverage: 0.12 }))).toBe(
    'Memory has no close match for this: no item says more than 12 % of what was asked.',
  )
  expect(weakMatch(receipt({ weak: true, cosine: null, coverage: null }))).toBe(
    'Memory has no close match for this: it holds no word to look for.',
  )
})

test('what all segments share is said once, what only some have names them', () => {
  const lexical = (reason: string) => ({ path: 'lexical' as const, reason })
  expect(pathReasons({ paths: { talk: lexical('No vectors.'), work: lexical('No vectors.') } })).toEqual([
    'No vectors.',
  ])
  expect(pathReasons({ paths: { talk: lexical('No vectors.'), work: { path: 'hybrid' } } })).toEqual([
    'talk: No vectors.',
  ])
  expect(pathReasons({ paths: { talk: lexical('No vectors.'), work: lexical('No words.') } })).toEqual([
    'talk: No vectors.',
    'work: No words.',
  ])
})
