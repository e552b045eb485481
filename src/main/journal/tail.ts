import type { sourcesSql } from '../store'
import type { Tail } from './pump'
import { isObject } from './text'

// A document's last record may still grow. What is kept of the place where it begins stands in its file's row.

/** What was counted of a file so far. */
export const tallyOf = (row: sourcesSql.FileRow): sourcesSql.FileTally => {
  const { read, used, attached, dropped, duplicates, errors, masked } = row
  return { read, used, attached, dropped, duplicates, errors, masked }
}

/** Where a document's last record begins; null when nothing is known of it. */
export function tailOf(row: sourcesSql.FileRow): (Tail & sourcesSql.FileTally) | null {
  const saved: unknown = JSON.parse(row.state)
  return isObject(saved) && isObject(saved.tail)
    ? (saved.tail as unknown as Tail & sourcesSql.FileTally)
    : null
}
