import type { Head } from '../drafts'
import { readRange } from './frames'
import { fileLines } from './lines'
import { recordsOf } from './records'

const BYTES = 256 * 1024
const TEXT_BYTES = 64 * 1024
const RECORDS = 40

export interface Sniffed extends Head {
  /** There is at least one complete line, so that a decision about the format can stand. */
  complete: boolean
}

/** The beginning of an open file, for choosing its format by content. */
export function sniff(fd: number, size: number, path: string): Sniffed {
  const lines = fileLines(fd, 0, Math.min(size, BYTES))
  const records: unknown[] = []
  let complete = false
  let other = 0
  for (let line = lines.next(); line && records.length < RECORDS; line = lines.next()) {
    const last = !line.terminated
    if (!last) complete = true
    for (const found of recordsOf(line.bytes, line.offset, last) ?? []) {
      if (found.value !== undefined) records.push(found.value)
      else other++
    }
  }
  const text = readRange(fd, 0, Math.min(size, TEXT_BYTES))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  return {
    path,
    text,
    // Lines of JSON inside a text do not make it a transcript.
    records: records.length * 4 >= other || isLines(path) ? records : [],
    // A first line longer than what is looked at is a line all the same.
    complete: complete || records.length > 0 || size > BYTES,
  }
}

/** A file that calls itself JSON lines. */
export const isLines = (path: string): boolean => /\.(jsonl|ndjson)$/i.test(path)
