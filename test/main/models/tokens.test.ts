import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { O200KBase } from 'gpt-tokenizer/encodingParams/o200k_base'
import { describe, expect, test } from 'vitest'
import { countTokens, fitTokens } from '../../../src/main/models'
import { isPlain, pieceEnd } from '../../../src/main/models/o200k-pieces'

const expression = O200KBase([]).tokenSplitRegex
const hasHardLetters = (text: string): boolean => /[\u{10000}-\u{10ffff}]|[\p{Lm}\p{Lo}\p{M}]/u.test(text)
const plain = { disallowedSpecial: new Set<string>() }
const repo = resolve(import.meta.dirname, '../../..')
const code = readFileSync(resolve(repo, 'src/shared/contract.ts'), 'utf8')
const lock = readFileSync(resolve(repo, 'package-lock.json'), 'utf8').slice(0, 60_000)

describe('token counting', () => {
  test('counts long texts in pieces to the same number as whole', () => {
    expect(code.length + lock.length).toBeGreaterThan(60_000)
    for (const text of [code, lock, `${code}\n\n${lock}`]) {
      expect(countTokens(text, 'o200k')).toBe(o200k(text, plain).length)
      expect(countTokens(text, 'cl100k')).toBe(cl100k(text, plain).length)
    }
  })

  test('counts what is no plain text as the encodings do: other scripts, emoji, half of a pair, bytes, one long word', () => {
    const bytes = Array.from({ length: 3000 }, (_, n) => String.fromCharCode((n * 7919) % 0x3000)).join('')
    const odd = [
      '',
      '\ud83d',
      'a\udc00b',
      '日本語のテキストを検索する',
      'что решили о кэше',
      'e\u0301te\u0301',
    ]
    const made = ['🙂👩‍👩‍👧‍👦'.repeat(9), 'zubracletakilomu'.repeat(12), `${'\t'.repeat(9)}\r\n  x`, bytes]
    for (const text of [...odd, ...made]) {
      // Twice: the second time from what is remembered.
      for (let time = 0; time < 2; time++) {
        expect(countTokens(text, 'o200k')).toBe(o200k(text, plain).length)
        expect(countTokens(text, 'cl100k')).toBe(cl100k(text, plain).length)
      }
    }
  })

  test('ends pieces where the expression does, whatever stands beside what', () => {
    const atoms = [
      ...['a', 'B', 'ab', 'CD', 'Ef', '7', '12', '3456', 'ü', 'Ñ', 'ǅ', '٣', '½', 'ß'],
      ...[
        ' ',
        '  ',
        '\t',
        '\n',
        '\r\n',
        '\n\n',
        '\u00a0',
        '\u2028',
        '/',
        '//',
        '.',
        '…',
        '(',
        '))',
        '§',
        '_',
      ],
      ...["'", "'s", "'LL", "'Re", "'v", "'x", '’s', '\u0001', '日', '\u0301', '🙂'],
    ]
    const texts = fc.array(fc.constantFrom(...atoms), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        expect(countTokens(text, 'o200k')).toBe(o200k(text, plain).length)
        if (hasHardLetters(text)) return
        const units = Uint16Array.from(text, (char) => char.charCodeAt(0))
        expect(isPlain(units, text.length)).toBe(true)
        const pieces: string[] = []
        for (let from = 0, to = 0; from < text.length; from = to) {
          to = pieceEnd(units, text.length, from)
          pieces.push(text.slice(from, to))
        }
        expect(pieces).toEqual(text.match(expression) ?? [])
      }),
      { numRuns: 3000 },
    )
  })

  test('chars4 is a quarter of the length, rounded up', () => {
    expect(['', 'a', 'abcd', 'abcde'].map((text) => countTokens(text, 'chars4'))).toEqual([0, 1, 1, 2])
  })

  test('a special token in the text is counted as the text it is', () => {
    expect(countTokens('<|endoftext|>', 'o200k')).toBeGreaterThan(1)
  })

  test('a megabyte of one character, without a space, or of spaces, is counted in linear time', () => {
    const letters = Array.from({ length: 1_000_000 }, (_, n) =>
      String.fromCharCode(97 + ((n * n) % 26)),
    ).join('')
    for (const text of ['a'.repeat(1_000_000), letters, ' '.repeat(1_000_000), '\n'.repeat(1_000_000)]) {
      const tokens = countTokens(text, 'o200k')
      expect(tokens).toBeGreaterThan(0)
      expect(tokens).toBeLessThanOrEqual(1_000_000)
    }
  })

  test('a pair of surrogates at a cut stays whole', () => {
    const emoji = '🙂'.repeat(2_000)
    expect(countTokens(emoji, 'o200k')).toBeLessThanOrEqual(o200k(emoji, plain).length + 16)
    expect(countTokens(`x${emoji}`, 'o200k')).toBeLessThanOrEqual(o200k(`x${emoji}`, plain).length + 16)
  })
})

describe('fitting a text', () => {
  const text =
    'We moved the cache. It was too slow before! Now reads take 2 ms.\nNothing else changed in this step.'

  test('returns a text that fits as it is', () => {
    expect(fitTokens(text, 200, 'o200k')).toBe(text)
  })

  test('ends at the end of a sentence, as late as the budget allows', () => {
    expect(fitTokens(text, 14, 'o200k')).toBe('We moved the cache. It was too slow before!')
    expect(fitTokens(text, 22, 'o200k')).toBe(
      'We moved the cache. It was too slow before! Now reads take 2 ms.',
    )
  })

  test('shows the words that fit when the first sentence does not', () => {
    expect(fitTokens('one two three four five six seven eight nine ten.', 4, 'o200k')).toBe('one two three…')
    expect(fitTokens('x'.repeat(5_000), 4, 'o200k')).toBe('')
    expect(fitTokens(text, 0, 'o200k')).toBe('')
  })

  test('never exceeds the budget, whatever it is', () => {
    for (const tokenizer of ['o200k', 'cl100k', 'chars4'] as const) {
      for (let max = 0; max < 120; max += 7) {
        expect(countTokens(fitTokens(`${text} ${code}`, max, tokenizer), tokenizer)).toBeLessThanOrEqual(max)
      }
    }
  })
})
