import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../shared/errors'
import type { ReadDb, WriteDb } from './db'
import { mendLostIndex } from './lost-index'
import { migrations } from './migrations'
import type { Migration } from './migrations/migration'
import { sparing } from './sparing'
import { writeAnew } from './write-anew'

/** The schema's version: the number of the last migration that ran. */
export function schemaVersion(db: ReadDb): number {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}

/** Whether it holds memory by an older schema. */
export function isOlder(db: ReadDb): boolean {
  const version = schemaVersion(db)
  return version > 0 && version < (migrations.at(-1)?.version ?? 0)
}

/**
 * Brings the schema up to the newest migration, each in one transaction of its own. Before the first one on a
 * database that already holds something, a copy is made beside it (`fovea.db.v<N>.bak`) and earlier ones are dropped; an
 * upgrade that was cut off goes on with the copy it began with.
 * A database newer than this program is refused, unchanged.
 * @throws AppError `newer-database`
 */
export function migrate(db: WriteDb, steps: readonly Migration[] = migrations): { from: number; to: number } {
  const from = schemaVersion(db)
  const newest = steps.at(-1)?.version ?? 0
  if (from > newest) {
    throw new AppError(
      'newer-database',
      `The database was written by a newer Fovea (schema ${from}, this one knows ${newest}). Update Fovea to open it.`,
    )
  }
  if (from === newest) {
    if (steps === migrations) mendLostIndex(db, (empty) => void migrate(empty))
    return { from, to: from }
  }
  sparing(db, () => upgrade(db, from, steps))
  return { from, to: newest }
}

function upgrade(db: WriteDb, from: number, steps: readonly Migration[]): void {
  if (from > 0) backupOnce(db, from)
  for (const step of steps) {
    if (step.version <= from) continue
    if (step.rebuilds) db.run('PRAGMA foreign_keys = OFF')
    try {
      db.transaction(() => {
        // Another process may have migrated while this one waited for the write lock.
        if (schemaVersion(db) >= step.version) return
        step.up(db)
        db.run(`PRAGMA user_version = ${step.version}`)
      })
    } finally {
      if (step.rebuilds) db.run('PRAGMA foreign_keys = ON')
    }
  }
  if (from > 0) db.run('DELETE FROM meta WHERE key = ?', [BEGAN])
  if (from > 0 && steps.some((step) => step.version > from && step.compacts)) giveBack(db)
}

/** While another process reads, the space stays in the file and is used for what comes. */
function giveBack(db: WriteDb): void {
  try {
    writeAnew(db)
  } catch (error) {
    if ((error as AppError).code !== 'busy') throw error
  }
}

/** Under this key stands from which version an upgrade that has not ended began. */
const BEGAN = 'upgrade_began'

function backupOnce(db: WriteDb, version: number): void {
  const began = db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', [BEGAN])?.value
  if (began !== undefined && existsSync(`${db.path}.v${began}.bak`)) return
  backupBefore(db, version)
  db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [BEGAN, String(version)])
}

function backupBefore(db: WriteDb, version: number): void {
  const file = `${db.path}.v${version}.bak`
  if (existsSync(file)) rmSync(file)
  // VACUUM INTO is a consistent copy in one synchronous statement, and it works while others read.
  db.run('VACUUM INTO ?', [file])
  chmodSync(file, 0o600)
  const [folder, name] = [dirname(db.path), basename(db.path)]
  for (const other of readdirSync(folder)) {
    const copied = /^\.v(\d+)\.bak$/.exec(other.startsWith(name) ? other.slice(name.length) : '')
    if (copied && Number(copied[1]) < version) rmSync(join(folder, other), { force: true })
  }
}
