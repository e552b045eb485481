import type { Head } from '../drafts'
import type { LineReader } from './lines'
import { recordsOf } from './records'
import { spent } from './spent'

/** So much of a file is looked at for records, and so much as text. */
export const SNIFFED_BYTES = 256 * 1024
export const SNIFFED_TEXT = 64 * 1024
const RECORDS = 40
/** Where the first record is longer than what is looked at, it is looked for so far. */
const SOUGHT_BYTES = 64 * 1024 * 1024

export interface Sniffed extends Head {
  /** There is at least one complete line, so that a decision about the format can stand. */
  complete: boolean
}

export interface Start {
  path: string
  size: number
  /** Lines of the first bytes. */
  lines: LineReader
  /** The first bytes. */
  bytes: Buffer
}

/** The beginning of an open file, for choosing its format by content. */
export function sniff({ path, size, lines, bytes }: Start): Sniffed {
  const records: unknown[] = []
  let complete = false
  let other = 0
  for (let line = lines.next(); line && records.length < RECORDS; line = lines.next()) {
    if (line.offset >= (records.length > 0 ? SNIFFED_BYTES : SOUGHT_BYTES)) break
    spent(line.length)
    const last = !line.terminated
    if (!last) complete = true
    for (const found of recordsOf(line.bytes, line.offset, last) ?? []) {
      if (found.value !== undefined) records.push(found.value)
      else other++
    }
  }
  return {
    path,
    text: bytes.toString('utf8').replace(/^\uFEFF/, ''),
    // Lines of JSON inside a text do not make it a transcript.
    records: records.length * 4 >= other || isLines(path) ? records : [],
    // A line longer than what is looked at is a line all the same.
    complete: complete || records.length > 0 || size > SNIFFED_BYTES,
  }
}

/** A file that calls itself JSON lines. */
export const isLines = (path: string): boolean => /\.(jsonl|ndjson)(\.zst)?$/i.test(path)
