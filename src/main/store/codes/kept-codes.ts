import {
  type CodeRow,
  changesSince,
  codeState,
  codesAfter,
  itemsWith,
  traitsAfter,
  traitsOf,
} from '../codes.queries'
import type { ReadDb } from '../db'
import { isOpen, type RecallFilter } from '../recall-filter'
import { KeptLengths } from '../words/lengths'
import { BLOCK, HammingBlocks, KEPT_OUT } from './hamming'
import { Traits } from './traits'

/** What a vector stands for, as a bit of a gate. */
const UNIT_BITS: Readonly<Record<string, number>> = { item: 1, context: 2, arc: 4, session: 8 }
const ALL_UNITS = 15
/** So many rows are read at a time in the background: what is asked meanwhile waits for one such step, about 10 ms. */
const STEP = 4000
/** So many new rows are read on the way to an answer; when there are more, the table answers and memory follows. */
const AT_ONCE = 20_000
/** Codes that are gone stay in their places until they are this part of all. */
const MOST_GONE = 0.25

/** How many signs of a vector differ, and its signs: 48 bytes, which may be a view of what is kept until the next change. */
export interface NearCode {
  vectorId: number
  distance: number
  code: Uint8Array
}

/**
 * The sign codes of a database in memory, for a thread that asks often: 52 bytes and two numbers for a code, 11 bytes
 * for an item. Always answers for the state its connection sees: new codes are read, and those that are gone are heard
 * of from `recall_changes`. Until it has read everything, and whenever it cannot be sure, it answers nothing.
 */
export class KeptCodes {
  readonly #db: ReadDb
  #blocks = new HammingBlocks()
  #vectorIds: Uint32Array[] = []
  #itemIds: Uint32Array[] = []
  #count = 0
  #gone = 0
  #lastVector = 0
  #change: number | null = null
  #traits = new Traits()
  readonly #lengths = new KeptLengths()
  /** The last state of the index that the lengths did not add up to. */
  #unlike: string | null = null
  #filtered: { key: string; count: number; change: number } | null = null
  #fit: { key: string; fit: Uint8Array } | null = null
  /** The snapshot that all this is known to be the state of. */
  #seen: object | null = null
  #warming: Promise<void> | null = null
  #closed = false

  constructor(db: ReadDb) {
    this.#db = db
  }

  get bytes(): number {
    return this.#blocks.bytes + 8 * BLOCK * this.#vectorIds.length + this.#traits.bytes + this.#lengths.bytes
  }

  get size(): number {
    return this.#count - this.#gone
  }

  close(): void {
    this.#closed = true
  }

