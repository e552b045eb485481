import { sizesOf } from '../word-index.queries'
import { lengthOf } from './lengths'
import type { Postings } from './postings'
import type { WordIndex } from './word-index'

// BM25 exactly as FTS5 has it (k₁ 1.2, b 0.75; idf = ln((rows − n + ½) / (n + ½)), at least 1e-6), without asking for
// the length of every row: what a row could be worth at most, were it empty but for the words, is known from the words
// alone, and rows are scored from the best downwards until none that is left could still be among the best.

const K1 = 1.2
const B = 0.75
/** Classes of rows by what they could be worth; exact enough that few are read in vain. */
const CLASSES = 1024
/** Rows whose lengths are read at a time. */
const STEP = 256

export interface Scored {
  id: number
  score: number
}

/** Which of some rows may be found. */
export type Admit = (rows: number[]) => number[]

/** The best rows for any of the words, best first, ties by row number. Null when only FTS5 can tell. */
export function bestRows(
  index: WordIndex,
  words: readonly string[],
  limit: number,
  admit: Admit | null,
  lengths: Uint32Array | null,
): Scored[] | null {
  const found: Postings[] = []
  index.lookUp(words)
  for (const word of words) {
    const postings = index.postings(word)
    if (!postings) return null
    found.push(postings)
  }
  const table = new RowTable(index, found, lengths)
  const best = new Best(limit)
  let waiting: number[] = []
  const settle = (): void => {
    const admitted = admit ? admit(waiting.map((slot) => table.row(slot))) : null
    const wanted = admitted ? new Set(admitted) : null
    const slots = wanted ? waiting.filter((slot) => wanted.has(table.row(slot))) : waiting
    for (const one of table.scores(slots)) best.offer(one)
    waiting = []
  }
  for (const { slots, most } of table.fromTheBest()) {
    if (best.isBehind(most)) break
    for (const slot of slots) waiting.push(slot)
    if (waiting.length >= STEP) settle()
  }
  settle()
  return best.inOrder()
}

