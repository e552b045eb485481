import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dumpLines, makeRedactor } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { ingest, items, jsonl, openJournal, put, scribe } from './transcripts'

const redact = makeRedactor('salt')

/** Seeded letters and digits, so that no real-looking secret stands in this file. */
function chars(
  seed: string,
  length: number,
  alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
): string {
  let out = ''
  for (let block = 0; out.length < length; block++) {
    for (const byte of createHash('sha256').update(`${seed}${block}`).digest()) {
      if (out.length < length) out += alphabet[byte % alphabet.length]
    }
  }
  return out
}
const HEX = '0123456789abcdef'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const b64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** kind → a text around the secret, and the secret itself. */
function canaries(seed: string): { kind: string; text: string; secret: string }[] {
  const plain: Record<string, string> = {
    'aws-access-key': `AKIA${chars(seed, 16, UPPER)}`,
    'github-pat': `ghp_${chars(seed, 36)}`,
    'github-oauth': `gho_${chars(seed, 36)}`,
    'github-app-token': `ghs_${chars(seed, 36)}`,
    'github-refresh-token': `ghr_${chars(seed, 36)}`,
    'gitlab-token': `glpat-${chars(seed, 20)}`,
    'slack-token': `xoxb-${chars(seed, 12, '0123456789')}-${chars(seed, 24)}`,
    'slack-app-token': `xapp-1-${chars(seed, 30, UPPER)}`,
    'stripe-key': `sk_live_${chars(seed, 24)}`,
    'webhook-secret': `whsec_${chars(seed, 32)}`,
    'anthropic-key': `sk-ant-api03-${chars(seed, 80)}`,
    'openai-key': `sk-proj-${chars(seed, 60)}`,
    'openrouter-key': `sk-or-v1-${chars(seed, 64, HEX)}`,
    'groq-key': `gsk_${chars(seed, 52)}`,
    'google-api-key': `AIza${chars(seed, 35)}`,
    'google-oauth-secret': `GOCSPX-${chars(seed, 28)}`,
    'google-oauth-token': `ya29.${chars(seed, 60)}`,
    'huggingface-token': `hf_${chars(seed, 34, LETTERS)}`,
    'replicate-token': `r8_${chars(seed, 37)}`,
    'npm-token': `npm_${chars(seed, 36)}`,
    'pypi-token': `pypi-${chars(seed, 60)}`,
    'docker-pat': `dckr_pat_${chars(seed, 27)}`,
    'digitalocean-token': `dop_v1_${chars(seed, 64, HEX)}`,
    'sendgrid-key': `SG.${chars(seed, 22)}.${chars(`${seed}2`, 43)}`,
    'mailgun-key': `key-${chars(seed, 32, HEX)}`,
    'mailchimp-key': `${chars(seed, 32, HEX)}-us12`,
    'twilio-key': `SK${chars(seed, 32, HEX)}`,
    'telegram-bot-token': `${chars(seed, 10, '123456789')}:AA${chars(seed, 33)}`,
    'shopify-token': `shpat_${chars(seed, 32, HEX)}`,
    'square-token': `sq0atp-${chars(seed, 22)}`,
    'databricks-token': `dapi${chars(seed, 32, HEX)}`,
    'linear-key': `lin_api_${chars(seed, 40)}`,
    'notion-token': `ntn_${chars(seed, 46)}`,
    'postman-key': `PMAK-${chars(seed, 24, HEX)}-${chars(`${seed}2`, 34, HEX)}`,
    'newrelic-key': `NRAK-${chars(seed, 27, UPPER)}`,
    'grafana-token': `glsa_${chars(seed, 32)}_${chars(seed, 8, HEX)}`,
    'vault-token': `hvs.${chars(seed, 90)}`,
    'supabase-key': `sbp_${chars(seed, 40, HEX)}`,
    'figma-token': `figd_${chars(seed, 40)}`,
    'planetscale-token': `pscale_tkn_${chars(seed, 43)}`,
    'doppler-token': `dp.pt.${chars(seed, 43)}`,
    'tailscale-key': `tskey-auth-${chars(seed, 30)}`,
    jwt: `${b64url({ alg: 'HS256' })}.${b64url({ sub: seed })}.${chars(seed, 43)}`,
  }
  const around: [string, string, string][] = [
    ['connection-string', `postgres://shop:PW@db.internal:5432/shop`, chars(seed, 14)],
    ['connection-string', `redis://:PW@cache:6379`, chars(`${seed}r`, 20)],
    ['basic-auth', `Authorization: Basic PW`, Buffer.from(`ann:${chars(seed, 12)}`).toString('base64')],
    ['bearer-token', `curl -H "Authorization: Bearer PW" https://x`, chars(seed, 40)],
    ['azure-storage-key', `AccountName=shop;AccountKey=PW;EndpointSuffix=x`, `${chars(seed, 86)}==`],
    ['password', `DB_PASSWORD=PW`, `${chars(seed, 9)}!7k`],
    ['password', `{"password": "PW"}`, `${chars(seed, 9)}#9`],
    ['api-key', `const apiKey = 'PW'`, chars(`${seed}9`, 32)],
    ['secret', `client_secret: "PW"`, chars(`${seed}8`, 40)],
    ['curl-user', `curl -u ann:PW https://x`, chars(seed, 12)],
    [
      'slack-webhook',
      `https://PW`,
      `hooks.slack.com/services/T${chars(seed, 8, UPPER)}/B${chars(seed, 8, UPPER)}/${chars(seed, 24)}`,
    ],
    [
      'private-key',
      'PW',
      `-----BEGIN RSA PRIVATE KEY-----\n${chars(seed, 64)}\n${chars(`${seed}2`, 64)}\n-----END RSA PRIVATE KEY-----`,
    ],
  ]
  return [
    ...Object.entries(plain).map(([kind, secret]) => ({ kind, secret, text: `use ${secret} for it` })),
    ...around.map(([kind, text, secret]) => ({ kind, secret, text: text.replace('PW', secret) })),
  ]
}

