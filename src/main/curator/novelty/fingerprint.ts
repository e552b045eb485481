import { stemmer } from 'stemmer'
import { isStopWord } from '../cues'

/** What of a text is compared: its beginning and its end. */
const HEAD = 4_000
const TAIL = 2_000
/** A text of fewer content words is compared only as a whole. */
export const LEAST_WORDS = 5

const BANDS = 14
const ROWS = 3

/** A text as it is compared with others. */
export interface Fingerprint {
  /** The normalised text as one hash: equal for texts that differ in case, spaces, punctuation and marks only. */
  whole: number
  /** Hashes of the content words' stems and of each two in a row. */
  features: ReadonlySet<number>
  /** The content words, lower case, each once. */
  content: ReadonlySet<string>
  /** Numbers, paths, symbols, versions, lower case: what stands for one thing and no other. */
  names: ReadonlySet<string>
  /** How often something is denied. */
  denials: number
  /** Sides taken in pairs of opposites (`pass`/`fail`): 2n for one side of pair n, 2n + 1 for the other. */
  sides: ReadonlySet<number>
  /** How many content words. */
  words: number
}

/** Turns of speech that add nothing. */
const ASIDES =
  /\b(?:in (?:short|fact|other words|general|particular)|to be (?:clear|fair|sure|honest)|for (?:the record|now|example|instance)|as (?:discussed|mentioned|noted|said|expected|before)|of course|by the way|that said|at the moment|again|really|actually|basically|simply|clearly|currently|indeed|quite|very|just|also|now|then)\b/gi
const DENIALS = new Set('not no never cannot without neither nor nobody nothing none'.split(' '))
const OPPOSITES = [
  [
    'enable enabled enables enabling on allow allowed allows',
    'disable disabled disables off deny denied forbid',
  ],
  ['pass passes passed passing succeed succeeded works', 'fail fails failed failing broke broken breaks'],
  [
    'add added adds adding insert inserted',
    'remove removed removes removing delete deleted deletes drop dropped',
  ],
  ['before earlier', 'after later'],
  [
    'increase increased raises raised more faster larger',
    'decrease decreased lowers lowered less slower smaller',
  ],
  ['first', 'last'],
  ['read reads', 'write writes wrote'],
  ['approve approved accept accepted', 'reject rejected refuse refused'],
]
const SIDES = new Map(
  OPPOSITES.flatMap((pair, n) =>
    pair.flatMap((line, side) => line.split(' ').map((word) => [word, 2 * n + side] as const)),
  ),
)

export function fingerprint(text: string): Fingerprint {
  const read = text.length > HEAD + TAIL ? `${text.slice(0, HEAD)} ${text.slice(-TAIL)}` : text
  const tokens =
    read
      .normalize('NFC')
      .replace(ASIDES, ' ')
      .match(/[\p{L}\p{N}][\p{L}\p{N}'’./_:@#-]*/gu) ?? []
  const names = new Set<string>()
  const sides = new Set<number>()
  const stems: string[] = []
  const content = new Set<string>()
  const all: string[] = []
  let denials = 0
  for (const raw of tokens) {
    const token = raw.replace(/[.:'’/_#@-]+$/, '')
    const word = token.toLowerCase()
    all.push(word)
    if (DENIALS.has(word) || /n['’]t$/.test(word)) denials++
    const side = SIDES.get(word)
    if (side !== undefined) sides.add(side)
    if (isName(token)) names.add(word)
    else if (isStopWord(word)) continue
    content.add(word)
    stems.push(isName(token) ? word : stemmer(word))
  }
  return {
    whole: hash(all.join(' ')),
    features: featuresOf(stems),
    content,
    names,
    denials,
    sides,
    words: stems.length,
  }
}

/** A number, a path, a symbol, a version: what stands for one thing and no other. */
function isName(token: string): boolean {
  return /\p{N}/u.test(token) || /[\p{L}][./_:@#][\p{L}]/u.test(token) || /\p{Ll}\p{Lu}/u.test(token)
}

/** Whether two texts name other things, or one denies or turns round what the other says. */
export function contradicts(a: Fingerprint, b: Fingerprint): boolean {
  if (a.denials !== b.denials || a.names.size !== b.names.size) return true
  for (const name of a.names) if (!b.names.has(name)) return true
  for (const side of a.sides) {
    const other = side ^ 1
    if (b.sides.has(other) && !b.sides.has(side) && !a.sides.has(other)) return true
  }
  return false
}

/**
 * How many content words of one text stand in place of others in the other: a word that is only left out, put in, or
 * misspelt is none. Two texts that are alike but for one exchanged word speak of two things.
 */
export function exchanged(a: Fingerprint, b: Fingerprint): number {
  const rest = new Set([...b.content].filter((word) => !a.content.has(word)))
  let unmatched = 0
  for (const word of a.content) {
    if (b.content.has(word)) continue
    const twin = [...rest].find((other) => misspelt(word, other) || stemmer(word) === stemmer(other))
    if (twin === undefined) unmatched++
    else rest.delete(twin)
  }
  return Math.min(unmatched, rest.size)
}

/** One letter left out, put in, changed, or two exchanged, in words of at least five letters. */
function misspelt(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length < 4 || long.length < 5 || long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  const left = short.length - start - end
  if (long.length > short.length) return left === 0
  return left <= 1 || (left === 2 && short[start] === long[start + 1] && short[start + 1] === long[start])
}

function featuresOf(stems: readonly string[]): Set<number> {
  const features = new Set<number>()
  stems.forEach((stem, i) => {
    features.add(hash(stem))
    const next = stems[i + 1]
    if (next !== undefined) features.add(hash(`${stem} ${next}`))
  })
  return features
}

/** Share of the features that two texts have in common (Jaccard), 0 to 1. */
export function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 || b.size === 0) return 0
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let both = 0
  for (const feature of small) if (large.has(feature)) both++
  return both / (a.size + b.size - both)
}

/** Share of the features of `part` that stand in `whole`. */
export function coverage(part: ReadonlySet<number>, whole: ReadonlySet<number>): number {
  if (part.size === 0) return 0
  let both = 0
  for (const feature of part) if (whole.has(feature)) both++
  return both / part.size
}

/**
 * The keys two alike texts are likely to share: the whole text's, and bands of a MinHash signature (Broder 1997;
 * banding after Indyk and Motwani). With 14 bands of 3, texts of Jaccard 0.6 share one with probability 0.97.
 */
export function bandsOf({ whole, features, words }: Fingerprint): number[] {
  if (words < LEAST_WORDS) return [whole]
  const bands = [whole]
  for (let band = 0; band < BANDS; band++) {
    let key = Math.imul(band + 1, 0x9e3779b1)
    for (let row = 0; row < ROWS; row++) {
      key = Math.imul(key ^ least(features, band * ROWS + row), 0x85ebca6b)
      key ^= key >>> 13
    }
    // The band's number stands in front, so that bands never meet one another.
    bands.push((band + 1) * 2 ** 32 + (key >>> 0))
  }
  return bands
}

function least(features: ReadonlySet<number>, salt: number): number {
  const seed = Math.imul(salt + 1, 0xc2b2ae35)
  let lowest = 0xffffffff
  for (const feature of features) {
    let mixed = Math.imul(feature ^ seed, 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
    mixed = (mixed ^ (mixed >>> 16)) >>> 0
    if (mixed < lowest) lowest = mixed
  }
  return lowest | 0
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
