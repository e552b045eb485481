import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hydrate, savePlane, shippedPlanes } from '../../../src/main/hydration'
import { excerpt, said, saysOf, type Telling } from '../../../src/main/hydration/excerpt'
import { detailIn } from '../../../src/main/hydration/plane-policy'
import { ask, memory, NOW, putRung, remember } from './memory'

const asked: Telling = new Map([
  ['webhook', 2],
  ['timeout', 4],
])
const filler = 'The worker reads its queue and writes the ledger before the next tick comes. '.repeat(8)
const long = `A report on the week.\n${filler}\nThe webhook ran into a timeout of 30 seconds.\nWe raised it to 90.\n${filler}`

describe('the passages of a long text', () => {
  test('are those that say what the goal asks for, verbatim, with what follows, the gaps marked', () => {
    const passages = excerpt(long, asked, 260) ?? ''
    expect(passages).toContain('The webhook ran into a timeout of 30 seconds.\nWe raised it to 90.')
    expect(passages).toMatch(/^A report|^…/)
    expect(passages.endsWith('…')).toBe(true)
    for (const piece of passages.split(' … ')) expect(long).toContain(piece.replace(/^… | …$/g, '').trim())
  })

  test('of a text that says nothing of it are its beginning', () => {
    expect(excerpt(long, new Map([['zebra', 3]]), 200)).toMatch(/^A report on the week\./)
  })

  test('are none where the whole would be, or where none fits', () => {
    expect(excerpt('One line about a webhook.', asked, 400)).toBeNull()
    expect(excerpt(long, asked, 10)).toBeNull()
  })

  test('never run far over their length nor split a character, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 3000 }),
        fc.integer({ min: 20, max: 600 }),
        (text, length) => {
          const passages = excerpt(`${text} timeout ${text}`, asked, length)
          if (passages === null) return
          expect(passages.replaceAll('…', '').length).toBeLessThanOrEqual(length * 1.2 + 10)
          expect(passages.isWellFormed() || !text.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a rung is measured by what it says of what the whole says', () => {
    const all = said(long, asked)
    expect(all).toBe(6)
    expect(saysOf('The webhooks are slow.', asked, all)).toBeCloseTo(2 / 6)
    expect(saysOf('Nothing of it.', asked, 0)).toBe(1)
  })
})

describe('a frame with little room', () => {
  const stored = `${filler}\nThe import of QAction failed because it moved to PySide6.QtGui.\n${filler}`

  async function frameWith(plane: string): Promise<string> {
    const { db, ports } = memory()
    const [handle = ''] = remember(db, [{ kind: 'conclusion', text: stored, session: 's' }])
    putRung(db, handle, 'L1', 'The worker reads its queue and writes the ledger before the next tick comes.')
    const execution = shippedPlanes.find((one) => one.name === 'execution')
    savePlane(db, { ...execution, name: 'no-excerpts', excerpt: 0 }, NOW)
    return (await hydrate(ports, ask('Why did the import of QAction fail?', { plane, budget: 160 }))).frame
  }

  test('shows the passage that answers, not the sentence that sums up something else', async () => {
    const frame = await frameWith('execution')
    expect(frame).toContain('moved to PySide6.QtGui')
    expect(frame).toMatch(/\[L0… \w+ conclusion\]/)
  })

  test('shows the sentence when the plane has no excerpts', async () => {
    const frame = await frameWith('no-excerpts')
    expect(frame).not.toContain('PySide6')
    expect(frame).toMatch(/\[L1 \w+ conclusion\] The worker reads/)
  })
})

test('one thing is told more briefly where the whole frame is small, by its plane', () => {
  const plane = { depth: 70, excerpt: 80, most: 0.1 }
  expect(detailIn(plane, 700)).toEqual({ depth: 70, excerpt: 80 })
  expect(detailIn(plane, 350)).toEqual({ depth: 35, excerpt: 40 })
  expect(detailIn({ ...plane, most: 1 }, 350)).toEqual({ depth: 70, excerpt: 80 })
  expect(detailIn({ ...plane, most: 0 }, 350)).toEqual({ depth: 1, excerpt: 0 })
})
