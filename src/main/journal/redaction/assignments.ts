import { findForms } from './forms'
import { type Line, lineOf } from './line'
import {
  entropy,
  isFormWord,
  isLoneWord,
  isPasswordLike,
  isPlainPassword,
  isRandom,
  isShortPassword,
  isShortToken,
  isSpokenPassword,
  MEMBER,
  PLACEHOLDER,
  UUID,
} from './passwords'

// `password = "…"`, `API_KEY=…`, `"client_secret": "…"`: the value is a secret when the name says so and the value
// looks like one, not like code, a placeholder, a hash or an id.

const KEY =
  /(?<![A-Za-z0-9])((?:[A-Za-z0-9]{1,30}[_.-]){0,5}(?:[A-Za-z0-9]{0,20}?(?:password|passwd|passphrase)|pass(?:code)?|pwd|pw|pword|psk|secret|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|private[_-]?key|secret[_-]?key|client[_-]?secret|signing[_-]?key|encryption[_-]?key|master[_-]?key|account[_-]?key|credentials?|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer)(?:[_-](?:key|token|value|secret|prod|production|dev|staging|test|v?\d)){0,2})(\\?["']?)(\s{0,3}(?:=>|:=|==?|:|,)\s{0,3})(?:(\\?["'`])([^"'`\\\r\n]{4,400})\4|([^\s"'`,;(){}[\]<>\\|]{6,400}))/gi
