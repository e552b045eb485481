import { createRequire } from 'node:module'
import type { Tokenizer } from '../../shared/recall'
import { BytePairs, type Ranks } from './byte-pairs'
import * as o200kPieces from './o200k-pieces'

const requireModule = createRequire(import.meta.url)

// The tables of an encoding take 20 to 40 MB, so one is loaded when it is first asked for and then stays.
const encodings = new Map<string, BytePairs>()

function encodingOf(tokenizer: 'o200k' | 'cl100k'): BytePairs {
  const known = encodings.get(tokenizer)
  if (known) return known
  const { default: ranks } = requireModule(`gpt-tokenizer/bpeRanks/${tokenizer}_base`) as { default: Ranks }
  const params = requireModule(`gpt-tokenizer/encodingParams/${tokenizer}_base`) as Params
  const { tokenSplitRegex } = (params.O200KBase ?? params.Cl100KBase)?.(ranks) ?? {}
  if (!tokenSplitRegex) throw new Error(`gpt-tokenizer does not have ${tokenizer}.`)
  const loaded = new BytePairs(ranks, tokenSplitRegex, tokenizer === 'o200k' ? o200kPieces : undefined)
  encodings.set(tokenizer, loaded)
  return loaded
}

/** What the package tells of an encoding apart from its tables. */
type Params = Partial<Record<'O200KBase' | 'Cl100KBase', (ranks: Ranks) => { tokenSplitRegex: RegExp }>>

/** Pieces are cut at a single space within this many characters; a word longer than that is cut inside. */
const PIECE = 2_000
/** Byte-pair merging takes quadratic time in the length of one word, so a word is cut here. */
const LONGEST_WORD = 256

/**
 * Tokens of a text, whole; `<|endoftext|>` in somebody's text is text. `chars4` is ceil(length / 4), the benchmarks' measure.
 * Linear in the text's length. Exact, except that a run of 2,000 characters without a single space between two
 * words is counted in parts of 256, which gives up to one token too many for each part.
 */
export function countTokens(text: string, tokenizer: Tokenizer): number {
  if (tokenizer === 'chars4') return Math.ceil(text.length / 4)
  const encoding = encodingOf(tokenizer)
  let tokens = 0
  for (const piece of pieces(text)) tokens += encoding.count(piece)
  return tokens
}

/** Both encodings begin a new piece at a single space between two words, so a cut there changes no count. */
function* pieces(text: string): Generator<string> {
  let start = 0
  while (text.length - start > PIECE) {
    const end = spaceBefore(text, start + PIECE, start) ?? withinPair(text, start + LONGEST_WORD)
    yield text.slice(start, end)
    start = end
  }
  yield text.slice(start)
}

function spaceBefore(text: string, from: number, after: number): number | null {
  for (let i = from; i > after; i--) {
    if (text[i] === ' ' && !isSpace(text[i - 1]) && !isSpace(text[i + 1])) return i
  }
  return null
}

const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char)

/** One further when the cut would part a surrogate pair. */
function withinPair(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at
}

/** The most characters one token of these encodings stands for is 128; more than that per token cannot fit. */
const LONGEST_TOKEN = 128

/**
 * The longest beginning of `text` of at most `max` tokens that ends at the end of a sentence or a line; when not
 * even the first sentence fits, the words that fit and `…`; when nothing does, the empty string.
 */
export function fitTokens(text: string, max: number, tokenizer: Tokenizer): string {
  if (max <= 0) return ''
  const fits = (candidate: string): boolean => countTokens(candidate, tokenizer) <= max
  // Nothing behind the second cut could fit, and the text may be megabytes; mostly the first is enough.
  const cuts = [max * 8, max * LONGEST_TOKEN + 1]
  const head = text.slice(
    0,
    cuts.find((cut) => cut >= text.length || !fits(text.slice(0, cut))),
  )
  if (head.length === text.length && fits(text)) return text
  const sentence = longest(boundaries(head, /[.!?…](?=\s)|\n/g), (end) => fits(head.slice(0, end).trimEnd()))
  if (sentence > 0 && head.slice(0, sentence).trim() !== '') return head.slice(0, sentence).trimEnd()
  const word = longest(boundaries(head, /(?<=\S)(?=\s)/g), (end) => fits(`${head.slice(0, end).trimEnd()}…`))
  return word > 0 && head.slice(0, word).trim() !== '' ? `${head.slice(0, word).trimEnd()}…` : ''
}

function boundaries(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index + match[0].length)
}

/** The largest of ascending `ends` that passes, found by halving; 0 when none does. */
function longest(ends: readonly number[], passes: (end: number) => boolean): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (passes(ends[middle - 1] ?? 0)) low = middle
    else high = middle - 1
  }
  return low === 0 ? 0 : (ends[low - 1] ?? 0)
}