describe('the redactor', () => {
  test.each(canaries('one'))('masks $kind', ({ kind, text, secret }) => {
    const { text: out, masked } = redact(text)
    expect(out).not.toContain(secret)
    expect(out).toMatch(/\[secret:[a-z0-9-]+:[0-9a-f]{4}\]/)
    expect(masked).toBe(1)
    if (!['password', 'api-key', 'secret'].includes(kind)) expect(out).toContain(`[secret:${kind}:`)
  })

  test('a secret is found where JSON, a shell or a URL stands around it', () => {
    const secret = `ghp_${chars('x', 36)}`
    for (const text of [
      `"${secret}"`,
      `\\"${secret}\\"`,
      `export T=${secret};`,
      `https://${secret}@github.com/a/b`,
      `(${secret})`,
      `>${secret}<`,
    ]) {
      expect(redact(text).text, text).not.toContain(secret)
    }
  })

  test('the same secret has the same mark, another installation another one', () => {
    const text = `a ghp_${chars('x', 36)} b`
    expect(redact(text).text).toBe(redact(text).text)
    expect(makeRedactor('other')(text).text).not.toBe(redact(text).text)
  })

  test('what is masked is not masked again', () => {
    for (const { text } of canaries('two')) {
      const once = redact(text).text
      expect(redact(once)).toEqual({ text: once, masked: 0 })
    }
  })

  test('code, hashes, ids and lock files stay as they are', () => {
    const innocent = [
      'const token = await getToken(user)',
      'password: string',
      'type Props = { password: string; secret?: Buffer }',
      "if (password !== confirmPassword) throw new Error('passwords differ')",
      'apiKey: process.env.API_KEY',
      'basic temperature/retraction settings',
      'TOKEN=$GITHUB_TOKEN',
      'api_key = os.environ["API_KEY"]',
      'Authorization: Bearer ${token}',
      'the password is required',
      'commit 3f786850e387550fdab836ed7e6dc881de23001b',
      '"integrity": "sha512-Xw0fOPo7cWzAqJm7sO3uYhY2yYyWmJk7vSxHjJHq9f4k1d8L1b5Pp5uQnqk2yFv5mN2m7K8r9f1B2c3D4e5F6g==",',
      'id: 6f1ed002-ab5e-4bd1-b6a0-0d1b3c2a4f5e',
      'session_token_id = 6f1ed002-ab5e-4bd1-b6a0-0d1b3c2a4f5e',
      'https://example.com/a:b@2x.png and user@example.com',
      'tokens: 48606, cache_read_input_tokens: 120',
      'const secretKey = readFileSync(path)',
      'password = "<your password>"',
      'PASSWORD=changeme',
      'secret: ${{ secrets.NPM_TOKEN }}',
      'function maskToken(token) { return token.slice(0, 4) }',
      'sk-estimator-of-the-year and AKIA is a prefix',
      'toolu_01QsjUKj2qiHGGqN8tpRTCRh msg_01QsjUKj2qiHGGqN8tpRTCRh req_011CXMezoTaXHzoFxqTbESih',
      'go.sum: golang.org/x/sys v0.1.0 h1:kunALQeHf1/185U1i0GOB/fy1IPRDDpuoOOqRReG57U=',
    ]
    for (const text of innocent) expect(redact(text).text).toBe(text)
  })

  test('long hostile texts take no noticeable time', () => {
    const evil = [
      'a'.repeat(1_000_000),
      'password='.repeat(100_000),
      'a_'.repeat(500_000),
      'eyJ'.repeat(300_000),
      `-----BEGIN PRIVATE KEY-----${'A'.repeat(1_000_000)}`,
      '://:'.repeat(250_000),
      'sk-'.repeat(300_000),
    ]
    for (const text of evil) expect(redact(text).text.length).toBeGreaterThan(0)
  }, 20_000)
})

