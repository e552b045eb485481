import type { ReadDb } from './db'
import { wordIndex } from './words/word-index'

/** Counts the items that hold a word, up to `cap`: above it the number does not matter, only its cost. */
export type CountWord = (word: string, cap: number) => number

/** The counter for the state of the index this connection sees; make one for each snapshot. */
export function wordCounter(db: ReadDb): CountWord {
  const index = wordIndex(db)
  return (word, cap) => index?.count(word, cap) ?? countWord(db, word, cap)
}

/** Finds where some words stand in the index at once: to be called before they are counted one by one. */
export function lookUpWords(db: ReadDb, words: readonly string[]): void {
  wordIndex(db)?.lookUp(words)
}

/** Reads which items hold each word; they stay known for as long as the index is what it is now. */
export function readWords(db: ReadDb, words: readonly string[]): void {
  const index = wordIndex(db)
  for (const word of words) index?.postings(word)
}

/** Counts some words at once up to `cap`; to be called before the counter is asked for each. */
export function countWords(db: ReadDb, words: readonly string[], cap: number): void {
  wordIndex(db)?.countAhead(words, cap)
}

function countWord(db: ReadDb, word: string, cap: number): number {
  const row = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM items_fts WHERE items_fts MATCH ? LIMIT ?)',
    [quoted(word), cap],
  )
  return row?.n ?? 0
}

/** Inside double quotes nothing is FTS syntax. */
export const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`
