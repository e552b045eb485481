import { createHash } from 'node:crypto'

// Secrets made up from a seed, so that no real-looking one stands in this file.

/** One planted secret: a text around it, and the part no file may hold. */
export interface Canary {
  kind: string
  text: string
  secret: string
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const MIXED = `${LETTERS}0123456789`
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const LOWER = 'abcdefghijkmnpqrstuvwxyz'
const HEX = '0123456789abcdef'
const DIGITS = '0123456789'

export function chars(seed: string, length: number, alphabet = MIXED): string {
  let out = ''
  for (let block = 0; out.length < length; block++) {
    for (const byte of createHash('sha256').update(`${seed} ${block}`).digest()) {
      if (out.length < length) out += alphabet[byte % alphabet.length]
    }
  }
  return out
}
/** What a person takes for a password: letters and figures that change. */
const password = (seed: string): string =>
  `${chars(`${seed}a`, 3, LOWER)}${chars(`${seed}b`, 1, '23456789')}${chars(`${seed}c`, 2, LOWER)}${chars(`${seed}d`, 2, '23456789')}${chars(`${seed}e`, 3, LOWER)}`
const word = (seed: string): string => chars(seed, 13, LOWER)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

type Kind = (seed: string) => string

/** Tokens that carry their maker's mark. */
const TOKENS: Record<string, Kind> = {
  'aws-access-key': (s) => `AKIA${chars(s, 16, UPPER)}`,
  'github-pat': (s) => `ghp_${chars(s, 36)}`,
  'github-fine-pat': (s) => `github_pat_${chars(s, 22)}_${chars(`${s}2`, 59)}`,
  'github-app-token': (s) => `ghs_${chars(s, 36)}`,
  'gitlab-token': (s) => `glpat-${chars(s, 20)}`,
  'slack-token': (s) => `xoxb-${chars(s, 12, DIGITS)}-${chars(`${s}2`, 24)}`,
  'stripe-key': (s) => `sk_live_${chars(s, 24)}`,
  'webhook-secret': (s) => `whsec_${chars(s, 32)}`,
  'anthropic-key': (s) => `sk-ant-api03-${chars(s, 80)}`,
  'openai-key': (s) => `sk-proj-${chars(s, 60)}`,
  'openrouter-key': (s) => `sk-or-v1-${chars(s, 64, HEX)}`,
  'groq-key': (s) => `gsk_${chars(s, 52)}`,
  'google-api-key': (s) => `AIza${chars(s, 35)}`,
  'google-oauth-token': (s) => `ya29.${chars(s, 60)}`,
  'huggingface-token': (s) => `hf_${chars(s, 34, LETTERS)}`,
  'npm-token': (s) => `npm_${chars(s, 36)}`,
  'pypi-token': (s) => `pypi-${chars(s, 60)}`,
  'docker-pat': (s) => `dckr_pat_${chars(s, 27)}`,
  'digitalocean-token': (s) => `dop_v1_${chars(s, 64, HEX)}`,
  'sendgrid-key': (s) => `SG.${chars(s, 22)}.${chars(`${s}2`, 43)}`,
  'telegram-bot-token': (s) => `${chars(s, 10, '123456789')}:AA${chars(`${s}2`, 33)}`,
  'shopify-token': (s) => `shpat_${chars(s, 32, HEX)}`,
  'databricks-token': (s) => `dapi${chars(s, 32, HEX)}`,
  'linear-key': (s) => `lin_api_${chars(s, 40)}`,
  'vault-token': (s) => `hvs.${chars(s, 90)}`,
  'figma-token': (s) => `figd_${chars(s, 40)}`,
  'tailscale-key': (s) => `tskey-auth-${chars(s, 30)}`,
  jwt: (s) => `${base64url({ alg: 'HS256' })}.${base64url({ sub: s })}.${chars(s, 43)}`,
}

/** Secrets known by what stands around them: `§` is the secret's place. */
const AROUND: [kind: string, text: string, secret: Kind][] = [
  ['connection-string', 'postgres://shop:§@db.internal:5432/shop', (s) => chars(s, 14)],
  ['connection-string-escaped', '{\\"url\\": \\"mongodb:\\/\\/shop:§@db\\/shop\\"}', (s) => chars(s, 16)],
  ['connection-string-encoded', 'url=postgres%3A%2F%2Fshop%3A§%40db', (s) => chars(s, 16)],
  ['basic-auth', 'Authorization: Basic §', (s) => base64(`ann:${chars(s, 12)}`)],
  ['bearer-token', 'curl -H "Authorization: Bearer §" https://x', (s) => chars(s, 40)],
  ['header-in-base64', 'header §', (s) => base64(`Authorization: Bearer ghp_${chars(s, 36)}`)],
  ['header-key', 'X-Api-Key: §', (s) => `${chars(s, 16)}7k`],
  ['azure-storage-key', 'AccountName=shop;AccountKey=§;EndpointSuffix=x', (s) => `${chars(s, 86)}==`],
  ['env-password', 'DB_PASSWORD=§', (s) => `${chars(s, 9)}!7k`],
  [
    'env-key',
    'export BILLING_API_KEY=§',
    (s) => `apikey${chars(s, 3, 'JKL')}${chars(`${s}2`, 5, '23456789')}`,
  ],
  ['json-password', '{"password": "§"}', (s) => `${chars(s, 9)}#9`],
  ['json-in-json', '{\\\\\\"client_secret\\\\\\": \\\\\\"§\\\\\\"}', (s) => `${chars(s, 32)}q7`],
  ['code-key', "const apiKey = '§'", (s) => `${chars(s, 30)}7q`],
  ['plain-secret', 'secret = §', password],
  ['pwd', 'pwd: §', password],
  ['pass', 'user ann, pass: §', password],
  ['form', 'user: ann\nPassword: §\nhost: db', word],
  ['spoken', 'my password is §', password],
  ['powershell', "$env:PGPASSWORD = '§'", word],
  ['cmd-set', 'set PGPASSWORD=§', word],
  ['setx', 'setx BILLING_TOKEN §', password],
  ['net-use', 'net use Z: \\\\srv\\share /user:bob §', password],
  ['sql', "CREATE USER bob WITH PASSWORD '§';", word],
  ['sshpass', "sshpass -p '§' ssh ann@h", password],
  ['mysql', 'mysql -u root -p§ shop', password],
  ['curl-user', 'curl -u ann:§ https://x', (s) => chars(s, 12)],
  ['sudo', 'echo § | sudo -S reboot', password],
  ['smb', 'smbclient //srv/share -U ann%§', password],
  ['zip', 'unzip -P § a.zip', password],
  ['passphrase', 'gpg --batch --passphrase § -d f.gpg', password],
  ['securestring', 'ConvertTo-SecureString "§" -AsPlainText -Force', password],
  ['otp', 'otpauth://totp/shop?secret=§&issuer=x', (s) => chars(s, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')],
  [
    'slack-webhook',
    'https://hooks.slack.com/services/§',
    (s) => `T${chars(s, 8, UPPER)}/B${chars(`${s}2`, 8, UPPER)}/${chars(`${s}3`, 24)}`,
  ],
  ['cookie', 'Cookie: session=§', (s) => chars(s, 40)],
  ['private-key', '-----BEGIN RSA PRIVATE KEY-----\n§\n-----END RSA PRIVATE KEY-----', (s) => chars(s, 64)],
  ['private-key-in-base64', 'key-data §', (s) => base64(`-----BEGIN EC PRIVATE KEY-----\n${chars(s, 64)}\n`)],
]

/** Every kind, as often as there are seeds. */
export function canaries(seeds: readonly string[]): Canary[] {
  return seeds.flatMap((seed) => [
    ...Object.entries(TOKENS).map(([kind, make]) => {
      const secret = make(`${seed} ${kind}`)
      return { kind, secret, text: `use ${secret} for it` }
    }),
    ...AROUND.map(([kind, text, make]) => {
      const secret = make(`${seed} ${kind}`)
      return { kind, secret, text: text.replace('§', () => secret) }
    }),
  ])
}

export const KINDS: readonly string[] = [...Object.keys(TOKENS), ...AROUND.map(([kind]) => kind)]

/** The ways in which a file may hold a secret, as the bytes to look for. */
export function writings({ secret }: Canary): Buffer[] {
  const bytes = Buffer.from(secret)
  // Base64 of a longer text holds one of three writings of what lies inside it.
  const within = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return whole.slice(shift === 0 ? 0 : 4, whole.length - 2)
  })
  const texts = [
    secret,
    ...within,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    [...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    secret.replaceAll('/', '\\/'),
  ]
  return [...new Set(texts)].map((text) => Buffer.from(text)).concat(Buffer.from(secret, 'utf16le'))
}
