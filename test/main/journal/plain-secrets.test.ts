import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRedactor } from '../../../src/main/journal'

const redact = makeRedactor('salt')
const uuid = '01234567-89ab-cdef-0123-456789abcdef'
const dsn = '0123456789abcdef'.repeat(2)
const ghp = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const key = 'TFMwdExTMUNSVWRKVGlCU1UwRWdVRkpKVmtGVVJTQkxSVmt0TFMwdExRcE5TVWxG'

const secrets: [text: string, secret: string][] = [
  ['password: tUtBrmgO6grn4y', 'tUtBrmgO6grn4y'],
  ['password: Tr0ub4dor&3', 'Tr0ub4dor&3'],
  ['user: ann\nPassword: correcthorse\nhost: db', 'correcthorse'],
  ['passwd: zq8x7c6v5b', 'zq8x7c6v5b'],
  ['my password is hunter2x', 'hunter2x'],
  ['My password is correcthorse.', 'correcthorse'],
  ['the password for the router is xK9pLm22.', 'xK9pLm22'],
  ['Passwort: sonnenblume7', 'sonnenblume7'],
  ['Mein Passwort ist sonnenblume7', 'sonnenblume7'],
  ['mot de passe : tournesol42', 'tournesol42'],
  ['contraseña: girasol42x', 'girasol42x'],
  ['пароль: подсолнух42', 'подсолнух42'],
  ['Password: 48213377', '48213377'],
  ['PGPASSWORD=correcthorse9 psql', 'correcthorse9'],
  ['PGPASSWORD=zq8x7c6v5b psql -h db', 'zq8x7c6v5b'],
  ['dbPassword: zq8x7c6v5b', 'zq8x7c6v5b'],
  [`HEROKU_API_KEY=${uuid}`, uuid],
  [`export DEPLOY_TOKEN=${uuid}`, uuid],
  [`RAILS_MASTER_KEY="${uuid}"`, uuid],
  ["define('DB_PASSWORD', 'zq8x7c6v5b!');", 'zq8x7c6v5b!'],
  ['define("DB_PASSWORD","tUtBrmgO6grn4y")', 'tUtBrmgO6grn4y'],
  ['mysql -u root -pzq8x7c6v shop', 'zq8x7c6v'],
  ["mysqldump -uroot -p'zq8x7c6v' shop", 'zq8x7c6v'],
  ["sshpass -p 'zq8x7c' ssh ann@h", 'zq8x7c'],
  ['redis-cli -h cache -a zq8x7c6v ping', 'zq8x7c6v'],
  ['curl -u ann:zq8x7c https://x', 'zq8x7c'],
  ['curl -uann:zq8x7c https://x', 'zq8x7c'],
  ["curl --user 'ann:zq8x7c' https://x", 'zq8x7c'],
  ['Authorization: token 0a1b2c3d4e5f', '0a1b2c3d4e5f'],
  ['Authorization: Basic YW5uOng=', 'YW5uOng='],
  ['"authorization": "Bearer a1b2c3d4e5"', 'a1b2c3d4e5'],
  [`{"auths":{"r.io":{"auth": "${Buffer.from('ann:zq8x7c6v').toString('base64')}"}}}`, 'YW5uOnpxOHg3YzZ2'],
  [`    client-key-data: ${key}==`, key],
  [`dsn: "https://${dsn}@o123.ingest.sentry.io/4501"`, dsn],
  ['postgresql://ann:pa/ss9word9@h/db', 'pa/ss9word9'],
  ['mongodb://u:x9@y9@z9@host/db', 'x9@y9@z9'],
  [`x_${ghp}`, ghp],
  [`_${ghp}`, ghp],
  [`TOKEN${ghp}`, ghp],
]
test.each(secrets)('a secret is not stored unmasked: %s', (text, secret) => {
  const out = redact(text).text
  expect(out).not.toContain(secret)
  for (const part of secret.split(/[@/&!]/)) if (part.length > 2) expect(out).not.toContain(part)
  expect(redact(out)).toEqual({ text: out, masked: 0 })
})

