import type { Rule } from './rule'
import { beginsReadable, LONGEST, SHORTEST } from './views'

/** What one look over a text tells of what may be in it: never too little, so that nothing is passed over. */
export interface Sight {
  /** Rules one of whose literals stands in the text, in the order in which they are to be tried. */
  rules: readonly Rule[]
  /** A name may be there that a secret is assigned to. */
  names: boolean
  /** Something in base64 may be there that is readable when it is decoded. */
  base64: boolean
  /** A backslash or a percent sign is there. */
  escapes: boolean
}

// Three characters in a row, in 32 classes each, say whether one of the literals may begin with them: a table of
// 32,768 bytes that stays in the processor's nearest memory. Letters have a class each, in either case; what has no
// class of its own shares class 0, and three signs that are rare beside a blank share one.
const CLASSES = 5
const TRIPLES = 1 << (3 * CLASSES)
const CLASS = TRIPLES - 1
const ALONE = ['_', '-', ':', './|']

const NOT_BASE64 = 32
const ESCAPE = 64
const FOREIGN = 128
/** One of these is in every name that is not written in ASCII. */
const FOREIGN_LETTERS = 'пПłŁöÖşŞ密パ비'

/** For each code unit its class and the three marks above. */
const KINDS = new Uint8Array(65_536).fill(NOT_BASE64)
for (let letter = 0; letter < 26; letter++) {
  KINDS[0x41 + letter] = letter + 1
  KINDS[0x61 + letter] = letter + 1
}
for (let digit = 0; digit < 10; digit++) KINDS[0x30 + digit] = 27
for (const [at, chars] of ALONE.entries())
  for (const char of chars) KINDS[char.charCodeAt(0)] = 28 + at + ('_-/'.includes(char) ? 0 : NOT_BASE64)
KINDS['+'.charCodeAt(0)] = 0
for (const char of '\\%') KINDS[char.charCodeAt(0)] = NOT_BASE64 | ESCAPE
for (const char of FOREIGN_LETTERS) KINDS[char.charCodeAt(0)] = NOT_BASE64 | FOREIGN
const kindOf = (code: number): number => KINDS[code] ?? NOT_BASE64
const classOf = (char: string): number => kindOf(char.charCodeAt(0)) & 31

/** A text is looked at in blocks of so many code units. */
const BLOCK = 16 * 1024

interface Entry {
  literal: string
  /** Which rule it belongs to; -1 for a name. */
  rule: number
}

/** Looks for the literals of many rules, for names and for base64 in one pass over a text. */
export class Looker {
  private readonly codes = new Uint16Array(BLOCK)
  private readonly bytes = Buffer.from(this.codes.buffer)
  /** 1 where something is entered for three classes in a row. */
  private readonly begins = new Uint8Array(TRIPLES)
  private readonly entries = new Map<number, Entry[]>()
  /** When each rule was last seen; a look is a number. */
  private readonly seen: Uint32Array
  private look = 0
  // How far the look has come: the last three classes, where the run of base64 began, and what was seen.
  private triple = 0
  private run = 0
  private marks = 0
  private base64 = false
  private names = false
  private found: Rule[] = []
  private ahead: number[] = []

  /**
   * @param rules their literals are ASCII, of two characters or more, or a single dot behind a run (`behind`)
   * @param names in lower case, ASCII; one of two characters counts in front of a sign or a blank only
   */
  constructor(
    private readonly rules: readonly Rule[],
    names: readonly string[],
  ) {
    this.seen = new Uint32Array(rules.length)
    for (const [rule, { literals, behind }] of rules.entries())
      for (const literal of literals) if (behind === undefined) this.enter({ literal, rule })
    for (const literal of names) this.enter({ literal, rule: -1 })
  }

  private enter(entry: Entry): void {
    const [first, second, third] = [...entry.literal].map(classOf)
    const two = ((first ?? 0) << (2 * CLASSES)) | ((second ?? 0) << CLASSES)
    const last = entry.rule < 0 ? [0, classOf(':')] : Array.from({ length: 32 }, (_, any) => any)
    for (const one of third === undefined ? last : [third]) {
      this.begins[two | one] = 1
      this.entries.set(two | one, [...(this.entries.get(two | one) ?? []), entry])
    }
  }

  over(text: string): Sight {
    this.look++
    this.names = false
    this.found = []
    this.ahead = []
    this.triple = 0
    this.run = 0
    this.marks = 0
    this.base64 = false
    for (let from = 0; from < text.length; from += BLOCK) {
      const part = text.length <= BLOCK ? text : text.slice(from, from + BLOCK)
      this.bytes.write(part, 0, 'utf16le')
      this.block(text, from, part.length)
    }
    // Two characters at the very end.
    const last = (this.triple << CLASSES) & CLASS
    if (this.begins[last] === 1) this.at(text, text.length - 2, last)
    if (text.length - this.run >= SHORTEST) this.ran(text, this.run, text.length)
    return {
      rules: this.ordered(),
      names: this.names || (this.marks & FOREIGN) !== 0,
      base64: this.base64,
      escapes: (this.marks & ESCAPE) !== 0,
    }
  }

  /** Looks at so many codes, which stand from a place in the text on. */
  private block(text: string, from: number, length: number): void {
    const { codes, begins } = this
    let { triple, run, marks } = this
    for (let at = 0; at < length; at++) {
      const kind = KINDS[codes[at] as number] as number
      triple = ((triple << CLASSES) | (kind & 31)) & CLASS
      if (begins[triple] === 1) this.at(text, from + at - 2, triple)
      if (kind < NOT_BASE64) continue
      marks |= kind
      const end = from + at
      if (end - run >= SHORTEST) this.ran(text, run, end)
      run = end + 1
    }
    this.triple = triple
    this.run = run
    this.marks = marks
  }

  private at(text: string, place: number, triple: number): void {
    for (const { literal, rule } of this.entries.get(triple) ?? []) {
      if (rule < 0) this.names ||= isAt(text, place, literal)
      else if (this.seen[rule] !== this.look && text.startsWith(literal, place)) this.take(rule)
    }
  }

  private take(index: number): void {
    this.seen[index] = this.look
    const rule = this.rules[index]
    if (rule?.ahead) this.ahead.push(index)
    else if (rule) this.found.push(rule)
  }

  /** A run of characters of base64 has ended. */
  private ran(text: string, from: number, end: number): void {
    if (text[end] === '.') {
      for (const [index, { behind }] of this.rules.entries())
        if (behind !== undefined && end - from >= behind && this.seen[index] !== this.look) this.take(index)
    }
    if (end - from <= LONGEST && beginsReadable(text, from)) this.base64 = true
  }

  private ordered(): Rule[] {
    if (this.ahead.length === 0) return this.found
    const ahead = this.ahead.sort((a, b) => a - b).flatMap((index) => this.rules[index] ?? [])
    return [...ahead, ...this.found]
  }
}

/** Whether a word in lower case stands there, in either case. */
function isAt(text: string, place: number, word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = text.charCodeAt(place + at)
    if ((code >= 0x41 && code <= 0x5a ? code + 32 : code) !== word.charCodeAt(at)) return false
  }
  return true
}