  /** Reads what is there, in steps between which the thread answers others. Resolves when it is all in memory. */
  warm(): Promise<void> {
    this.#warming ??= this.#read().finally(() => {
      this.#warming = null
    })
    return this.#warming
  }

  async #read(): Promise<void> {
    for (let more = true; more; ) {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#closed) return
      more = this.#db.snapshot(() => this.#follow(STEP))
    }
  }

  /**
   * The k codes that differ least from `code`, nearest first, ties by age, exactly as a scan of the table gives them.
   * Null when memory is not up to date or cannot hold what is asked. Call it in the snapshot it is to answer for.
   */
  nearest(
    code: Uint8Array,
    k: number,
    units: readonly string[] | undefined,
    filter: RecallFilter,
  ): NearCode[] | null {
    if (!this.#isUpToDate()) return null
    const mask = units ? units.reduce((bits, unit) => bits | (UNIT_BITS[unit] ?? 0), 0) : ALL_UNITS
    const open = isOpen(filter)
    if (!open && !this.#let(filter)) return null
    const histogram = this.#blocks.scan(code, this.#count, open ? 'kinds' : 'passes', mask)
    return this.#collect(histogram, k)
  }

  /**
   * By row number 1 for each item that fulfils a filter. Null when memory cannot tell: it is not up to date, or what is
   * asked may change without a sign. Call it in the snapshot it is to answer for, and keep nothing of it.
   */
  fit(filter: RecallFilter): Uint8Array | null {
    if (!isLasting(filter) || !this.#isUpToDate() || this.#traits.overflown) return null
    return this.#fitting(filter)
  }

  /** One more than the number of words of every row of the full-text index. Null when memory cannot tell. */
  lengths(index: { version: string; rows: number; words: number }): Uint32Array | null {
    if (!this.#isUpToDate()) return null
    const lengths = this.#lengths.of(index)
    if (!lengths && this.#unlike !== index.version) {
      this.#unlike = index.version
      this.#lengths.forget()
      this.warm().catch(() => undefined)
    }
    return lengths
  }

  #fitting(filter: RecallFilter): Uint8Array {
    const key = JSON.stringify([filter, this.#traits.last, this.#change])
    if (this.#fit?.key !== key) this.#fit = { key, fit: this.#traits.fulfilling(filter) }
    return this.#fit.fit
  }

  #isUpToDate(): boolean {
    const { moment } = this.#db
    // Within one snapshot nothing changes.
    if (moment !== null && moment === this.#seen) return true
    if (this.#change !== null && !this.#follow(AT_ONCE)) {
      this.#seen = moment
      return true
    }
    // What cannot be read shows where it is asked for again: the table answers, or fails with its reason.
    this.warm().catch(() => undefined)
    return false
  }

  /** Brings memory up to the state of the database by at most `most` rows. Whether more is left. */
  #follow(most: number): boolean {
    const state = codeState(this.#db)
    if (this.#change === null) this.#change = state.change
    else if (state.change !== this.#change) this.#hear(state.change)
    if (this.#gone > MOST_GONE * this.#count + BLOCK) this.#forget(state.change)
    let room = most
    if (state.vector > this.#lastVector) {
      const rows = codesAfter(this.#db, this.#lastVector, room)
      for (const row of rows) this.#add(row)
      room -= rows.length
      if (room === 0 && state.vector > this.#lastVector) return true
    }
    // The highest row numbers of items are given again once they are free.
    this.#traits.cutAt(state.item)
    if (state.item > this.#traits.last) {
      const rows = traitsAfter(this.#db, this.#traits.last, room)
      for (const row of rows) this.#traits.put(row)
      room -= rows.length
    }
    const more = room > 0 && this.#lengths.follow(this.#db, room)
    return more || state.vector > this.#lastVector || state.item > this.#traits.last
  }

  #hear(newest: number): void {
    const changes = changesSince(this.#db, this.#change ?? 0)
    if (changes === null) {
      this.#forget(newest)
      return
    }
    const items = new Set<number>()
    for (const { vectorId, itemId } of changes) {
      if (vectorId !== null) this.#drop(vectorId)
      if (itemId !== null && itemId <= this.#traits.last) items.add(itemId)
    }
    this.#lengths.changed(this.#db, [...items])
    for (const id of items) this.#traits.remove(id)
    for (const traits of traitsOf(this.#db, [...items])) this.#traits.put(traits)
    this.#change = newest
  }

  /** Starts again; the blocks stay and are written over. */
  #forget(change: number): void {
    this.#count = 0
    this.#gone = 0
    this.#lastVector = 0
    this.#traits = new Traits()
    this.#lengths.forget()
    this.#filtered = null
    this.#fit = null
    this.#change = change
  }

  #add({ vectorId, itemId, unit, code }: CodeRow): void {
    const at = this.#count % BLOCK
    const index = (this.#count - at) / BLOCK
    const block = this.#blocks.block(index)
    if (this.#vectorIds.length <= index) {
      this.#vectorIds.push(new Uint32Array(BLOCK))
      this.#itemIds.push(new Uint32Array(BLOCK))
    }
    block.codes.set(code, at * 48)
    block.kinds[at] = UNIT_BITS[unit] ?? 0
    ;(this.#vectorIds[index] as Uint32Array)[at] = vectorId
    ;(this.#itemIds[index] as Uint32Array)[at] = itemId
    this.#count += 1
    this.#lastVector = vectorId
  }

  /** Codes stand in the order of their numbers, so one is found by halving. */
  #drop(vectorId: number): void {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#vectorAt(middle) < vectorId) low = middle + 1
      else high = middle
    }
    if (low === this.#count || this.#vectorAt(low) !== vectorId) return
    const { kinds } = this.#blocks.block(Math.floor(low / BLOCK))
    if (kinds[low % BLOCK] !== 0) this.#gone += 1
    kinds[low % BLOCK] = 0
  }

  #vectorAt(place: number): number {
    return this.#vectorIds[Math.floor(place / BLOCK)]?.[place % BLOCK] ?? 0
  }

  /** Opens the gate of what fulfils a filter, unless it stands so already. False when memory cannot tell. */
  #let(filter: RecallFilter): boolean {
    if (this.#traits.overflown) return false
    const change = this.#change ?? 0
    const key = JSON.stringify([filter, this.#traits.last])
    const held = this.#filtered
    const lasting = isLasting(filter)
    if (lasting && held?.key === key && held.count === this.#count && held.change === change) return true
    const fit = this.#fitting(filter)
    const among = lasting ? null : new Uint8Array(fit.length)
    if (among) {
      const { sources, tags, cells } = filter
      const asked = {
        ...(sources ? { sources } : {}),
        ...(tags ? { tags } : {}),
        ...(cells ? { cells } : {}),
      }
      for (const id of itemsWith(this.#db, asked)) if (id < among.length) among[id] = 1
    }
    for (let i = 0; i * BLOCK < this.#count; i++) {
      const { kinds, passes } = this.#blocks.block(i)
      const items = this.#itemIds[i] as Uint32Array
      const here = Math.min(BLOCK, this.#count - i * BLOCK)
      for (let at = 0; at < here; at++) {
        const item = items[at] as number
        passes[at] = fit[item] && (!among || among[item]) ? (kinds[at] as number) : 0
      }
    }
    this.#filtered = { key, count: this.#count, change }
    return true
  }

  #collect(histogram: Int32Array, k: number): NearCode[] {
    let edge = 0
    let below = 0
    for (; edge < KEPT_OUT - 1; edge++) {
      const here = histogram[edge] ?? 0
      if (below + here >= k) break
      below += here
    }
    let atEdge = Math.max(0, k - below)
    const found: NearCode[] = []
    for (let i = 0; i * BLOCK < this.#count; i++) {
      const { differences, codes } = this.#blocks.block(i)
      const ids = this.#vectorIds[i] as Uint32Array
      for (const at of this.#blocks.within(i, Math.min(BLOCK, this.#count - i * BLOCK), edge)) {
        const distance = differences[at] as number
        if (distance === edge && atEdge-- <= 0) continue
        found.push({ vectorId: ids[at] as number, distance, code: codes.subarray(at * 48, at * 48 + 48) })
      }
    }
    return found.sort((a, b) => a.distance - b.distance || a.vectorId - b.vectorId)
  }
}

/** What names something, which source a file is of, or what stands in a cell may change without a sign. */
const isLasting = ({ sources, tags, cells }: RecallFilter): boolean => !sources && !tags && !cells

const kept = new WeakMap<ReadDb, KeptCodes>()

/**
 * Keeps the codes of this connection's database in memory from now on; every search for near codes over it is then
 * answered from there. Worth it for a thread that stays: reading a million items takes some seconds in the background.
 */
export function keepCodes(db: ReadDb): KeptCodes {
  const known = kept.get(db)
  if (known) return known
  const codes = new KeptCodes(db)
  kept.set(db, codes)
  return codes
}

/** The codes kept for a connection, when somebody asked for that. */
export const keptCodesOf = (db: ReadDb): KeptCodes | undefined => kept.get(db)