/** An environment's names end in what they are. */
const ENVIRONMENT =
  /(?<![A-Za-z0-9_])((?:[A-Z0-9]{1,30}_){1,6}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD))\s?=\s?["']?([^\s"'`,;(){}[\]<>\\|&]{8,400})/g
const NO_SECRET_KEY =
  /(?:^|_)(?:PUBLIC|CACHE|PRIMARY|FOREIGN|PARTITION|SORT|IDEMPOTENCY|PUBLISHABLE|ANON|REGISTRY|HOST|S3|OBJECT|STORAGE|QUERY|HOT|SESSION)_KEY$/
/** The word for it in other languages, also for what it is: "Passwort fürs WLAN: …", "密码是…". */
const ELSEWHERE =
  /(?:(?:passwort|kennwort|mot de passe|contrase(?:ñ|n\u0303|n)a|senha|пароль|hasło|wachtwoord|lösenord|şifre|密码|密碼|パスワード|비밀번호)["']?|(?<![A-Za-z0-9])(?:password|passwort|kennwort|mot de passe|contraseña|senha)\s{1,3}(?:for|of|für|fürs|du|de|del|do|da|para)\s{1,3}[^\s:=：]{1,40}(?:\s{1,3}[^\s:=：]{1,40}){0,2})(?:\s{0,3}[:=：]\s{0,3}|(?<=[码碼ド호])\s{0,3}[是为為は]\s{0,3})["'`]?([^\s"'`,;(){}[\]<>\\|]{6,400})/giu
/** "my password is …" */
const SPOKEN =
  /(?<![A-Za-z0-9])(my\s{1,3}|mein\s{1,3}|mon\s{1,3})?(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|mot de passe|contraseña|senha|hasło|lösenord|пароль)(?:\s{1,3}(?:for|to|of|von|für|de|para)\s{1,3}[^\s]{1,40}(?:\s{1,3}[^\s]{1,40})?)?\s{1,3}(is|was|ist|war|lautet|est|es|è|é|jest|är|это|-|—)\s{1,3}(["'`]?)([^\s"'`,;(){}[\]<>\\|]{6,400})/giu
/** "with the password …", "and password …", "set the password to …", `password "…"` */
const LOOSE =
  /(?:(?:(?:\b(?:with|using|use|and|or|for)|,)\s{1,3}(?:(?:the|my|this|our)\s{1,3})?(?:password|passwd|passphrase|passcode)\s{1,3}|\b(?:set|changed?|reset|updated?)\s{1,3}(?:the\s{1,3}|my\s{1,3}|your\s{1,3})?(?:\w{1,20}\s{1,3})?(?:password|passphrase|passcode)\s{1,3}to\s{1,3})(["'`]?)|\b(?:password|passphrase|passcode)\s{1,3}(["']))([^\s"'`,;(){}[\]<>\\|]{6,400})/gi

/** "use … as the password" */
const AS_PASSWORD =
  /\b(?:use|using|set|enter|type|with)\s{1,3}(["'`]?)([^\s"'`,;(){}[\]<>\\|]{6,400})["'`]?\s{1,3}as\s{1,3}(?:the|my|your|a|its|our)\s{1,3}(?:\w{1,20}\s{1,3})?(?:password|passphrase|passcode)\b/gi

/** What must be in a text (in any case) before the patterns are tried. */
export const assignmentHints =
  /pass|pwd|pword|psk|mnemonic|(?:seed|recovery)[ _-]?phrase|(?<![A-Za-z0-9])pw["'\s:=]|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing|encryption|master[_-]?key|account[_-]?key|credential|bearer|_KEY|kennwort|contrase|senha|пароль|hasło|wachtwoord|lösenord|şifre|密码|密碼|パスワード|비밀번호/i

/** ASCII words in lower case one of which is in every text that the hints above find something in. */
export const assignmentNames = [
  ...['pass', 'pwd', 'pword', 'psk', 'mnemonic', 'phrase', 'pw', 'secret', 'token', 'signing', 'encryption'],
  ...['credential', 'bearer', '_key', 'kennwort', 'contrase', 'senha', 'wachtwoord'],
  ...['api', 'access', 'auth', 'private', 'master', 'account'].flatMap((of) => [
    `${of}k`,
    `${of}_k`,
    `${of}-k`,
  ]),
]

/**
 * The end of a name that is followed by what may assign to it. Looking for it first costs a tenth of looking for KEY,
 * whose beginning may stand anywhere.
 */
const ASSIGNED =
  /(?:pass(?:word|wd|phrase|code)?|pw(?:d|ord)?|psk|secret|token|key|credentials?|bearer)(?:[_-](?:key|token|value|secret|prod|production|dev|staging|test|v?\d)){0,2}(?:\\?["']?\s{0,3}[=:]|\\?["']\s{0,3},)/gi
/** Characters of a name before the word that ASSIGNED begins with, at most: five parts and what is joined to it. */
const REACH = 200
const IN_ENVIRONMENT = /_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD)\s?=/

const SAYS_PASSWORD =
  /pass(?:wor|wd|phrase|[ _-]phrase|code|\W)|pwd|\bpw\b|mnemonic|phrase|mot de passe|kennwort|contrase|senha|пароль|hasło|wachtwoord|lösenord|şifre|密码|密碼|パスワード|비밀번호/i

export interface Assignment {
  start: number
  end: number
  kind: string
}

/** Places of values that are secrets, as `[start, end)` in the text. */
export function findAssignments(text: string): Assignment[] {
  const found: Assignment[] = []
  findNamed(text, found)
  if (IN_ENVIRONMENT.test(text)) findInEnvironment(text, found)
  if (SAYS_PASSWORD.test(text)) findPasswords(text, found)
  return found
}

function findNamed(text: string, found: Assignment[]): void {
  KEY.lastIndex = 0
  for (let match = nextNamed(text); match; match = nextNamed(text)) {
    const quoted = match[5]
    const whole = quoted ?? match[6] ?? ''
    const value = quoted ?? ended(whole)
    const key = (match[1] ?? '').toLowerCase()
    const before = match[0].length - whole.length - (quoted === undefined ? 0 : (match[4]?.length ?? 0))
    const start = match.index + before
    if (isSecret({ text, key, value, start, at: match.index, match, quoted: quoted !== undefined })) {
      found.push({ start, end: start + value.length, kind: isPasswordKey(key) ? 'password' : kindOf(key) })
    } else KEY.lastIndex = start
  }
}

/** The next match of KEY that may be one; what it passes over is followed by no sign that counts. */
function nextNamed(text: string): RegExpExecArray | null {
  ASSIGNED.lastIndex = KEY.lastIndex
  const end = ASSIGNED.exec(text)
  if (!end) return null
  KEY.lastIndex = Math.max(KEY.lastIndex, end.index - REACH)
  return KEY.exec(text)
}

function findInEnvironment(text: string, found: Assignment[]): void {
  for (const { index, 0: all, 1: name = '', 2: whole = '' } of text.matchAll(ENVIRONMENT)) {
    const value = ended(whole)
    if (NO_SECRET_KEY.test(name) || PLACEHOLDER.test(value) || !(UUID.test(value) || isShortToken(value)))
      continue
    const start = index + all.length - whole.length
    found.push({ start, end: start + value.length, kind: kindOf(name.toLowerCase()) })
  }
}

/** Passwords that no `name=value` of code tells: of other languages, in sentences, on pages. */
function findPasswords(text: string, found: Assignment[]): void {
  for (const match of text.matchAll(ELSEWHERE)) {
    const value = ended(match[1] ?? '')
    const start = match.index + match[0].length - (match[1] ?? '').length
    if (isPlainPassword(value, lineOf(text, match.index, start, value)))
      found.push({ start, end: start + value.length, kind: 'password' })
  }
  for (const match of text.matchAll(SPOKEN)) {
    const [all, own, verb = '', quote = '', whole = ''] = match
    spoken(text, found, { at: match.index + all.length, whole, own, quote, loose: /[-—]/.test(verb) })
  }
  for (const match of text.matchAll(LOOSE)) {
    const [all, quote, other = '', whole = ''] = match
    const used = USED.test(all)
    spoken(text, found, { at: match.index + all.length, whole, quote: quote ?? other, loose: true, used })
  }
  for (const { index, 0: all, 1: quote = '', 2: whole = '' } of text.matchAll(AS_PASSWORD)) {
    const at = index + all.indexOf(whole, 3) + whole.length
    spoken(text, found, { at, whole, quote, loose: true })
  }
  for (const form of findForms(text)) found.push(form)
}

/** Not any password: one that is named. */
const USED = /^(?:with|using|use)\s{1,3}(?:the|my|this|our)\s/i

interface Said {
  /** Where the value ends. */
  at: number
  whole: string
  own?: string | undefined
  quote: string
  loose: boolean
  used?: boolean
}

function spoken(
  text: string,
  found: Assignment[],
  { at, whole, own, quote, loose, used = false }: Said,
): void {
  const value = whole.replace(/[.!?]+$/, '')
  const start = at - whole.length
  const end = start + value.length
  const next = text.slice(end, end + 8)
  if (isSpokenPassword({ value, own: own !== undefined, quote, next, loose, used }))
    found.push({ start, end, kind: 'password' })
}

const isPasswordKey = (key: string): boolean => /pass|pwd|pword|psk|(?:^|[_.-])pw$/.test(key)

const kindOf = (key: string): string =>
  /token|bearer/.test(key)
    ? 'token'
    : /key/.test(key)
      ? 'api-key'
      : isPasswordKey(key)
        ? 'password'
        : 'secret'

/** A value without quotes ends where a query's next field or a shell's next command begins. */
function ended(value: string): string {
  const next = /&(?:&|amp;|[\w.-]{1,40}=)/.exec(value)
  // A sentence may end behind it, or the name of a file.
  return (next ? value.slice(0, next.index) : value)
    .replace(/[.!?:]+$/, '')
    .replace(/\.(?:md|[cm]?[jt]sx?|jsonl?|txt|log|ya?ml|py|sh|html?)$/, '')
}

interface Candidate {
  text: string
  key: string
  value: string
  start: number
  at: number
  match: RegExpExecArray
  quoted: boolean
}

const HASHED = /^(?:sha\d{1,3}[-:]|\$2[aby]\$|\$argon2|md5:)/i

function isSecret({ text, key, value, start, at, match, quoted }: Candidate): boolean {
  const trimmed = value.trim()
  const isPassword = isPasswordKey(key)
  const sign = (match[3] ?? '').trim()
  // `define('DB_PASSWORD', '…')`: a name and its value as the arguments of a call.
  if (sign === ',' && !(quoted && match[2] && /\(\s?\\?["']$/.test(text.slice(Math.max(0, at - 4), at))))
    return false
  if (PLACEHOLDER.test(trimmed) || HASHED.test(trimmed)) return false
  const named = /^[A-Z0-9_]+$/.test(match[1] ?? '') && /(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(match[1] ?? '')
  if (UUID.test(trimmed)) return named && sign === '='
  if (/^\.{0,2}\/|^[a-z]+:\/\//i.test(trimmed) && !isRandom(trimmed)) return false
  if (isPassword) {
    const line = lineOf(text, at, start, value)
    if (!quoted) return isBarePassword(trimmed, key, match[0], line) || isFilledIn(text, at, trimmed, line)
    if (/[^\x00-\u024F\u0400-\u04FF]/.test(trimmed)) return false
    const explicit = /pass(?:word|wd|phrase)$/.test(key) || /^[A-Z0-9_]+$/.test(match[1] ?? '')
    if (isPasswordLike(trimmed) || (explicit && isPlainPassword(trimmed, null))) return true
    return named && sign === '=' && isLoneWord(trimmed, line)
  }
  if (!quoted) {
    if (/^[([]/.test(text.charAt(start + value.length))) return false
    return isToken(trimmed, false) || (endsThere(text, start + value.length) && isShortToken(trimmed))
  }
  if (trimmed.includes(' ')) return false
  return trimmed.length >= 10 && /\d/.test(trimmed) && /[A-Za-z]/.test(trimmed) && entropy(trimmed) >= 3
}

/** Neither a call nor a member of something. */
const endsThere = (text: string, from: number): boolean => !MEMBER.test(text.slice(from, from + 3))

const NAMES =
  '(?:user(?:[ _-]?name)?|log-?in|e-?mail|account|host(?:name)?|server|benutzer)\\W{0,3}[:=]\\s{0,3}(\\S{1,80})'
const FIELD = new RegExp(`^[^\\w\\n]{0,8}${NAMES}\\s{0,3}$`, 'i')
const FIELD_BESIDE = new RegExp(`(?<![\\w.])${NAMES}[\\s,;|/]{1,3}$`, 'i')

/** A form: the line before, or the words before, tell the user, the account or the host. */
function isFilledIn(text: string, at: number, value: string, line: Line): boolean {
  const lines = text.slice(Math.max(0, at - 140), at).split('\n')
  const own = lines.at(-1) ?? ''
  const before = (FIELD_BESIDE.exec(own) ?? (own.length > 12 ? null : FIELD.exec(lines.at(-2) ?? '')))?.[1]
  return before !== undefined && isFormWord(value, before, line)
}

/** Without quotes it may be code; an environment file's line is none. */
function isBarePassword(value: string, key: string, whole: string, line: Line): boolean {
  if (/^[A-Za-z_$]+[.([]/.test(value) || /^[([]/.test(line.after)) return false
  const shouting = /^[A-Za-z0-9_.-]+=/.test(whole) || /^[A-Z0-9_]+\s*[:=]/.test(whole)
  // "PASS: TestLogin/2" is a test's result.
  if (shouting && (key !== 'pass' || whole.includes('=')) && isPasswordLike(value)) return true
  if (/^[A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|PWD)=/.test(whole) && isLoneWord(value, line)) return true
  // "pwd" may be a folder.
  if (key === 'pass' && !whole.includes('=') && !/^\S+: ?[^\s/]+$/.test(whole)) return false
  if (!/passw|passphrase|passcode/.test(key)) return isShortPassword(value, line)
  return isPlainPassword(value, line)
}

function isToken(value: string, isUuid: boolean): boolean {
  if (isUuid) return true
  if (/^[A-Za-z_$][\w$]*[.([]/.test(value)) return false
  if (value.length < 16 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return entropy(value) >= 3.5
}
