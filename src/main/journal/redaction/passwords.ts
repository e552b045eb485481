import type { Line } from './line'
import { CODE, isCamel, isChain, isChosen, PROSE, THING, TYPE } from './words'

// Whether a value behind the word "password" is one. A person's password may be a plain word; so may be a type, a
// placeholder or a variable's name.

export const PLACEHOLDER =
  /^(?:<.*|\$.*|%.*|&[#\w]{1,10};.*|\{.*|\*+|x{3,}|\.{3}.*|…|your[_-].*|my[_-]?(?:secret|token|password|key).*|example.*|placeholder.*|redacted.*|changeme|none|null|undefined|true|false|string|number|required|optional|\[secret:.*|\[redacted.*|test|dummy.*|fake.*|sample.*|todo.*|process\.env.*|os\.environ.*|env\..*|config\..*)$/i
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Words of letters only, joined as code and prose join them. */
const WORDS = /^[A-Za-z]+(?:[ _./:-][A-Za-z]+)*[?!.]?$/
const TECHNICAL =
  /^(?:sha-?\d+|md5|base(?:32|58|64)|utf-?\d+|aes-?\d+\w*|rsa\d*|ed25519|pbkdf2|argon2\w*|scrypt|bcrypt\w*|x509|v\d+|\d+(?:ms|px|kb|mb|gb|s|m|h|d|x|th|st|nd|rd)|[a-z]\d{0,2}|(?:arg|var|val|str|int|line|test|step|col|row)s?\d+|int\d+|uint\d+|float\d+|http2|oauth2?|ipv[46]|i18n|l10n|k8s|uint8array|s3|ec2|win32|x86_64|amd64|arm64)$/i

/** What makes the word before it code: a call, an index, a member. A file's name may end in one of two letters. */
export const MEMBER = /^(?:[([]|\.(?!(?:md|ts|js|py|sh)$)\w)/

export function isPasswordLike(value: string): boolean {
  if (value.length < 6 || value.split(' ').length > 3) return false
  if (WORDS.test(value) || TYPE.test(value)) return false
  return /[\d\W_]/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.3
}

/**
 * A value without quotes behind an explicit word for a password, or (`line` null) a single word in quotes. Letters
 * alone count only where a person filled in a form: the line ends behind them and nothing on it looks like code.
 */
export function isPlainPassword(value: string, line: Line | null): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value) || TECHNICAL.test(value)) return false
  if (/^[\p{L}]+$/u.test(value)) return isPlainWord(value, line)
  if (isChain(value)) return line === null || (begins(line) && ends(line))
  if (/^\d+$/.test(value)) return true
  if (line === null || !/[\p{L}]/u.test(value) || WORDS.test(value)) return false
  if (/^[([]/.test(line.after)) return false
  // An identifier: words and underscores, with at most a figure at its end.
  if (/^[A-Za-z_$]+\d{0,2}$/.test(value) && (/_/.test(value) || CODE.test(value))) return false
  if (/\d/.test(value)) return entropy(value) >= 2.3
  return /[^\p{L}\s_./:?!=-]/u.test(value) && isPasswordLike(value)
}

function isPlainWord(value: string, line: Line | null): boolean {
  const random =
    isRandomWord(value) &&
    value.length >= 8 &&
    !CODE.test(value) &&
    !PROSE.test(value) &&
    !/[a-z]{4}/.test(value)
  if (line === null) return random || isCamel(value, 4) || (/^\p{Ll}+$/u.test(value) && isChosen(value, 8))
  if (!ends(line) || /[(){}=]|const |let |var /.test(line.before)) return false
  const first = begins(line)
  if (!first && !/^.{0,60}[\s,;]$/.test(line.before)) return false
  // `password = handler` is code more often than a setting.
  if (/^\s*(?:=|:=)\s|\s=/.test(line.sign) && !(first && /^\p{Lu}/u.test(value))) return false
  if (random) return true
  return (
    isShapedWord(value) &&
    isChosen(value, first ? 6 : 8) &&
    !(/^\p{Lu}/u.test(value) && TYPED.test(line.near))
  )
}

const isRandomWord = (value: string): boolean =>
  /[a-z][A-Z].*[a-z]?[A-Z]/.test(value) && entropy(value) >= 3.2
const isShapedWord = (value: string): boolean =>
  /^\p{L}\p{Ll}+$/u.test(value) || isCamel(value) || (/^\p{Lu}{8,}$/u.test(value) && !/\p{Ll}/u.test(value))
/** Lines that tell types: a word behind "password" is one, too. */
const TYPED =
  /\w\??:\s{0,3}(?:string|number|boolean|str|int|bool|any|date|float|double|integer|bytes|uuid|text)\b/i

/** Nothing but what opens a line stands before the name. */
const begins = (line: Line): boolean =>
  /^[\s>*#|•"'`+_-]*(?:\d{1,3}[.)]\s{1,3})?(?:(?:export|set)\s{1,3})?[*_`]{0,3}$/i.test(line.before)
/** Nothing but what closes a line stands behind the value. */
const ends = (line: Line): boolean =>
  /^["'`*_|]{0,3}[.!]?[ \t\r]{0,2}(?:\n|$|\\n)/.test(line.after) || /^[ \t]{1,3}#/.test(line.after)

/** What follows "pass:", "pwd=" or "pw:", which may be a result, a folder or a picture's width: letters and figures mixed. */
export function isShortPassword(value: string, line: Line): boolean {
  if (
    PLACEHOLDER.test(value) ||
    TECHNICAL.test(value) ||
    /^[~.]?\/|^[A-Za-z]:[\\/]|^[([]/.test(value + line.after)
  )
    return false
  if (/^(?:[([]|\.\w)/.test(line.after) || /^[A-Za-z_$][\w$]*[.([]/.test(value)) return false
  if (/\d/.test(value) && /[^\w$]/.test(value) && isPasswordLike(value)) return true
  if (value.length < 6 || !/\p{L}/u.test(value)) return false
  if (/=/.test(line.sign) && !/\s/.test(line.sign) && isPlainWord(value, line)) return true
  // "PASS: ParsesTheList" is a test's result.
  if (isCamel(value, 4) && !/PASS/.test(line.sign) && !/^Test/.test(value) && begins(line) && ends(line))
    return true
  if (!/\d/.test(value) || CODE.test(value) || /^\d+[a-z]{1,3}$/i.test(value)) return false
  // A word with a figure behind it is a name as often as a password.
  if (/^[A-Za-z_$]+\d{1,2}$/.test(value)) return false
  return changes(value) >= 2 && entropy(value) >= 2.3
}

/** A word behind the name of an environment's password, where a variable would have its sign before it. */
export const isLoneWord = (value: string, line: Line): boolean =>
  (isChosen(value, 6) || isChain(value)) && !MEMBER.test(line.after)

/** A short value behind the name of a key, a token or a secret: letters and figures that change more often than in a name. */
export function isShortToken(value: string): boolean {
  if (PLACEHOLDER.test(value) || TECHNICAL.test(value)) return false
  if (/^[A-Za-z_$][\w$]*[.([]/.test(value) || /[/:@]/.test(value)) return isRandom(value)
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value) || entropy(value) < 2.5) return false
  // Words, versions and figures joined by dashes are a name.
  if (value.split(/[-_.]/).every((part) => /^(?:[A-Za-z]*|v?\d{1,4}|[a-z]{1,12}\d{1,2})$/.test(part)))
    return false
  return changes(value) >= 2 || /^[A-Za-z]+\d{4,}$/.test(value) || /[^\w.-]/.test(value)
}

/** Key material in base64, which may begin with a slash. */
export const isRandom = (value: string): boolean =>
  /^[A-Za-z0-9+/=_-]{20,200}$/.test(value) &&
  /\d/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  !/[a-z]{6}/.test(value) &&
  entropy(value) >= 4.2

/** How often letters and figures take turns. */
const changes = (value: string): number => (value.match(/\p{L}(?=\d)|\d(?=\p{L})/gu) ?? []).length

/** What a person wrote into a form, where the line before tells who they are. */
export function isFormWord(value: string, before: string, line: Line): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value) || TECHNICAL.test(value) || PLACEHOLDER.test(before))
    return false
  if (
    CODE.test(value) ||
    PROSE.test(value) ||
    value === before ||
    /^(?:str|int|text|char|email\w*)$/i.test(before)
  )
    return false
  return /^(?:$|\s|\\n|[,;"'`<)])/.test(line.after) && !/^[A-Za-z_$]+[.([]|[,;{}]$/.test(value)
}

export interface Spoken {
  value: string
  /** "My password". */
  own: boolean
  /** The quote before the value; empty when there is none. */
  quote: string
  /** What follows the value. */
  next: string
  /** "password - x", "password to x", "with password x": these mean something else as often. */
  loose: boolean
  /** "Use the password x": a word there is a name or a password. */
  used: boolean
}

/** A word behind "use the password", where the sentence ends or goes on to what for; none that names a thing. */
const isUsedWord = (value: string, next: string): boolean =>
  /^\p{Ll}+$/u.test(value) &&
  isChosen(value, 8) &&
  !THING.test(value) &&
  /^(?:[.!,;)]?(?:$|\s*\n)|[.!]\s|,?\s(?:to|for|when|on|at|and)\s)/i.test(next)

/** What follows "password is": a word of letters only counts when it is somebody's own and no word of prose. */
export function isSpokenPassword({ value, own, quote, next, loose, used }: Spoken): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value) || TECHNICAL.test(value) || /^[([]/.test(next)) return false
  const quoted = quote !== '' && next.startsWith(quote)
  if (/^['"]/.test(next) && !quoted && !own && changes(value) < 2) return false
  if (/^\p{L}+$/u.test(value)) {
    // In quotes that a programmer uses for names a word may be one.
    if (quoted && quote !== '`') return isChosen(value, 6)
    if (isCamel(value, loose ? 4 : 3)) return true
    if (used && isUsedWord(value, next)) return true
    if (loose || !/^\p{L}\p{Ll}+$/u.test(value)) return false
    const ended = quoted || /^[.!]?(?:\s*$|\s*\n|\s+[A-Z])/.test(next)
    return own ? isChosen(value, ended ? 6 : 8) : ended && isChosen(value, 8)
  }
  if (!/\p{L}/u.test(value) || WORDS.test(value) || /^[A-Za-z_$]+[.([]/.test(value)) return false
  if (/^\/|:\/\//.test(value) || (CODE.test(value) && changes(value) < 2)) return false
  if (loose && !quoted && changes(value) < 1 && !FIGURES_BETWEEN.test(value)) return false
  return /\d/.test(value) && entropy(value) >= 2.3
}

/** "kvazimodo-77-lampe" */
const FIGURES_BETWEEN = /^\p{L}{3,}[-_.]\d{2,}[-_.]\p{L}{3,}$/u

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) {
    const share = count / text.length
    bits -= share * Math.log2(share)
  }
  return bits
}