const innocent = [
  'password: string',
  'password: str',
  'password: str | None = None',
  'password = getpass()',
  'password = getpass.getpass("Password: ")',
  'password: required',
  'password: null',
  'password: $' + '{DB_PASSWORD}',
  'password: <your password>',
  'password: hashedPassword,',
  'password: newPassword',
  'password: password2,',
  'password: body.password',
  'password: z.string().min(8)',
  'password: sha256(value)',
  'password: encrypted',
  'password: sha256',
  'password: base64',
  "label: 'Password', type: 'password'",
  '<input type="password" name="password" autocomplete="current-password">',
  'Password: enter the one you were given',
  'the password is required and the password is incorrect',
  'the password is stored in vault9 and password is user2',
  'my password is wrong',
  'pass: 12 fail: 0',
  'pass: 120ms',
  '--- PASS: TestLogin/with_2_users (0.00s)',
  'a minimal config with basic requirements and basic printer/nozzle settings',
  'tests passed: 1234567, compass: north123',
  'pwd: /srv/shop2',
  "const keys = ['password', 'email2x', 'name']",
  "t('password', 'Passwort9')".replace('9', ''),
  `request_id=${uuid} TRACE_ID=${uuid} session_token_id = ${uuid}`,
  `id: ${uuid}`,
  'CACHE_KEY=user-profile-v2-12345678901234',
  'PUBLIC_KEY=ab12cd34ef56ab12cd34',
  'mysql --port 3306 -P 3307 -h db',
  'mysql -u root -p shop',
  'curl -u "$USER:$PASS" https://x',
  'Authorization: Bearer <token>',
  'Authorization: Bearer YOUR_TOKEN',
  'Authorization: Bearer $' + '{token}',
  'Authorization: token your-token-here',
  '"auth": "required"',
  'redis://cache:6379/0 postgres://db:5432/shop and ann@example.com',
  'postgres://db:5432/a@b',
  'https://example.com:8080/a@b',
  'nextPageToken: CAUQAA',
  'max_tokens: 4096',
]
test.each(innocent)('what is no secret stays as it is: %s', (text) => {
  expect(redact(text).text).toBe(text)
})

test('the patterns for plain passwords are linear on hostile text', () => {
  const evil = ['my password is '.repeat(60_000), 'password for a b '.repeat(60_000), 'A_'.repeat(400_000)]
  evil.push(
    'mysql -p '.repeat(80_000),
    'mysql '.repeat(150_000),
    'redis-cli '.repeat(80_000),
    'curl '.repeat(150_000),
  )
  evil.push(
    'postgres://a:'.repeat(60_000),
    `postgres://a:${'@'.repeat(500_000)}`,
    'https://a:b@'.repeat(60_000),
  )
  evil.push(
    'authorization: bearer '.repeat(40_000),
    '"auth": "'.repeat(80_000),
    `${'A'.repeat(800_000)}password`,
  )
  evil.push(
    'password:password:'.repeat(50_000),
    'пароль: '.repeat(100_000),
    `client-key-data: ${key.repeat(9_000)}`,
  )
  for (const text of evil) expect(redact(text).text.length).toBeGreaterThan(0)
}, 60_000)

/** This repository's own code and lock file: nothing in them is a secret but what the tests make up. */
test('code and lock files get no mark', () => {
  const root = resolve(import.meta.dirname, '../../..')
  const marked: string[] = []
  const look = (path: string): void => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) look(join(path, name))
    else if (/\.(?:tsx?|json|md|css|html)$/.test(path)) {
      const out = redact(readFileSync(path, 'utf8')).text
      for (const found of out.match(/.{0,60}\[secret:[a-z-]+:[0-9a-f]{4}\].{0,20}/g) ?? [])
        marked.push(`${path}: ${found}`)
    }
  }
  for (const part of ['src', 'package-lock.json', 'package.json'])
    if (existsSync(join(root, part))) look(join(root, part))
  expect(marked).toEqual([])
})

describe('a key', () => {
  const made = (head: string, alphabet: string, length: number): string =>
    head + Array.from({ length }, (_, n) => alphabet[(n * 7 + 3) % alphabet.length]).join('')
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const keys = [
    made('AKIA', upper, 16),
    made('npm_', `${letters}0123456789`, 36),
    made('AIza', `${letters}0123456789`, 35),
    made('hf_', letters, 34),
    made('hvs.', `${letters}0123456789`, 90),
    made('dapi', '0123456789abcdef', 32),
    made('GOCSPX-', letters, 28),
    made('gsk_', `${letters}0123456789`, 52),
    made('lin_api_', `${letters}0123456789`, 40),
    made('dop_v1_', '0123456789abcdef', 64),
  ]
  test.each(keys)('is found behind a dash, an underscore and in a name: %s', (secret) => {
    for (const text of [
      `-${secret}\n+${secret}`,
      `TOKEN_${secret}`,
      `/keys/key-${secret}.txt`,
      `token-${secret} and`,
    ])
      expect(redact(text).text).not.toContain(secret)
  })

  test('is found where a command goes on in the next line', () => {
    const secret = made('ghp_', `${letters}0123456789`, 36)
    const { text } = redact(`printf '%s' ${secret.slice(0, 20)}\\\n${secret.slice(20)} done`)
    expect(text).not.toContain(secret.slice(20))
    expect(text).toMatch(/^printf '%s' \[secret:github-pat:[0-9a-f]{4}\] done$/)
  })

  test('is found in a line of .pgpass and in a file named after an address', () => {
    expect(redact('db.internal:5432:app:admin:hunterhunter22').text).toMatch(/admin:\[secret:/)
    expect(redact('Read /tmp/postgres:__admin:hunterhunter22@db.internal:5432_app').text).not.toContain(
      'hunter',
    )
    const plain = 'ports: "127.0.0.1:5432:5432" and src/a.ts:5432:12: undefined'
    expect(redact(plain).text).toBe(plain)
  })
})