/** The rows that hold any of some words, with what each word gives them. */
class RowTable {
  readonly #index: WordIndex
  readonly #idf: number[]
  readonly #rows: Uint32Array
  /** What each row could be worth at most. */
  readonly #most: Float64Array
  /** The occurrences of a row are a chain, in the order of the words. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  readonly #word: Uint16Array
  readonly #count: Float32Array
  #size = 0

  constructor(
    index: WordIndex,
    found: readonly Postings[],
    private readonly lengths: Uint32Array | null,
  ) {
    const total = found.reduce((sum, { rows }) => sum + rows.length, 0)
    this.#index = index
    this.#idf = found.map(({ rows }) => {
      const idf = Math.log((index.rows - rows.length + 0.5) / (rows.length + 0.5))
      return idf <= 0 ? 1e-6 : idf
    })
    this.#rows = new Uint32Array(total)
    this.#most = new Float64Array(total)
    this.#first = new Int32Array(total)
    this.#next = new Int32Array(total)
    this.#word = new Uint16Array(total)
    this.#count = new Float32Array(total)
    this.#fill(found)
  }

  /** From the last word to the first, each put before what is there. */
  #fill(found: readonly Postings[]): void {
    const slots = slotsFor(found)
    let at = 0
    for (let word = found.length - 1; word >= 0; word--) {
      const { rows, counts } = found[word] as Postings
      const idf = this.#idf[word] as number
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i] as number
        const count = counts[i] as number
        let slot = (slots[row] as number) - 1
        const isNew = slot < 0
        if (isNew) {
          slot = this.#size++
          slots[row] = slot + 1
          this.#rows[slot] = row
        }
        this.#next[at] = isNew ? -1 : (this.#first[slot] as number)
        this.#first[slot] = at
        this.#word[at] = word
        this.#count[at] = count
        this.#most[slot] = (this.#most[slot] as number) + (idf * (count * (K1 + 1))) / (count + K1 * (1 - B))
        at++
      }
    }
    for (let slot = 0; slot < this.#size; slot++) slots[this.#rows[slot] as number] = 0
  }

  row(slot: number): number {
    return this.#rows[slot] as number
  }

  /** Classes of rows, those that could be worth the most first. `most`: none of the class is worth more. */
  *fromTheBest(): Generator<{ slots: Int32Array; most: number }> {
    let top = 0
    for (let slot = 0; slot < this.#size; slot++) top = Math.max(top, this.#most[slot] as number)
    const classOf = (slot: number): number => Math.floor(((this.#most[slot] as number) / top) * (CLASSES - 1))
    const ends = new Int32Array(CLASSES)
    const edges = new Float64Array(CLASSES)
    for (let slot = 0; slot < this.#size; slot++) {
      const own = classOf(slot)
      ends[own] = (ends[own] as number) + 1
      edges[own] = Math.max(edges[own] as number, this.#most[slot] as number)
    }
    for (let i = 1; i < CLASSES; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number)
    const order = new Int32Array(this.#size)
    const at = ends.slice()
    for (let slot = this.#size - 1; slot >= 0; slot--) {
      const own = classOf(slot)
      at[own] = (at[own] as number) - 1
      order[at[own] as number] = slot
    }
    for (let i = CLASSES - 1; i >= 0; i--) {
      const slots = order.subarray(at[i], ends[i])
      if (slots.length > 0) yield { slots, most: edges[i] as number }
    }
  }

  /** What rows are worth. */
  scores(slots: readonly number[]): Scored[] {
    const { lengths } = this
    if (lengths)
      return slots.map((slot) => ({
        id: this.row(slot),
        score: this.#score(slot, (lengths[this.row(slot)] ?? 1) - 1),
      }))
    const slotOf = new Map(slots.map((slot) => [this.row(slot), slot]))
    return sizesOf(this.#index.db, [...slotOf.keys()]).map((size) => ({
      id: size.id,
      score: this.#score(slotOf.get(size.id) ?? 0, lengthOf(size)),
    }))
  }

  #score(slot: number, length: number): number {
    const against = K1 * (1 - B + (B * length) / (this.#index.words / this.#index.rows))
    let score = 0
    for (let at = this.#first[slot] as number; at >= 0; at = this.#next[at] as number) {
      const count = this.#count[at] as number
      score += (this.#idf[this.#word[at] as number] as number) * ((count * (K1 + 1)) / (count + against))
    }
    return score
  }
}

/** By row number its slot and one; all nought between two questions. */
let scratch = new Int32Array(0)

function slotsFor(found: readonly Postings[]): Int32Array {
  let last = 0
  for (const { rows } of found) for (const row of rows) if (row > last) last = row
  if (last >= scratch.length) scratch = new Int32Array(Math.ceil(1.25 * last) + 1024)
  return scratch
}

/** Keeps the best of what it is offered. */
class Best {
  #kept: Scored[] = []
  #least = Number.NEGATIVE_INFINITY

  constructor(private readonly limit: number) {}

  offer(one: Scored): void {
    if (one.score < this.#least) return
    this.#kept.push(one)
    if (this.#kept.length >= 2 * this.limit + 64) this.#sift()
  }

  /** Whether nothing worth at most so much can still be among the best. */
  isBehind(most: number): boolean {
    if (this.#kept.length >= this.limit && this.#least === Number.NEGATIVE_INFINITY) this.#sift()
    return most < this.#least
  }

  inOrder(): Scored[] {
    this.#sift()
    return this.#kept
  }

  #sift(): void {
    this.#kept.sort((a, b) => b.score - a.score || a.id - b.id)
    this.#kept.length = Math.min(this.#kept.length, this.limit)
    if (this.#kept.length === this.limit) this.#least = this.#kept.at(-1)?.score ?? Number.NEGATIVE_INFINITY
  }
}
