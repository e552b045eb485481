import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrate, openWrite, type WriteDb } from '../src/main/store'

/** A folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fovea-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A migrated database on disk, closed when the test ends. */
export function temporaryDb(): WriteDb {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  migrate(db)
  onTestFinished(() => db.close())
  return db
}
