import type { LineReader } from './lines'
import { recordsOf } from './records'

/** So much of a file is looked at. */
export const SNIFFED_BYTES = 256 * 1024
const RECORDS = 40

export interface Sniffed {
  records: unknown[]
  /** There is at least one complete line, so that a decision about the format can stand. */
  complete: boolean
}

/** The first records of an open file, for choosing its format by content. `lines` are those of its first bytes. */
export function sniff(lines: LineReader, size: number): Sniffed {
  const records: unknown[] = []
  let complete = false
  for (let line = lines.next(); line && records.length < RECORDS; line = lines.next()) {
    const last = !line.terminated
    if (!last) complete = true
    for (const found of recordsOf(line.bytes, line.offset, last) ?? []) {
      if (found.value !== undefined) records.push(found.value)
    }
  }
  // A first line longer than what is looked at is a line all the same.
  return { records, complete: complete || records.length > 0 || size > SNIFFED_BYTES }
}
