import type { ReadDb } from './db'

// In how many items a word occurs. A frame asks for a hundred words, most of them again and again, and a count runs
// through all that hold the word.

interface Counted {
  n: number
  cap: number
}

interface Held {
  version: string
  counts: Map<string, Counted>
}

/** Words remembered of one state of the index; about 100 bytes each. */
const MOST = 50_000
const held = new WeakMap<ReadDb, Held>()

/** Counts the items that hold a word, up to `cap`: above it the number does not matter, only its cost. */
export type CountWord = (word: string, cap: number) => number

/**
 * The counter for the state of the index this connection sees; make one for each snapshot. Counts are remembered until
 * anybody, in this process or another, changes the index.
 */
export function wordCounter(db: ReadDb): CountWord {
  const version = indexVersion(db)
  let memory = held.get(db)
  if (memory?.version !== version) {
    memory = { version, counts: new Map() }
    held.set(db, memory)
  }
  const { counts } = memory
  return (word, cap) => {
    const known = counts.get(word)
    if (known && (known.n < known.cap || known.cap >= cap)) return Math.min(known.n, cap)
    const n = countWord(db, word, cap)
    if (counts.size >= MOST) counts.clear()
    counts.set(word, { n, cap })
    return n
  }
}

/** FTS5's own records of its totals (1) and of its segments (10): every write to the index makes a new segment. */
function indexVersion(db: ReadDb): string {
  const rows = db.all<{ block: Buffer }>('SELECT block FROM items_fts_data WHERE id IN (1, 10) ORDER BY id')
  return rows.map(({ block }) => block.toString('latin1')).join('/')
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
