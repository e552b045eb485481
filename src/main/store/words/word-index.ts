import type { ReadDb } from '../db'
import { firstPages, indexFormat, indexRecords, tombstonesOf } from '../word-index.queries'
import { entryOf } from './leaf'
import { type Entry, PostingList, type Postings, readRows } from './postings'
import { addTombstones, type Segment, segmentsIn, totalsIn } from './segments'
import { Tokens } from './tokens'

/** The format this can read; another one is written when rows are deleted without a trace. */
const FORMAT = 4
/** Occurrences of words kept for the next question, of one state of the index; 8 bytes each. */
const MOST_KEPT = 1_000_000

/** Words whose places are kept, each with a page of 4 kB or more. */
const MOST_ENTRIES = 1000

/** A segment with the rows of it that are gone. */
interface Place {
  segment: Segment
  gone: ReadonlySet<number>
}

const pages = ({ segment }: Place): number => segment.last - segment.first

/** How many rows hold a word: not counted any further than asked. */
export interface Counted {
  n: number
  /** Whether these are all. */
  all: boolean
}

/**
 * The full-text index over items in one state, read from its own tables. FTS5 answers in a virtual table, a row at a
 * time, and its BM25 goes through every word twice: 1 µs and more for a row that holds a frequent word. Read this way a
 * row takes 20 ns.
 */
export class WordIndex {
  readonly rows: number
  readonly words: number
  /** The largest first. */
  private readonly segments: readonly Place[]
  readonly #postings = new Map<string, Postings>()
  /** Where each word stands; null for one that only FTS5 can look up. */
  readonly #entries = new Map<string, Entry[] | null>()
  readonly #counts = new Map<string, Counted>()
  #kept = 0

  constructor(
    readonly db: ReadDb,
    readonly version: string,
    totals: Buffer,
    segments: readonly Place[],
  ) {
    this.segments = segments.toSorted((a, b) => pages(b) - pages(a))
    const { rows, words } = totalsIn(totals)
    this.rows = rows
    this.words = words
  }

  /** Finds where some words stand; together that is a single question to the database. */
  lookUp(words: readonly string[]): void {
    const fresh = this.#unknown(words)
    if (fresh.length === 0) return
    if (this.#entries.size > MOST_ENTRIES) this.#entries.clear()
    for (const [word, entries] of this.#find(fresh, this.segments)) this.#entries.set(word, entries)
  }

  /**
   * Counts some words up to `most` at once. A word that the largest segment alone holds often enough is looked up in no
   * other: that is one page instead of one for each segment.
   */
  countAhead(words: readonly string[], most: number): void {
    const fresh = this.#unknown(words).filter((word) => this.#counted(word, most) === null)
    const few = new Map<string, Entry[] | null>()
    for (const [word, entries] of this.#find(fresh, this.segments.slice(0, 1))) {
      const list = entries && this.#readFrom(entries, most)
      if (list && list.length >= most) this.#counts.set(word, { n: list.length, all: false })
      else few.set(word, entries)
    }
    if (this.#entries.size > MOST_ENTRIES) this.#entries.clear()
    for (const [word, entries] of this.#find([...few.keys()], this.segments.slice(1)))
      this.#entries.set(word, entries && [...(few.get(word) ?? []), ...entries])
  }

  #unknown(words: readonly string[]): string[] {
    return [...new Set(words)].filter((word) => !this.#entries.has(word) && !this.#postings.has(word))
  }

  /** What some segments say of some words; null for a word that only FTS5 can look up. */
  #find(words: readonly string[], among: readonly Place[]): Map<string, Entry[] | null> {
    if (words.length === 0) return new Map()
    const stems = tokens().of(words)
    const found = new Map(
      words.map((word, i) => [word, (stems[i]?.length ?? 0) > 1 ? null : ([] as Entry[])]),
    )
    const single = words.flatMap((word, i) =>
      stems[i]?.length === 1 ? [{ word, term: MAIN + stems[i][0] }] : [],
    )
    const terms = single.map(({ term }) => Buffer.from(term))
    const pages = firstPages(
      this.db,
      single.map(({ term }) => term),
      among.map(({ segment }) => segment),
    )
    for (const { term, segment, page, block } of pages) {
      const entry = entryOf(block, terms[term] as Buffer)
      const place = among[segment]
      if (!entry || !place) continue
      // What is kept is a copy: a part would keep all the pages.
      const bytes = Buffer.from(entry.bytes)
      found.get(single[term]?.word ?? '')?.push({ ...place, page, ...entry, bytes })
    }
    return found
  }

  /** Counts the rows that hold a word up to `most`. Null when only FTS5 can tell. */
  count(word: string, most: number): number | null {
    const known = this.#counted(word, most)
    if (known !== null) return known
    const list = this.#read(word, most)
    if (!list) return null
    const all = list.length < most
    if (all) this.#keep(word, list.done())
    this.#counts.set(word, { n: list.length, all })
    return Math.min(list.length, most)
  }

  #counted(word: string, most: number): number | null {
    const known = this.#counts.get(word)
    return known && (known.all || known.n >= most) ? Math.min(known.n, most) : null
  }

  /** All rows that hold a word. Null when only FTS5 can tell. */
  postings(word: string): Postings | null {
    const known = this.#postings.get(word)
    if (known) return known
    const postings = this.#read(word, Number.POSITIVE_INFINITY)?.done() ?? null
    if (postings) this.#keep(word, postings)
    return postings
  }

  #keep(word: string, postings: Postings): void {
    this.#kept += postings.rows.length
    if (this.#kept > MOST_KEPT) {
      this.#postings.clear()
      this.#kept = postings.rows.length
    }
    this.#entries.delete(word)
    this.#postings.set(word, postings)
    this.#counts.set(word, { n: postings.rows.length, all: true })
  }

  #read(word: string, most: number): PostingList | null {
    if (!this.#entries.has(word)) this.lookUp([word])
    const entries = this.#entries.get(word)
    return entries ? this.#readFrom(entries, most) : null
  }

  /** The rows some entries name, up to `most`; null when they are not written as we know it. */
  #readFrom(entries: readonly Entry[], most: number): PostingList | null {
    const list = new PostingList()
    for (const entry of entries) {
      if (list.length >= most) break
      if (!readRows(this.db, entry, list, most)) return null
    }
    return list
  }
}

