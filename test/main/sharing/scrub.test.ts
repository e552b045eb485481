import { expect, test } from 'vitest'
import { handlesIn, quotedBy, quoter, withoutCrumbs, withoutHandles } from '../../../src/main/sharing/scrub'
import { Handle } from '../../../src/shared/domain'

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

test('what stands for an erased handle is a handle, another one for each, and tells that it was erased', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => `itm_${letter.repeat(26)}`) as [string, string, string]
  const body = JSON.stringify({
    facts: [{ handle: c }],
    omitted: [{ handle: a }, { handle: b }],
    bid: `recall:${a}`,
  })
  const once = withoutHandles(body, [a, b])
  expect(handlesIn(once)).toEqual([c])
  const { omitted, bid } = JSON.parse(once)
  for (const { handle } of omitted) {
    expect(handle).toMatch(/^itm_erased/)
    expect(Handle.safeParse(handle).success).toBe(true)
  }
  expect(bid).toBe(`recall:${omitted[0].handle}`)
  // Another erasure later, of the same receipt.
  const twice = JSON.parse(withoutHandles(once, [c]))
  const all = [...twice.facts, ...twice.omitted].map(({ handle }) => handle)
  expect(new Set(all).size).toBe(3)
  expect(twice.omitted).toEqual(omitted)
})
