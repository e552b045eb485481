import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../../bench/lib/corpus.mjs'
import { makeRedactor, rules } from '../../../src/main/journal/redaction/redact'
import type { Sight } from '../../../src/main/journal/redaction/sight'

// A look over a text spares it the patterns that cannot find anything. What is masked must be the same as when nothing
// is spared: so texts of every make go both ways.

/** What a look tells that takes its time: each literal is searched for, and whatever is not a literal may be there. */
function thorough(text: string): Sight {
  const places = rules.map((rule) => {
    const found = rule.literals.map((literal) => text.indexOf(literal)).filter((at) => at >= 0)
    return { rule, at: found.length === 0 ? -1 : rule.ahead ? 0 : Math.min(...found) + 1 }
  })
  const there = places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)
  return { rules: there.map(({ rule }) => rule), names: true, base64: true, escapes: true }
}

const quick = makeRedactor('salt')
const slow = makeRedactor('salt', thorough)

const seeded = randomFrom(20)
const below = (n: number): number => Math.floor(seeded() * n)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const chars = (length: number, from = LETTERS): string =>
  Array.from({ length }, () => from.charAt(below(from.length))).join('')

const literals = rules.flatMap((rule) => rule.literals).filter((literal) => literal !== '.')
const NAMES =
  `password|DB_PASSWORD|apiKey|API_KEY|client-secret|x.access_token|pw|PSK|credentials|passphrase|Passwort|пароль|ПАРОЛЬ|
hasło|HASŁO|密码|パスワード|비밀번호|senha|şifre|lösenord|my password is|set the password to|mnemonic|seed phrase|bearer|
token_prod|master-key-v2|contraseña|ENV API_TOKEN|setx MY_KEY|Authorization: Bearer|:_authToken|:_password|curl -u ann:|
mysql -u root -p|7z a -p|postgres://ann:|"auth"`.split(/\|\n?/)
const SIGNS = [
  '=',
  ': ',
  ' = ',
  '":"',
  '": "',
  "' => '",
  ', "',
  '", "',
  ' := ',
  '\t',
  ' | ',
  ' ',
  '\\": \\"',
  '%3D',
  '**: ',
]
const JOINTS = ['\n', ' ', '\\', '%20', '"', '—', 'Ж', '\u2028', '\ud800', '|', '/', '.', ',', '(', '```', '']

const secret = (): string =>
  pick([
    () => chars(6 + below(40)),
    () => chars(32, '0123456789abcdef'),
    () => `CorrectHorse${chars(2, '0123456789')}`,
    () => `M${chars(25)}.${chars(6)}.${chars(30)}`,
    () => Buffer.from(`password: ${chars(14)}`).toString('base64'),
    () => Buffer.from(`{"api_key":"sk-ant-${chars(30)}"}`).toString('base64url'),
    () => '[secret:token:1234]',
    () => `ghp_${chars(36)}`,
  ])()

const bit = (): string =>
  pick([
    () => pick(literals) + secret(),
    () => `${pick(literals)} ${secret()}`,
    () => pick(NAMES) + pick(SIGNS) + secret() + pick(['"', "'", '', '\n', '\\n', ' |']),
    () => pick(JOINTS),
    () => `| user | password |\n|---|---|\n| ann | ${secret()} |\n`,
    () => `${chars(below(30))} `,
  ])()

const made = (): string => Array.from({ length: 1 + below(12) }, bit).join('')

function changed(given: string): string {
  let text = given
  for (let left = below(5); left > 0; left--) {
    const at = below(text.length + 1)
    text = text.slice(0, at) + bit() + text.slice(at + below(4))
  }
  if (below(6) === 0) text = JSON.stringify(text)
  return below(12) === 0 ? Buffer.from(text).toString('base64') : text
}

test('texts made of literals, names, signs and secrets are masked the same however they are looked at', () => {
  let masked = 0
  for (let n = 0; n < 1_000; n++) {
    const text = n % 3 === 0 ? changed(made()) : made()
    const expected = slow(text)
    expect(quick(text), JSON.stringify(text)).toEqual(expected)
    masked += expected.masked
  }
  // There was something to find.
  expect(masked).toBeGreaterThan(600)
})

test('a literal that the end of a block cuts, and one at the very end, are seen', () => {
  const token = `ghp_${chars(36)}`
  for (const before of [16_380, 16_381, 16_382, 16_383, 16_384, 32_766, 40_000]) {
    for (const text of [`${' '.repeat(before)}${token}`, `${'é'.repeat(before)} ${token}\n`]) {
      expect(quick(text).masked).toBe(1)
      expect(quick(text)).toEqual(slow(text))
    }
  }
})

const shared = process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared')
const folder = resolve(shared, 'data/transcripts')

function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (value !== null && typeof value === 'object')
    for (const inner of Object.values(value)) yield* strings(inner)
}

function records(text: string): unknown[] {
  return text
    .split('\n')
    .slice(0, 400)
    .map((line): unknown => {
      try {
        return JSON.parse(line)
      } catch {
        return line
      }
    })
}

describe.skipIf(!existsSync(folder))('real transcripts', () => {
  test('texts from all over them, as they are and with something put into them, are masked the same', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    )
    const texts = new Set<string>()
    for (const file of files)
      for (const record of records(readFileSync(join(folder, file), 'utf8')))
        for (const text of strings(record)) if (text.length < 20_000) texts.add(text)
    expect(texts.size).toBeGreaterThan(1_000)
    for (const [n, text] of [...texts].entries()) {
      if (n % 16 !== 0) continue
      const part = changed(text.slice(0, 3_000))
      expect(quick(text)).toEqual(slow(text))
      expect(quick(part), JSON.stringify(part)).toEqual(slow(part))
    }
  }, 120_000)
})
