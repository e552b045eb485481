import { expect, test } from 'vitest'
import { depthFor, FIXED_DEPTH, shapeOf } from '../../../src/main/faculty'

test.each([
  ['Give me an overview of the retry work', 'broad'],
  ['What have we decided about queues so far?', 'broad'],
  ['Why does src/main/store/open.ts retry?', 'precise'],
  ['What happened in ERR_104?', 'precise'],
  ['When did Caroline go to the meeting?', 'precise'],
  ['Summarise everything about #412', 'precise'],
  ['How is the webhook made safe to retry?', 'plain'],
] as const)('“%s” is %s', (question, shape) => {
  expect(shapeOf(question)).toBe(shape)
})

test('a broad question lets more bid than a precise one, and a plain one what everyone gets', () => {
  expect(depthFor('Give me an overview').bids).toBeGreaterThan(depthFor('open.ts').bids)
  expect(depthFor('How is the webhook made safe to retry?')).toBe(FIXED_DEPTH)
})
