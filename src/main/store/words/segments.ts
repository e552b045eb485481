import { Varints } from './varint'

/** A part of the index that was written at once or merged; what it says of a row stands in no other living one. */
export interface Segment {
  id: number
  first: number
  last: number
  /** Pages of rows that are gone. */
  tombstones: number
  /** Whether its level is being merged into one. */
  merging: boolean
}

const WITH_ORIGINS = 0xff000001

/** The segments a structure record names; null when it is not written as we know it. */
export function segmentsIn(structure: Buffer): Segment[] | null {
  if (structure.length < 10 || structure.readUInt32BE(4) !== WITH_ORIGINS) return null
  const read = new Varints(structure, 8)
  const levels = read.next()
  read.next()
  read.next()
  const segments: Segment[] = []
  for (let level = 0; level < levels; level++) {
    const merging = read.next() > 0
    for (let count = read.next(); count > 0; count--) {
      const [id, first, last] = [read.next(), read.next(), read.next()]
      read.next()
      read.next()
      const tombstones = read.next()
      read.next()
      read.next()
      segments.push({ id, first, last, tombstones, merging })
    }
  }
  return read.at <= structure.length ? segments : null
}

/** How many rows the index has and how many words they have together. */
export function totalsIn(record: Buffer): { rows: number; words: number } {
  const read = new Varints(record)
  const rows = read.next()
  let words = 0
  while (read.at < record.length) words += read.next()
  return { rows, words }
}

/** Adds the rows a tombstone page names: a header of eight bytes, then slots of four or eight, empty ones nought. */
export function addTombstones(page: Buffer, gone: Set<number>): void {
  const width = page[0] === 4 ? 4 : 8
  for (let at = 8; at + width <= page.length; at += width) {
    const row = width === 4 ? page.readUInt32BE(at) : Number(page.readBigUInt64BE(at))
    if (row !== 0) gone.add(row)
  }
}
