import type { RecordCounts } from '../../../shared/journal'
import type { sourcesSql } from '../../store'

export const noCounts = (): RecordCounts => ({
  read: 0,
  used: 0,
  attached: 0,
  dropped: {},
  duplicates: 0,
  errors: 0,
})

export function addCounts(into: RecordCounts, more: RecordCounts): RecordCounts {
  into.read += more.read
  into.used += more.used
  into.attached += more.attached
  into.duplicates += more.duplicates
  into.errors += more.errors
  for (const [reason, n] of Object.entries(more.dropped))
    into.dropped[reason] = (into.dropped[reason] ?? 0) + n
  return into
}

/** A file's counts as its row holds them. */
export function countsOf(row: sourcesSql.FileRow): RecordCounts {
  return {
    read: row.read,
    used: row.used,
    attached: row.attached,
    dropped: JSON.parse(row.dropped) as Record<string, number>,
    duplicates: row.duplicates,
    errors: row.errors,
  }
}
