// A secret may stand in a text in another writing: with JSON's escapes in it, percent-encoded, or as base64. It is
// looked for in what was meant, and masked where it stands.

export interface View {
  text: string
  /** Where in the original the view's characters `[start, end)` stand. */
  place(start: number, end: number): { start: number; end: number }
}

const ESCAPED = /\\u00[2-7][0-9a-f]|\\\/|\\["']|%(?:2[0256bf]|3[ade]|40|5[bd]|7[bd])|[\w-]\\\r?\n\w/i
/** Broken lines matter where a form or a key may stand. */
const BROKEN = /\\[nr]/
const IN_LINES = /passw|pwd|PRIVATE KEY/i
/** A shell joins a word that goes on after a backslash and a line's end. */
const ESCAPE =
  /(?<=[\w-])(\\\r?\n)(?=\w)|\\+u00([2-7][0-9a-fA-F])|\\+([/"'`nrt])|%(?:25){0,8}([2-7][0-9A-Fa-f])/g
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** The text without the escapes of JSON and of addresses, however often they were applied; null when it has none. */
export function unescaped(text: string): View | null {
  if (!ESCAPED.test(text) && !(BROKEN.test(text) && IN_LINES.test(text))) return null
  // Where each stretch of the view begins, there and in the original.
  const starts: number[] = [0]
  const origins: number[] = [0]
  const parts: string[] = []
  let length = 0
  let at = 0
  for (const match of text.matchAll(ESCAPE)) {
    const code = match[2] ?? match[4]
    const meant = match[1]
      ? ''
      : code
        ? String.fromCharCode(Number.parseInt(code, 16))
        : (LETTERS[match[3] ?? ''] ?? match[3] ?? '')
    parts.push(text.slice(at, match.index), meant)
    length += match.index - at
    starts.push(length, length + meant.length)
    origins.push(match.index, match.index + match[0].length)
    length += meant.length
    at = match.index + match[0].length
  }
  parts.push(text.slice(at))
  const original = (position: number): number => {
    const index = lastAtMost(starts, position)
    return (origins[index] ?? 0) + position - (starts[index] ?? 0)
  }
  return { text: parts.join(''), place: (start, end) => ({ start: original(start), end: original(end) }) }
}

/** Index of the last of the rising numbers that is not above the value. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((numbers[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** Fewer characters hold no secret and its name. */
export const SHORTEST = 24
/** Characters of base64 that are looked into; longer ones are files. */
export const LONGEST = 64_000
const PRINTABLE = /^[\t\n\r\x20-\x7E]*$/

/** What a character of base64 stands for, and 64 for any other. */
const SEXTETS = new Uint8Array(128).fill(64)
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SEXTETS[char.charCodeAt(0)] = value
SEXTETS[0x2d] = 62
SEXTETS[0x5f] = 63
const sextet = (text: string, at: number): number => SEXTETS[text.charCodeAt(at)] ?? 64
const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d

/** What stands in base64 and is readable when it is decoded. Answers its place and the decoded text. */
export function inBase64(text: string): { start: number; end: number; text: string }[] {
  const found: { start: number; end: number; text: string }[] = []
  let start = 0
  // By hand: this looks at every character there is, and a regular expression takes twenty times as long.
  for (let at = 0; at <= text.length; at++) {
    if (sextet(text, at) < 64) continue
    if (at - start >= SHORTEST && at - start <= LONGEST && beginsReadable(text, start)) {
      const inner = readable(text.slice(start, at))
      const end = text.startsWith('==', at) ? at + 2 : text.charAt(at) === '=' ? at + 1 : at
      if (inner !== null) found.push({ start, end, text: inner })
    }
    start = at + 1
  }
  return found
}

/** The first three bytes; nearly every word and path fails here. */
export function beginsReadable(text: string, at: number): boolean {
  const [a, b, c, d] = [sextet(text, at), sextet(text, at + 1), sextet(text, at + 2), sextet(text, at + 3)]
  return (
    isPrintable((a << 2) | (b >> 4)) &&
    isPrintable(((b & 15) << 4) | (c >> 2)) &&
    isPrintable(((c & 3) << 6) | d)
  )
}

function readable(run: string): string | null {
  const inner = Buffer.from(run, 'base64').toString('latin1')
  return PRINTABLE.test(inner) ? inner : null
}
