import type { ReadDb } from './db'

/**
 * What is read again and again within one snapshot and cannot change meanwhile: each kind by its row numbers, gone with
 * the snapshot. Outside of one nothing is kept.
 */
export class Momentary<T> {
  readonly #held = new WeakMap<object, Map<number, T>>()

  /** The rows with these numbers that there are, of which `read` gets those that are not known yet. */
  of(
    db: ReadDb,
    ids: readonly number[],
    read: (ids: number[]) => Iterable<readonly [number, T]>,
  ): Map<number, T> {
    const held = this.#heldFor(db.moment)
    // In their order, so that rows of one page are read together.
    const fresh = [...new Set(ids)].filter((id) => !held.has(id)).sort((a, b) => a - b)
    if (fresh.length > 0) for (const [id, value] of read(fresh)) held.set(id, value)
    const found = new Map<number, T>()
    for (const id of ids) {
      const value = held.get(id)
      if (value !== undefined) found.set(id, value)
    }
    return found
  }

  #heldFor(moment: object | null): Map<number, T> {
    const known = moment && this.#held.get(moment)
    if (known) return known
    const fresh = new Map<number, T>()
    if (moment) this.#held.set(moment, fresh)
    return fresh
  }
}
