import { describe, expect, test } from 'vitest'
import { hydrate } from '../../../src/main/hydration'
import { NEWEST_NOTE, WEAK_NOTE } from '../../../src/main/hydration/match'
import { ask, embedAll, memory, payments, remember, wordEmbedder, wordVector } from './memory'

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
    expect(frame.split('\n')[1]).toBe(receipt.path === 'recency' ? NEWEST_NOTE : WEAK_NOTE)
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

describe.each([
  ['letters without end', 'ä'.repeat(60_000)],
  ['signs', '!?! … 🙂🙂🙂'],
  ['a block of letters and digits', '9f86d081884c7d65'.repeat(30)],
])('a goal that is only %s', (_, goal) => {
  const unread = { text: 'unk', session: 'a:4' }
  // As a model has it that knows one vector for everything it cannot read.
  const oneForAll = { ...wordEmbedder, embed: async (texts: string[]) => texts.map(() => wordVector('unk')) }

  test.each([
    ['with vectors', true],
    ['without', false],
  ])('comes near nothing, %s, and the frame says that it holds what is newest', async (_name, vectors) => {
    const { db, ports } = memory(vectors ? { embedder: oneForAll } : {})
    remember(db, [...payments, unread])
    if (vectors) embedAll(db)
    const { frame, receipt } = await hydrate(ports, ask(goal))
    expect(receipt).toMatchObject({ path: 'recency', match: { cosine: null, coverage: null, weak: true } })
    expect(receipt.paths.talk?.reason).toContain('There are no words to look up. Nothing in it can be read')
    expect(frame.split('\n')[1]).toBe(NEWEST_NOTE)
  })
})
