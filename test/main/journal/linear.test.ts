import { expect, test } from 'vitest'
import { makeRedactor } from '../../../src/main/journal'
import { rules } from '../../../src/main/journal/redaction/redact'

// Hostile texts for each rule of the redactor: what it looks for, over and over, and begun but never ended. A pattern
// that goes back over them takes hours with the long ones.

const redact = makeRedactor('salt')
const LENGTH = process.env.FOVEA_SOAK ? 5_000_000 : 50_000
/** What the rules' patterns go on over. */
const FILLS = ['a', 'A1', 'a_', '-', '.', ' ', '\n', ' x', '/', ':', '@', '=', '%25', '\\', '"', '|', 'a,']

const repeated = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH)

/** What a text must hold for the rules that have no literals. */
const NAMES = [
  'password',
  'password: ',
  'password is ',
  'my password is ',
  'use the password ',
  'user and password ',
  'use aaaaaa as the ',
  'password for a ',
  'set the password to ',
  '| password | ',
  'user,password\n',
  '<td>password</td><td>',
  'passphrase: ',
  'api_key=',
  'A_PASSWORD=',
  'пароль: ',
  '-----BEGIN PRIVATE KEY-----',
  '[secret:password:0000]',
]
const literals = [...new Set(rules.flatMap((rule) => rule.literals))]

/** Each literal with a few of the endings, each in its turn; the names with all of them. */
const begun: [string, string[]][] = [
  ...literals.map((literal, n): [string, string[]] => [
    literal,
    [0, 6, 12].map((step) => FILLS[(n + step) % FILLS.length] ?? ''),
  ]),
  ...NAMES.map((name): [string, string[]] => [name, FILLS]),
]

test.each(begun)(
  '%j over and over, and then anything over and over',
  (literal, fills) => {
    const texts = [literal, `${literal} `, `${literal}\n`].map(repeated)
    for (const text of [...texts, ...fills.map((fill) => literal + repeated(fill))])
      expect(redact(text).text.length).toBeGreaterThan(0)
  },
  process.env.FOVEA_SOAK ? 1_200_000 : 120_000,
)

test('more secrets in one text than a call takes arguments are all masked', () => {
  const many = 150_000
  const { text, masked } = redact('A_PASSWORD=x9k2m4q7 '.repeat(many))
  expect(masked).toBe(many)
  expect(text).not.toContain('x9k2')
}, 120_000)
