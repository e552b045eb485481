import type { Pager } from './pager'
import { damaged, ForeignProblem } from './problem'
import { ForeignRecord, Payload, varint } from './record'

// Walks b-trees (https://www.sqlite.org/fileformat2.html#b_tree_pages), one page of each level in hand.

const INDEX_INTERIOR = 2
const TABLE_INTERIOR = 5
const INDEX_LEAF = 10
const TABLE_LEAF = 13
const MAX_DEPTH = 40

export interface TableCell {
  rowid: number
  payload: Payload
}

/** Told of a part of a tree that cannot be read; the rest goes on. */
export type OnDamage = (reason: string) => void

interface Page {
  type: number
  bytes: Buffer
  cells: number[]
  /** The child behind the last cell; 0 on a leaf. */
  right: number
}

function pageOf(pager: Pager, number: number): Page {
  const bytes = pager.page(number)
  const start = number === 1 ? 100 : 0
  const type = bytes[start] ?? 0
  const interior = type === INDEX_INTERIOR || type === TABLE_INTERIOR
  if (!interior && type !== INDEX_LEAF && type !== TABLE_LEAF) throw damaged(`page ${number} is of no kind`)
  const count = bytes.readUInt16BE(start + 3)
  const pointers = start + (interior ? 12 : 8)
  if (pointers + count * 2 > pager.head.usable) throw damaged(`page ${number} has too many cells`)
  const cells: number[] = []
  for (let n = 0; n < count; n++) cells.push(bytes.readUInt16BE(pointers + n * 2))
  return { type, bytes, cells, right: interior ? bytes.readUInt32BE(start + 8) : 0 }
}

/** Bounds a walk over a tree that leads back into itself. */
class Walk {
  private left: number

  constructor(
    readonly pager: Pager,
    readonly onDamage: OnDamage | undefined,
  ) {
    // A cut file names pages that it no longer has.
    this.left = 2 * pager.pages + 1_000
  }

  page(number: number, depth: number): Page | null {
    if (depth > MAX_DEPTH || this.left-- <= 0) throw damaged('its pages lead in a circle')
    return this.tolerate(() => pageOf(this.pager, number))
  }

  /** What is damaged is left out, when somebody wants to hear of it. */
  tolerate<T>(read: () => T): T | null {
    try {
      return read()
    } catch (error) {
      const known = error instanceof ForeignProblem ? error : damaged('a page of an unexpected shape')
      if (known.kind === 'busy' || !this.onDamage) throw known
      this.onDamage(known.reason)
      return null
    }
  }
}

/** Rows of a table by rowid, from behind `after` on. @throws ForeignProblem */
export function* tableCells(
  pager: Pager,
  root: number,
  after = Number.NEGATIVE_INFINITY,
  onDamage?: OnDamage,
): Generator<TableCell> {
  yield* below(new Walk(pager, onDamage), root, after, 0)
}

function* below(walk: Walk, number: number, after: number, depth: number): Generator<TableCell> {
  const page = walk.page(number, depth)
  if (!page) return
  if (page.type === TABLE_LEAF) {
    for (const at of page.cells) {
      const cell = walk.tolerate(() => tableCell(walk.pager, page.bytes, at))
      if (cell && cell.rowid > after) yield cell
    }
  } else if (page.type === TABLE_INTERIOR) {
    for (const at of page.cells) {
      const key = walk.tolerate(() => varint(page.bytes, at + 4)[0])
      // Everything in this child is at or below its key.
      if (key !== null && key > after) yield* below(walk, page.bytes.readUInt32BE(at), after, depth + 1)
    }
    yield* below(walk, page.right, after, depth + 1)
  } else walk.tolerate(() => raise(`page ${number} is of another tree`))
}

function raise(reason: string): never {
  throw damaged(reason)
}

/** The row with a rowid; null when there is none. @throws ForeignProblem */
export function tableCellAt(pager: Pager, root: number, rowid: number): TableCell | null {
  for (const cell of tableCells(pager, root, rowid - 1)) return cell.rowid === rowid ? cell : null
  return null
}

