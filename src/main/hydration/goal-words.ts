import { stopWords } from './stop-words'

/** How much of a very long goal is looked at: its beginning and its end carry what is wanted. */
const HEAD = 6000
const TAIL = 2000
const MAX_WORDS = 64
const MAX_WORD_LENGTH = 64
/** No regular expression here can backtrack: one class, one plus. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** The same among the plain letters most texts are of, where it need not ask for the class of every sign. */
const PLAIN_WORD = /[a-z0-9]+/g
const PLAIN = /^[\0-\x7f]*$/

/** What a goal asks for, in the words of the index. */
export interface GoalWords {
  /** What is embedded: the goal, capped. */
  text: string
  /** Every word, for recognising names. */
  all: ReadonlySet<string>
  /** The words to look up: no stop words, each once, the most frequent of a long goal first. */
  lookUp: string[]
}

/** Whether anything in it can be read as a word; signs, pictures and runs of letters longer than any word cannot. */
export const hasWords = (words: GoalWords): boolean =>
  words.lookUp.length > 0 || [...words.all].some((word) => word.length <= MAX_WORD_LENGTH)

export function wordsOf(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORD) ?? []
  return text.normalize('NFC').toLowerCase().match(WORD) ?? []
}

export function goalWords(goal: string): GoalWords {
  const text = goal.length <= HEAD + TAIL ? goal : `${goal.slice(0, HEAD)}\n${goal.slice(-TAIL)}`
  const words = wordsOf(text)
  const counts = new Map<string, number>()
  for (const word of words) {
    if (stopWords.has(word) || word.length > MAX_WORD_LENGTH) continue
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  // A stable sort: among equally frequent words the first said stays first.
  const ranked = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word)
  return { text, all: new Set(words), lookUp: ranked.slice(0, MAX_WORDS) }
}

/** At most this many words go into one look-up, the rarest. */
const MAX_LOOK_UP = 24
/** A word in more than this part of all items tells little and costs much; in a small memory nothing is pruned. */
const FREQUENT = 0.12
const SMALL = 2000
const MAX_COUNTED = 30_000

/**
 * Drops words that occur nowhere and, in a large memory, those that occur nearly everywhere, as long as something is
 * left; keeps the rarest. `frequencyOf` counts the items that hold a word, up to a cap.
 */
export function pruneWords(
  words: readonly string[],
  items: number,
  frequencyOf: (word: string, cap: number) => number,
): string[] {
  const limit = items <= SMALL ? items + 1 : Math.min(MAX_COUNTED, Math.ceil(items * FREQUENT))
  const counted = words
    .map((word) => ({ word, n: frequencyOf(word, limit + 1) }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => a.n - b.n)
  const rare = counted.filter(({ n }) => n <= limit)
  const kept = rare.length > 0 ? rare : counted.slice(0, 2)
  const chosen = new Set(kept.slice(0, MAX_LOOK_UP).map(({ word }) => word))
  return words.filter((word) => chosen.has(word))
}
