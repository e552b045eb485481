import type { ReadDb } from './db'

export interface IntegrityReport {
  ok: boolean
  problems: string[]
}

/** SQLite's own checks: pages, indexes and foreign keys. `quick` leaves out the index-to-table comparison. */
export function checkIntegrity(db: ReadDb, mode: 'quick' | 'full' = 'quick'): IntegrityReport {
  const pragma = mode === 'quick' ? 'PRAGMA quick_check(20)' : 'PRAGMA integrity_check(20)'
  const rows = db.all<Record<string, string>>(pragma).map((row) => String(Object.values(row)[0]))
  const foreign = db
    .all<{ table: string }>('PRAGMA foreign_key_check')
    .map((row) => `a row of ${row.table} points at nothing`)
  const problems = [...rows.filter((row) => row !== 'ok'), ...foreign.slice(0, 20)]
  return { ok: problems.length === 0, problems }
}

export function sqliteVersion(db: ReadDb): string {
  return db.get<{ v: string }>('SELECT sqlite_version() AS v')?.v ?? 'unknown'
}
