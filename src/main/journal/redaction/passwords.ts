// Whether a value behind the word "password" is one. A person's password may be a plain word; so may be a type, a
// placeholder or a variable's name.

export const PLACEHOLDER =
  /^(?:<.*|\$.*|%.*|&[#\w]{1,10};.*|\{.*|\*+|x{3,}|\.{3}.*|…|your[_-].*|my[_-]?(?:secret|token|password|key).*|example.*|placeholder.*|redacted.*|changeme|none|null|undefined|true|false|string|number|required|optional|\[secret:.*|\[redacted.*|test|dummy.*|fake.*|sample.*|todo.*|process\.env.*|os\.environ.*|env\..*|config\..*)$/i
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Words of letters only, joined as code and prose join them. */
const WORDS = /^[A-Za-z]+(?:[ _./:-][A-Za-z]+)*[?!.]?$/
/** Names of things that a variable is called by, and what documentation says in a password's place. */
const CODE =
  /pass(?!ion)|pwd|secret|token|user|cred|input|value|field|param|config|string|hash|crypt|cipher|encod|plain|default|prompt|admin|login|request|optional|required|unknown|undefined|function|callback|anonymous|example|incorrect|invalid|missing|wrong|protect|forgot|reset|strength|minimum|maximum|character|masked|hidden|visible|database|account|postgres|varchar|boolean|integer|nullable|readonly|private|public|https?|localhost|placeholder|whatever|something|anything|nothing|disabled|enabled/i
/** What prose says about a password. */
const PROSE =
  /(?:ed|ing|able|ible|ion|ions|ment|ity|ness|ory|ive|ally|ful|less|ous|ent|ant|ect|ical|word|words)$/i
const TECHNICAL =
  /^(?:sha-?\d+|md5|base(?:32|58|64)|utf-?\d+|aes-?\d+\w*|rsa\d*|ed25519|pbkdf2|argon2\w*|scrypt|bcrypt\w*|x509|v\d+|\d+(?:ms|px|kb|mb|gb|s|m|h|d|x|th|st|nd|rd)|[a-z]\d{0,2}|(?:arg|var|val|str|int|line|test|step|col|row)s?\d+|int\d+|uint\d+|float\d+|http2|oauth2?|ipv[46]|i18n|l10n|k8s|s3|ec2|win32|x86_64|amd64|arm64)$/i

/** What makes the word before it code: a call, an index, a member. A file's name may end in one of two letters. */
export const MEMBER = /^(?:[([]|\.(?!(?:md|ts|js|py|sh)$)\w)/

export interface Line {
  before: string
  sign: string
  after: string
}

export function isPasswordLike(value: string): boolean {
  if (value.length < 6 || value.split(' ').length > 3) return false
  if (WORDS.test(value)) return false
  return /[\d\W_]/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.3
}

/**
 * A value without quotes behind an explicit word for a password, or (`line` null) a single word in quotes. Letters
 * alone count only where a person filled in a form: the line ends behind them and nothing on it looks like code.
 */
export function isPlainPassword(value: string, line: Line | null): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value) || TECHNICAL.test(value)) return false
  if (/^[\p{L}]+$/u.test(value)) return isPlainWord(value, line)
  if (/^\d+$/.test(value)) return true
  if (line === null || !/[\p{L}]/u.test(value) || WORDS.test(value)) return false
  if (/^[([]/.test(line.after)) return false
  // An identifier: words and underscores, with at most a figure at its end.
  if (/^[A-Za-z_$]+\d{0,2}$/.test(value) && (/_/.test(value) || CODE.test(value))) return false
  if (/\d/.test(value)) return entropy(value) >= 2.3
  return /[^\p{L}\s_./:?!=-]/u.test(value) && isPasswordLike(value)
}

function isPlainWord(value: string, line: Line | null): boolean {
  if (value.length < 8 || CODE.test(value) || PROSE.test(value)) return false
  const random = /[a-z][A-Z].*[a-z]?[A-Z]/.test(value) && entropy(value) >= 3.2 && !/[a-z]{4}/.test(value)
  if (line === null) return random || /^(?:\p{Ll}{10,}|\p{Lu}\p{Ll}{3,}\p{Lu}\p{Ll}{3,})$/u.test(value)
  if (!random && !/^\p{L}\p{Ll}+$/u.test(value)) return false
  const ends =
    line.after === '' || /^[.!]?[ \t\r]{0,2}(?:\n|$)/.test(line.after) || line.after.startsWith('\\n')
  const spaced = /^\s*(?:=|:=)\s/.test(line.sign) || /\s=/.test(line.sign)
  return (
    ends &&
    !spaced &&
    /^(?:[\s>*#|•"'+-]*|.{0,60}[\s,;])$/.test(line.before) &&
    !/[(){}=]|const |let |var /.test(line.before)
  )
}

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
  if (!/\d/.test(value) || CODE.test(value) || /^\d+[a-z]{1,3}$/i.test(value)) return false
  // A word with a figure behind it is a name as often as a password.
  if (/^[A-Za-z_$]+\d{1,2}$/.test(value)) return false
  return changes(value) >= 2 && entropy(value) >= 2.3
}

/** A word of letters behind the name of an environment's password. */
export const isLoneWord = (value: string, line: Line): boolean =>
  /^\p{Ll}{8,}$/u.test(value) && !CODE.test(value) && !PROSE.test(value) && !MEMBER.test(line.after)

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

/** What follows "password is": a word of letters only counts when it is somebody's own and no word of prose. */
export function isSpokenPassword(value: string, own: boolean, next: string): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value) || TECHNICAL.test(value) || /[([]/.test(next)) return false
  if (/['"]/.test(next) && !own && changes(value) < 2) return false
  if (/^\p{L}+$/u.test(value))
    return (
      own && value.length >= 8 && !CODE.test(value) && !PROSE.test(value) && !/[A-Z]/.test(value.slice(1))
    )
  if (!/\p{L}/u.test(value) || WORDS.test(value) || /^[A-Za-z_$]+[.([]/.test(value)) return false
  if (/^\/|:\/\//.test(value) || CODE.test(value)) return false
  return /\d/.test(value) && entropy(value) >= 2.3
}

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