/** Every word of the index that is no prefix begins so. */
const MAIN = '0'

let shared: Tokens | undefined
/** What a word is in the index depends on nothing but the word. */
const tokens = (): Tokens => {
  shared ??= new Tokens()
  return shared
}

const held = new WeakMap<ReadDb, WordIndex | { version: string }>()

/**
 * The index in the state this connection sees; ask anew in each snapshot. It is remembered until anybody, in this
 * process or another, changes the index: every write makes a new segment. Null where it is not written as we know it.
 */
export function wordIndex(db: ReadDb): WordIndex | null {
  const { moment } = db
  const seen = moment && inMoment.get(moment)
  if (seen !== null && seen !== undefined) return seen.index
  const index = currentIndex(db)
  if (moment) inMoment.set(moment, { index })
  return index
}

/** The index in the state of a snapshot: asked a dozen times for each frame. */
const inMoment = new WeakMap<object, { index: WordIndex | null }>()

function currentIndex(db: ReadDb): WordIndex | null {
  const records = indexRecords(db)
  const version = records
    ? [records.totals, records.structure].map((one) => one.toString('latin1')).join('/')
    : ''
  const known = held.get(db)
  const index = known?.version === version ? known : (records && opened(db, version, records)) || { version }
  held.set(db, index)
  return index instanceof WordIndex && index.rows > 0 ? index : null
}

function opened(
  db: ReadDb,
  version: string,
  records: { totals: Buffer; structure: Buffer },
): WordIndex | null {
  const segments = indexFormat(db) === FORMAT ? segmentsIn(records.structure) : null
  return (
    segments &&
    new WordIndex(
      db,
      version,
      records.totals,
      segments.map((segment) => ({ segment, gone: goneFrom(db, segment) })),
    )
  )
}

function goneFrom(db: ReadDb, segment: Segment): ReadonlySet<number> {
  const gone = new Set<number>()
  if (segment.tombstones > 0)
    for (const page of tombstonesOf(db, segment.id, segment.tombstones)) addTombstones(page, gone)
  return gone
}