test('secrets planted in every field of every format are in no file of the data folder', async () => {
  const planted = canaries('planted')
  const at = (n: number): string => planted[n % planted.length]?.text ?? ''
  const s = scribe('S1', { extra: { gitBranch: at(1) } })
  for (const [n, { text }] of planted.entries()) {
    s.user(`please use ${text}`)
    s.said(`I use ${text}`)
    s.call(`c${n}`, 'Bash', { command: `run ${text}`, description: text })
    s.result(`c${n}`, n % 2 ? `Exit code 1\n${text}` : text, n % 2 ? { isError: true } : {})
    s.call(`e${n}`, 'Edit', { file_path: `/srv/${text}/x`, old_string: text, new_string: `${text}!` })
    s.result(`e${n}`, 'ok')
    s.call(`w${n}`, 'Write', { file_path: '/srv/x', content: JSON.stringify({ nested: text }) })
    s.call(`p${n}`, 'ExitPlanMode', { plan: `# Plan\n${text}`, planFilePath: text })
    s.result(
      `p${n}`,
      `The user doesn't want to proceed. To tell you how to proceed, the user said:\n${text}`,
      { isError: true },
    )
    s.call(`m${n}`, 'mcp__x__y', { key: text })
    s.call(`q${n}`, 'AskUserQuestion', {})
    s.result(`q${n}`, 'x', { toolUseResult: { answers: { [text]: text } } })
    s.add({ type: 'custom-title', sessionId: 'S1', customTitle: text })
  }
  const folder = temporaryFolder()
  put(join(folder, 'S1.jsonl'), s.text())
  put(
    join(folder, 'g.jsonl'),
    jsonl(
      planted.map(({ text }, n) => ({
        id: text,
        session: `g${n} ${text}`,
        role: 'user',
        name: text,
        text,
        goal: text,
        project: text,
      })),
    ),
  )
  const { db, journal } = openJournal()
  const report = await ingest(journal, folder)
  expect(report.records.errors).toBe(0)
  expect(report.masked).toBeGreaterThan(planted.length * 10)
  const files = readdirSync(join(db.path, '..')).map((name) => readFileSync(join(db.path, '..', name)))
  const bytes = Buffer.concat([...files, Buffer.from([...dumpLines(db)].join('\n'))])
  const found = planted.filter(({ secret }) => bytes.includes(secret.slice(0, 60)))
  expect(found.map(({ kind }) => kind)).toEqual([])
})

const real = resolve(
  process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared'),
  'data/transcripts',
)

test.skipIf(!existsSync(real))('real transcripts: less than one mark in ten thousand items', async () => {
  const { db, journal } = openJournal()
  for (const agent of ['claude-code', 'codex', 'gemini-cli']) await ingest(journal, join(real, agent))
  const marked = items(db).filter((item) => /\[secret:/.test(JSON.stringify(item)))
  expect(marked.map((item) => item.text.match(/.{0,60}\[secret:.{0,30}/)?.[0])).toEqual([])
})
