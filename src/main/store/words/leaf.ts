import { Varints } from './varint'

// A leaf page: where its first row number stands that belongs to a word of an earlier page (2 bytes, 0 for none), where
// its footer begins (2 bytes), words with their occurrences, and the footer: where each word begins, the first as it is,
// the others as distances. A word is its difference from the one before; what it is in follows until the next word.

/** What a page says of a word, and whether that goes on to the next page. Null when it does not hold the word. */
export function entryOf(page: Buffer, term: Buffer): { bytes: Buffer; open: boolean } | null {
  const end = page.readUInt16BE(2)
  const footer = new Varints(page, end)
  let at = 0
  /** How much of the term the word before had. */
  let shared = 0
  for (let i = 0; footer.at < page.length; i++) {
    at += footer.next()
    const read = new Varints(page, at)
    const kept = i === 0 ? 0 : read.next()
    const added = read.next()
    // Words are in order: one that keeps less than was shared is behind the term.
    if (kept < shared) return null
    if (kept > shared) continue
    const common = commonLength(page, read.at, added, term, shared)
    shared += common
    if (shared === term.length && common === added) {
      const open = footer.at >= page.length
      return { bytes: page.subarray(read.at + added, open ? end : at + footer.next()), open }
    }
    const isBehind =
      shared === term.length || (common < added && byteAt(page, read.at + common) > byteAt(term, shared))
    if (isBehind) return null
  }
  return null
}

function commonLength(page: Buffer, from: number, length: number, term: Buffer, shared: number): number {
  let common = 0
  while (common < length && shared + common < term.length && page[from + common] === term[shared + common])
    common++
  return common
}

const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0

/** What a further page says of the word before it, where its first row number stands in that, and whether it goes on. */
export function continuationOf(page: Buffer): { bytes: Buffer; row: number | null; open: boolean } {
  const end = page.readUInt16BE(2)
  const open = end >= page.length
  const until = open ? end : new Varints(page, end).next()
  const row = page.readUInt16BE(0)
  return { bytes: page.subarray(4, until), row: row >= 4 && row < until ? row - 4 : null, open }
}
