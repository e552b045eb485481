import { expect, test } from 'vitest'
import { quotedBy, quoter, withoutCrumbs } from '../../../src/main/sharing/scrub'

const ERASED = 'Tame the quibblewort before the flumoxator wakes; then xylophant rules apply'

test('a short text is a quotation when all of its words stand in an erased one, if one of them is telling', () => {
  const quotes = quoter([ERASED])
  expect(quotes('flumoxator xylophant')).toBe(true)
  expect(quotes('the rules')).toBe(false)
  expect(quotes('flumoxator elsewhere')).toBe(false)
  expect(quotedBy(['flumoxator xylophant', 'the rules', 'flumoxator elsewhere'])(ERASED)).toEqual([
    'flumoxator xylophant',
  ])
})

test('a receipt loses its breadcrumbs, in its body and in its frame, and nothing else', () => {
  const crumb = '… 44 more on quibblewort (zoo), 2 sessions, Nov 2026'
  const frame = `[[begin]]\n§ 2026-11-01\n[L0 abcd] a fact\n${crumb}\n[[end]]`
  expect(withoutCrumbs({ goal: 'x', breadcrumbs: [crumb] }, frame)).toEqual({
    body: { goal: 'x', breadcrumbs: [] },
    frame: '[[begin]]\n§ 2026-11-01\n[L0 abcd] a fact\n[[end]]',
  })
  expect(withoutCrumbs({ goal: 'x', breadcrumbs: [] }, frame)).toBeNull()
})
