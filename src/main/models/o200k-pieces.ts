// Where the pieces of a text end that o200k's expression would match, in texts without letters that are neither upper nor
// lower case and without characters of two units. Its alternatives, in their order: a word, led in by at most one
// character that is no letter, digit or line break, as capitals and small letters with 's and the like behind; up to three
// digits; signs, led in by a space, with line breaks and slashes behind; white space to its last line break; white space up
// to one before what follows; white space.

const SIGN = 0
const UPPER = 1
const LOWER = 2
const DIGIT = 3
const SPACE = 4
const BREAK = 5
/** Letters of both cases at once, marks, halves of a pair: only the expression tells what they do. */
const HARD = 6
const UNKNOWN = 255

const classes = new Uint8Array(0x1_0000).fill(UNKNOWN)

function classOf(unit: number): number {
  const known = classes[unit] as number
  if (known !== UNKNOWN) return known
  const found = look(unit)
  classes[unit] = found
  return found
}

function look(unit: number): number {
  const char = String.fromCharCode(unit)
  if (char === '\n' || char === '\r') return BREAK
  if (/[\ud800-\udfff]|[\p{Lm}\p{Lo}\p{M}]/u.test(char)) return HARD
  if (/[\p{Lu}\p{Lt}]/u.test(char)) return UPPER
  if (/\p{Ll}/u.test(char)) return LOWER
  if (/\p{N}/u.test(char)) return DIGIT
  return /\s/u.test(char) ? SPACE : SIGN
}

/** Whether `pieceEnd` can be asked about a text: the first `length` of these UTF-16 units. */
export function isPlain(text: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (classOf(text[i] as number) === HARD) return false
  return true
}

/** Where the piece ends that begins at `from`, in UTF-16 units, in a text of `length`. */
export function pieceEnd(text: Uint16Array, length: number, from: number): number {
  const first = classOf(text[from] as number)
  if (first === UPPER || first === LOWER) return wordEnd(text, length, from)
  if (first === DIGIT) return runEnd(text, Math.min(length, from + 3), from, DIGIT)
  const second = from + 1 < length ? classOf(text[from + 1] as number) : SPACE
  if (first !== BREAK && (second === UPPER || second === LOWER)) return wordEnd(text, length, from + 1)
  if (first === SIGN) return signsEnd(text, length, from)
  if (second === SIGN && text[from] === 32) return signsEnd(text, length, from + 1)
  return spaceEnd(text, length, from)
}

function runEnd(text: Uint16Array, length: number, from: number, kind: number): number {
  let at = from
  while (at < length && classOf(text[at] as number) === kind) at++
  return at
}

function wordEnd(text: Uint16Array, length: number, from: number): number {
  const end = runEnd(text, length, runEnd(text, length, from, UPPER), LOWER)
  return end + suffixLength(text, length, end)
}

/** The length of 's, 'd, 'm, 't, 'll, 've or 're in either case, 0 where there is none. */
function suffixLength(text: Uint16Array, length: number, at: number): number {
  if (at + 1 >= length || text[at] !== APOSTROPHE) return 0
  const first = lowerCase(text[at + 1] as number)
  if (SHORT.includes(first)) return 2
  if (at + 2 >= length) return 0
  const second = lowerCase(text[at + 2] as number)
  return LONG.some(([one, two]) => one === first && two === second) ? 3 : 0
}

const APOSTROPHE = 39
const unitsOf = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))
const SHORT = unitsOf('sdmt')
const LONG = ['ll', 've', 're'].map(unitsOf)
/** Of a letter from A to Z; others stay as they are. */
const lowerCase = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit)

function signsEnd(text: Uint16Array, length: number, from: number): number {
  let at = runEnd(text, length, from, SIGN)
  for (; at < length; at++) {
    const unit = text[at]
    if (unit !== 10 && unit !== 13 && unit !== SLASH) break
  }
  return at
}

const SLASH = 47

function spaceEnd(text: Uint16Array, length: number, from: number): number {
  let lastBreak = -1
  let at = from
  for (; at < length; at++) {
    const kind = classOf(text[at] as number)
    if (kind === BREAK) lastBreak = at
    else if (kind !== SPACE) break
  }
  if (lastBreak >= 0) return lastBreak + 1
  return at === length || at === from + 1 ? at : at - 1
}
