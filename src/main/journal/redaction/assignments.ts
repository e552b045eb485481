// `password = "…"`, `API_KEY=…`, `"client_secret": "…"`: the value is a secret when the name says so and the value
// looks like one, not like code, a placeholder, a hash or an id.

const KEY =
  /(?<![A-Za-z0-9])((?:[A-Za-z0-9]{1,30}[_.-]){0,5}(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|private[_-]?key|secret[_-]?key|client[_-]?secret|signing[_-]?key|encryption[_-]?key|master[_-]?key|account[_-]?key|credentials?|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer)(?:[_-](?:key|token|value|secret|prod|production|dev|staging|test|v?\d)){0,2})(\\?["']?)(\s{0,3}(?:=>|:=|==?|:)\s{0,3})(?:(\\?["'`])([^"'`\\\r\n]{4,400})\4|([^\s"'`,;(){}[\]<>\\&|]{6,400}))/gi

/** What must be in a text (in any case) before the pattern is tried. */
export const assignmentHints =
  /pass|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing|encryption|master[_-]?key|account[_-]?key|credential|bearer/i

export interface Assignment {
  start: number
  end: number
  kind: string
}

/** Places of values that are secrets, as `[start, end)` in the text. */
export function findAssignments(text: string): Assignment[] {
  const found: Assignment[] = []
  KEY.lastIndex = 0
  for (let match = KEY.exec(text); match; match = KEY.exec(text)) {
    const quoted = match[5]
    const value = quoted ?? match[6] ?? ''
    const key = (match[1] ?? '').toLowerCase()
    const before = match[0].length - value.length - (quoted === undefined ? 0 : (match[4]?.length ?? 0))
    const start = match.index + before
    if (isSecretValue(value, key, quoted !== undefined, match[0])) {
      found.push({ start, end: start + value.length, kind: /pass|pwd/.test(key) ? 'password' : kindOf(key) })
    }
  }
  return found
}

const kindOf = (key: string): string =>
  /token|bearer/.test(key) ? 'token' : /key/.test(key) ? 'api-key' : 'secret'

const PLACEHOLDER =
  /^(?:<.*|\$.*|%.*|\{.*|\*+|x{3,}|\.{3}.*|…|your[_-].*|my[_-]?(?:secret|token|password|key).*|example.*|placeholder.*|redacted.*|changeme|none|null|undefined|true|false|string|number|required|optional|\[secret:.*|\[redacted.*|test|dummy.*|fake.*|sample.*|todo.*|process\.env.*|os\.environ.*|env\..*|config\..*)$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HASHED = /^(?:sha\d{1,3}[-:]|\$2[aby]\$|\$argon2|md5:)/i
/** Words of letters only, joined as code and prose join them. */
const WORDS = /^[A-Za-z]+(?:[ _./:-][A-Za-z]+)*[?!.]?$/

function isSecretValue(value: string, key: string, quoted: boolean, whole: string): boolean {
  const trimmed = value.trim()
  if (PLACEHOLDER.test(trimmed) || UUID.test(trimmed) || HASHED.test(trimmed)) return false
  if (/^\/|^\.{0,2}\/|^https?:\/\/|^[a-z]+:\/\//i.test(trimmed)) return false
  const isPassword = /pass|pwd/.test(key)
  if (!quoted) return isBareSecret(trimmed, isPassword, key, whole)
  if (trimmed.includes(' ') && !isPassword) return false
  if (isPassword) return isPasswordLike(trimmed)
  return trimmed.length >= 10 && /\d/.test(trimmed) && /[A-Za-z]/.test(trimmed) && entropy(trimmed) >= 3
}

function isPasswordLike(value: string): boolean {
  if (value.length < 6 || value.split(' ').length > 3) return false
  if (WORDS.test(value)) return false
  return /[\d\W_]/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.3
}

/** Without quotes it may be code: only the shape of an environment file, or a value with a token's entropy, counts. */
function isBareSecret(value: string, isPassword: boolean, key: string, whole: string): boolean {
  if (/[.(]/.test(value) && /^[A-Za-z_$][\w$]*[.([]/.test(value)) return false
  const shouting = /^[A-Za-z0-9_.-]+=/.test(whole) || /^[A-Z0-9_]+\s*[:=]/.test(whole)
  if (isPassword && (shouting || /[:=]\s*$/.test(key))) return isPasswordLike(value)
  if (isPassword) return isPasswordLike(value) && /\d/.test(value) && !/^[\w$]+$/.test(value)
  if (value.length < 16 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return entropy(value) >= 3.5
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
