import type { ReadDb } from '../db'
import { pagesOf } from '../word-index.queries'
import { continuationOf } from './leaf'
import type { Segment } from './segments'

/** The rows that hold a word, and how often: once for each place in the text, half for each in the dates. */
export interface Postings {
  rows: Uint32Array
  counts: Float32Array
}

/** What a word among the dates counts. */
export const DATES = 0.5
/** Pages read at a time, after the first. */
const AT_ONCE = 16

/** What one segment says of a word on the first page that does. */
export interface Entry {
  segment: Segment
  gone: ReadonlySet<number>
  page: number
  bytes: Buffer
  open: boolean
}

/**
 * Adds the rows an entry names, without those that are gone. Stops behind `most` of them.
 * @returns false when a page is not written as we know it
 */
export function readRows(db: ReadDb, entry: Entry, found: PostingList, most: number): boolean {
  const { segment, page } = entry
  const reader = new RowReader(entry.gone, found)
  if (!reader.read(entry.bytes, 0)) return false
  let open = entry.open
  for (let from = page + 1; open && from <= segment.last && found.length < most; from += AT_ONCE) {
    for (const block of pagesOf(db, segment.id, from, Math.min(segment.last, from + AT_ONCE - 1))) {
      const next = continuationOf(block)
      if (next.bytes.length > 0 && !reader.read(next.bytes, next.row)) return false
      open = next.open
      if (!open) break
    }
  }
  return true
}

/** Grows as it is filled. */
export class PostingList {
  #rows = new Uint32Array(64)
  #counts = new Float32Array(64)
  length = 0

  add(row: number, count: number): void {
    if (this.length === this.#rows.length) {
      const [rows, counts] = [new Uint32Array(2 * this.length), new Float32Array(2 * this.length)]
      rows.set(this.#rows)
      counts.set(this.#counts)
      this.#rows = rows
      this.#counts = counts
    }
    this.#rows[this.length] = row
    this.#counts[this.length++] = count
  }

  done(): Postings {
    return { rows: this.#rows.slice(0, this.length), counts: this.#counts.slice(0, this.length) }
  }
}

/**
 * Rows one after the other: a row number (the first of a page as it is, the others as distances), twice the number of
 * bytes that tell the places, and those bytes, which may go on on the next page.
 */
class RowReader {
  #row = 0
  /** Bytes of places that are still to come, and what has been counted of them. */
  #left = 0
  #count = 0
  #column = 1
  #marked = false

  constructor(
    private readonly gone: ReadonlySet<number>,
    private readonly found: PostingList,
  ) {}

  /** `whole`: where a row number stands that is no distance. False when this cannot be what we think it is. */
  read(bytes: Uint8Array, whole: number | null): boolean {
    const end = bytes.length
    let at = this.#places(bytes, 0)
    while (at < end) {
      let value = 0
      let byte = 0
      const isWhole = at === whole
      do {
        byte = bytes[at++] ?? 0
        value = value * 128 + (byte & 127)
      } while (byte >= 128 && at < end)
      this.#row = isWhole ? value : this.#row + value
      if (this.#row > 0xffffffff) return false
      let size = 0
      do {
        byte = bytes[at++] ?? 0
        size = size * 128 + (byte & 127)
      } while (byte >= 128 && at < end)
      // An odd size is a mark of deletion, which an index that keeps tombstones does not write.
      if (size % 2 === 1) return false
      this.#left = size / 2
      this.#count = 0
      this.#column = 1
      this.#marked = false
      at = this.#places(bytes, at)
    }
    return at === end
  }

  /** Counts places up to the end of the row or of the page: each a number, 1 before the number of another column. */
  #places(bytes: Uint8Array, from: number): number {
    if (this.#left === 0) return from
    const end = Math.min(bytes.length, from + this.#left)
    let at = from
    while (at < end) {
      const byte = bytes[at++] as number
      if (this.#marked) {
        this.#column = byte === 0 ? 1 : DATES
        this.#marked = false
      } else if (byte === 1) this.#marked = true
      else {
        // A number ends with its first byte below 128; numbers are never parted by the end of a page.
        for (let more = byte; more >= 128 && at < end; ) more = bytes[at++] as number
        this.#count += this.#column
      }
    }
    this.#left -= end - from
    if (this.#left === 0 && !this.gone.has(this.#row)) this.found.add(this.#row, this.#count)
    return end
  }
}