/** The greatest rowid of a table; 0 when it is empty. @throws ForeignProblem */
export function lastRowid(pager: Pager, root: number): number {
  let number = root
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const page = pageOf(pager, number)
    if (page.type === TABLE_LEAF) {
      const at = page.cells.at(-1)
      return at === undefined ? 0 : tableCell(pager, page.bytes, at).rowid
    }
    number = page.right
  }
  throw damaged('its pages lead in a circle')
}

function tableCell(pager: Pager, bytes: Buffer, at: number): TableCell {
  const [length, keyAt] = varint(bytes, at)
  const [rowid, from] = varint(bytes, keyAt)
  return { rowid, payload: payloadAt(pager, bytes, from, length, pager.head.usable - 35) }
}

/** How much of a payload is on its page, and where the rest begins. */
function payloadAt(pager: Pager, bytes: Buffer, from: number, length: number, most: number): Payload {
  const { usable } = pager.head
  if (length > pager.pages * usable) throw damaged('a record longer than the file')
  if (length <= most) return new Payload(pager, length, whole(bytes, from, length), 0)
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const spill = least + ((length - least) % (usable - 4))
  const here = spill <= most ? spill : least
  return new Payload(pager, length, whole(bytes, from, here), bytes.readUInt32BE(from + here))
}

function whole(bytes: Buffer, from: number, length: number): Buffer {
  if (from + length > bytes.length) throw damaged('a record reaches beyond its page')
  return bytes.subarray(from, from + length)
}

/**
 * Rowids of the index entries whose first column, as UTF-8, is in `[from, to)`, in the index's order.
 * @throws ForeignProblem
 */
export function* indexRowids(
  pager: Pager,
  root: number,
  from: Buffer,
  to: Buffer,
  onDamage?: OnDamage,
): Generator<number> {
  yield* within(new Walk(pager, onDamage), root, { from, to }, 0)
}

interface Range {
  from: Buffer
  to: Buffer
}

function* within(walk: Walk, number: number, range: Range, depth: number): Generator<number> {
  const page = walk.page(number, depth)
  if (!page) return
  if (page.type !== INDEX_LEAF && page.type !== INDEX_INTERIOR) {
    walk.tolerate(() => raise(`page ${number} is of another tree`))
    return
  }
  const interior = page.type === INDEX_INTERIOR
  // Two steps find where the range begins: a page may hold hundreds of entries.
  let low = 0
  for (let high = page.cells.length; low < high; ) {
    const middle = (low + high) >> 1
    const entry = walk.tolerate(() => entryAt(walk.pager, page, middle))
    if (entry && sideOf(entry, range) < 0) low = middle + 1
    else high = middle
  }
  for (let n = low; n < page.cells.length; n++) {
    if (interior) yield* within(walk, page.bytes.readUInt32BE(page.cells[n] as number), range, depth + 1)
    const entry = walk.tolerate(() => entryAt(walk.pager, page, n))
    const side = entry ? sideOf(entry, range) : 0
    if (side > 0) return
    const rowid = entry && side === 0 ? entry.value(entry.columns - 1) : null
    if (typeof rowid === 'number') yield rowid
  }
  if (interior) yield* within(walk, page.right, range, depth + 1)
}

function entryAt(pager: Pager, page: Page, n: number): ForeignRecord {
  const start = (page.cells[n] as number) + (page.type === INDEX_INTERIOR ? 4 : 0)
  const [length, from] = varint(page.bytes, start)
  const most = Math.floor(((pager.head.usable - 12) * 64) / 255) - 23
  return new ForeignRecord(payloadAt(pager, page.bytes, from, length, most), pager.head.encoding)
}

/** Nulls and numbers stand before all text, blobs behind it. */
function sideOf(entry: ForeignRecord, { from, to }: Range): number {
  const value = entry.value(0)
  if (value === null || typeof value === 'number') return -1
  if (typeof value !== 'string') return 1
  const bytes = Buffer.from(value, 'utf8')
  return bytes.compare(from) < 0 ? -1 : bytes.compare(to) < 0 ? 0 : 1
}
