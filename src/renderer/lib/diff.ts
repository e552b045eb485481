import { diffLines } from 'diff'

export interface DiffRow {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** 1-based line in the older and in the newer text. */
  before: number | null
  after: number | null
}

/** Two texts line by line; null when they differ too much to be compared in `timeoutMs`. */
export function diffRows(before: string, after: string, timeoutMs = 1500): DiffRow[] | null {
  const changes = diffLines(before, after, { timeout: timeoutMs })
  if (!changes) return null
  const rows: DiffRow[] = []
  let old = 1
  let now = 1
  for (const change of changes) {
    const lines = change.value.replace(/\n$/, '').split('\n')
    for (const text of lines) {
      if (change.added) rows.push({ kind: 'added', text, before: null, after: now++ })
      else if (change.removed) rows.push({ kind: 'removed', text, before: old++, after: null })
      else rows.push({ kind: 'same', text, before: old++, after: now++ })
    }
  }
  return rows
}
