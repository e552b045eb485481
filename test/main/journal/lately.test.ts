import { expect, test } from 'vitest'
import { Lately } from '../../../src/main/journal/watch/lately'
import type { sourcesSql } from '../../../src/main/store'

const NOW = 1_800_000_000_000
const source = { id: 'src_a' } as sourcesSql.SourceRow
const file = (changedAt: number) => ({ source, size: 1, mtimeMs: changedAt, changedAt })
const stat = (size: number, mtimeMs: number) => ({ dev: 1, ino: 1, size, mtimeMs })

test('of thousands of files that changed at once only the last ones are looked at', () => {
  const lately = new Lately()
  for (let n = 0; n < 10_000; n++) lately.keep(`/t/${n}`, file(NOW - ((n * 7919) % 10_000)), NOW)
  const looked = new Set<string>()
  const look = (path: string) => {
    looked.add(path)
    return null
  }
  expect(lately.changed(NOW, look)).toEqual([])
  expect(looked.size).toBe(64)
  const youngest = Array.from({ length: 10_000 }, (_, n) => n)
    .sort((a, b) => ((a * 7919) % 10_000) - ((b * 7919) % 10_000))
    .slice(0, 64)
  expect([...looked].sort()).toEqual(youngest.map((n) => `/t/${n}`).sort())
})

test('a file is looked at often for a minute, then each second, and after a quarter of an hour not at all', () => {
  const lately = new Lately()
  expect(lately.nextLook(NOW)).toBeNull()
  lately.keep('/t/a', file(NOW), NOW)
  expect(lately.nextLook(NOW + 59_000)).toBe(200)
  expect(lately.nextLook(NOW + 61_000)).toBe(1_000)
  expect(lately.changed(NOW + 61_000, () => stat(2, NOW))).toEqual([['/t/a', source]])
  expect(lately.changed(NOW + 61_200, () => stat(3, NOW))).toEqual([])
  expect(lately.changed(NOW + 16 * 60_000, () => stat(3, NOW))).toEqual([])
  expect(lately.nextLook(NOW + 16 * 60_000)).toBeNull()
})

test('what changed long ago is not kept, and what goes with its source is forgotten', () => {
  const lately = new Lately()
  lately.keep('/t/old', file(NOW - 16 * 60_000), NOW)
  expect(lately.nextLook(NOW)).toBeNull()
  lately.keep('/t/a', file(NOW), NOW)
  lately.only([])
  expect(lately.nextLook(NOW)).toBeNull()
})
