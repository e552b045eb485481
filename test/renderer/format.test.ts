import { describe, expect, test } from 'vitest'
import {
  ago,
  bytes,
  count,
  few,
  percent,
  plural,
  shortId,
  shortPath,
  since,
  term,
  tilde,
} from '../../src/renderer/lib/format'

describe('numbers and times on screen', () => {
  test('a share reads 100 % only when it is all of it, and 0 % only when it is none', () => {
    expect(percent(999_999, 1_000_000)).toBe('99 %')
    expect(percent(1, 1_000_000)).toBe('1 %')
    expect(percent(5, 5)).toBe('100 %')
    expect(percent(0, 5)).toBe('0 %')
    expect(percent(0, 0)).toBe('0 %')
  })

  test('bytes change unit before they grow a fourth digit', () => {
    expect(bytes(999)).toBe('999 B')
    expect(bytes(1500)).toBe('1.5 kB')
    expect(bytes(999_600)).toBe('1.0 MB')
    expect(bytes(318_204_551)).toBe('318 MB')
  })

  test('one thing is not many', () => {
    expect(plural(1, 'item')).toBe('1 item')
    expect(plural(41_208, 'item')).toBe('41,208 items')
    expect(count(0)).toBe('0')
  })

  test('a term has two digits and a real minus', () => {
    expect(term(0.82)).toBe('.82')
    expect(term(-0.06)).toBe('−.06')
    expect(term(-0.001)).toBe('.00')
    expect(term(1)).toBe('1.00')
  })

  test('how long ago is told in the largest unit that fits', () => {
    const now = new Date(2026, 10, 26, 12).getTime()
    expect(ago(now - 30_000, now)).toBe('now')
    expect(ago(now - 22 * 60_000, now)).toBe('22 min')
    expect(ago(now - 5 * 3_600_000, now)).toBe('5 h')
    expect(ago(now - 3 * 86_400_000, now)).toBe('3 d')
    expect(ago(now - 30 * 86_400_000, now)).toBe('27 Oct')
    expect(ago(now - 400 * 86_400_000, now)).toBe('22 Oct 2025')
    expect(since(now - 30_000, now)).toBe('just now')
    expect(since(now - 22 * 60_000, now)).toBe('22 min ago')
    expect(since(now - 30 * 86_400_000, now)).toBe('on 27 Oct')
  })

  test('a long path loses whole folders from its middle and keeps its name', () => {
    expect(shortPath('/home/m/a.jsonl')).toBe('/home/m/a.jsonl')
    expect(shortPath('/home/mira/.claude/projects/-srv-shop-api/session.jsonl', 36)).toBe(
      '/home/mira/.claude/…/session.jsonl',
    )
  })

  test('a path in the person’s folder starts with a tilde, a neighbour’s does not', () => {
    expect(tilde('/home/mira/.claude/a', '/home/mira')).toBe('~/.claude/a')
    expect(tilde('/home/mira', '/home/mira/')).toBe('~')
    expect(tilde('/home/miranda/a', '/home/mira')).toBe('/home/miranda/a')
    expect(tilde('C:\\Users\\m\\a', 'C:\\Users\\m')).toBe('~\\a')
    expect(tilde('/a', '')).toBe('/a')
  })

  test('an id is cut to what tells two apart', () => {
    expect(shortId('itm_4q8zabcdefgh')).toBe('itm_4q8z…')
  })

  test('a list names a few and counts the rest', () => {
    expect(few(['a', 'b', 'c', 'd'])).toBe('a, b, 2 more')
    expect(few(['a', 'b'])).toBe('a, b')
  })
})
