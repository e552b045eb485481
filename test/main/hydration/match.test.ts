import { describe, expect, test } from 'vitest'
import { hydrate } from '../../../src/main/hydration'
import { WEAK_NOTE } from '../../../src/main/hydration/match'
import { ask, embedAll, memory, payments, remember, wordEmbedder } from './memory'

const ABSENT = ['Which zebra crossed the Serengeti first?', 'How is the Kafka consumer group rebalanced?']
const HELD = [
  'Why was the webhook delivered twice?',
  'retry of the payments webhook',
  'the colour of the landing page',
]

function filled(withVectors: boolean) {
  const { db, ports } = memory(withVectors ? { embedder: wordEmbedder } : {})
  remember(db, payments)
  // So that there is something to show whatever is asked.
  remember(db, [{ text: 'A group of customers was asked how it went.', session: 'a:3' }])
  if (withVectors) embedAll(db)
  return ports
}

describe.each([
  ['with vectors', true],
  ['by words alone', false],
])('a frame %s', (_, withVectors) => {
  test.each(ABSENT)('for what memory does not hold says so: %s', async (goal) => {
    const { frame, receipt } = await hydrate(filled(withVectors), ask(goal))
    expect(receipt.match?.weak).toBe(true)
    expect(frame.split('\n')[1]).toBe(WEAK_NOTE)
  })

  test.each(HELD)('for what memory holds says nothing of the kind: %s', async (goal) => {
    const { frame, receipt } = await hydrate(filled(withVectors), ask(goal))
    expect(receipt.match).toMatchObject({ weak: false })
    expect(receipt.match?.coverage).toBeGreaterThan(0.5)
    expect(frame).not.toContain(WEAK_NOTE)
  })
})

test('the note is within the budget, and a frame too small for it leaves it to the receipt', async () => {
  const ports = filled(true)
  for (let budget = 60; budget <= 400; budget += 20) {
    const { frame, receipt } = await hydrate(ports, ask(ABSENT[1] ?? '', { budget }))
    expect(receipt.budget.spent).toBeLessThanOrEqual(budget)
    expect(receipt.match?.weak).toBe(true)
    if (budget === 400) expect(frame).toContain(WEAK_NOTE)
    if (budget === 60) expect(frame).not.toContain(WEAK_NOTE)
  }
})
