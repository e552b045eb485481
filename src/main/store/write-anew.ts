import type { WriteDb } from './db'
import { sparing } from './sparing'

/**
 * Writes the database's file anew, without what nothing uses (VACUUM). Its copy is as large as the database itself, so
 * it goes to a temporary file of the system's, never into memory. Not inside a transaction.
 * @throws AppError `busy` while another process uses it, `unavailable` when the disk is full
 */
export function writeAnew(db: WriteDb): void {
  sparing(db, () => db.run('VACUUM'))
}
