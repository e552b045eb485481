import type { ReadDb } from '../db'
import { type RowSize, sizesAfter, sizesOf } from '../word-index.queries'
import { Varints } from './varint'

/** The words of a row in all columns. */
export function lengthOf({ sizes }: RowSize): number {
  const read = new Varints(Buffer.from(sizes, 'hex'))
  let length = 0
  while (read.at < read.bytes.length) length += read.next()
  return length
}

/**
 * How many words every row of the full-text index has, in 4 bytes each. New rows are read as they come, and whoever
 * hears of a changed item says so. The index knows how many rows and words there are in all: when these do not add up to
 * that, something changed unheard, and everything is read anew.
 */
export class KeptLengths {
  #lengths = new Uint32Array(1024)
  #last = 0
  #rows = 0
  #words = 0

  get bytes(): number {
    return this.#lengths.byteLength
  }

  /** Reads at most so many new rows. Whether there may be more. */
  follow(db: ReadDb, most: number): boolean {
    const rows = sizesAfter(db, this.#last, most)
    for (const row of rows) this.#put(row.id, 1 + lengthOf(row))
    this.#last = rows.at(-1)?.id ?? this.#last
    return rows.length === most
  }

  changed(db: ReadDb, ids: readonly number[]): void {
    const known = ids.filter((id) => id <= this.#last)
    for (const id of known) this.#put(id, 0)
    for (const row of sizesOf(db, known)) this.#put(row.id, 1 + lengthOf(row))
  }

  forget(): void {
    this.#lengths.fill(0)
    this.#last = 0
    this.#rows = 0
    this.#words = 0
  }

  /** One more than the length of every row, by its number; null when these are not all rows and words of the index. */
  of(total: { rows: number; words: number }): Uint32Array | null {
    return total.rows === this.#rows && total.words === this.#words ? this.#lengths : null
  }

  /** `held`: one more than its length; 0 for a row that is not there. */
  #put(id: number, held: number): void {
    if (id >= this.#lengths.length) {
      const larger = new Uint32Array(Math.ceil(1.25 * id) + 1024)
      larger.set(this.#lengths)
      this.#lengths = larger
    }
    const before = this.#lengths[id] ?? 0
    const rows = Number(held > 0) - Number(before > 0)
    this.#rows += rows
    this.#words += held - before - rows
    this.#lengths[id] = held
  }
}
