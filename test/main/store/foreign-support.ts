import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { ForeignDb, ForeignProblem } from '../../../src/main/store'

export interface Row {
  rowid: number
  id: string
  n: number | null
  body: string | null
}

/** A database of one table, as another program makes it. */
export function make(path: string, pragmas: readonly string[] = []): Database.Database {
  const db = new Database(path)
  onTestFinished(() => void db.close())
  for (const pragma of pragmas) db.pragma(pragma)
  db.exec('CREATE TABLE IF NOT EXISTS "part" (id TEXT PRIMARY KEY, n, body TEXT, CHECK (length(id) > 0))')
  return db
}

export const seenBySqlite = (db: Database.Database): Row[] =>
  db.prepare('SELECT rowid, id, n, body FROM part ORDER BY rowid').all() as Row[]

export function seen(path: string): Row[] {
  const db = ForeignDb.open(path)
  try {
    const rows = [...db.rows('part')].map((row) => ({
      rowid: row.rowid,
      id: row.value('id') as string,
      n: row.value('n') as number | null,
      body: row.value('body') as string | null,
    }))
    db.check()
    return rows
  } finally {
    db.close()
  }
}

/** Name, size, time of writing and content of everything in a folder. */
export const listing = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .map((name) => {
      const { size, mtimeNs, ctimeNs, nlink } = statSync(join(folder, name), { bigint: true })
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return `${name} ${size} ${mtimeNs} ${ctimeNs} ${nlink} ${hash}`
    })

export const problem = (path: string): string => {
  try {
    ForeignDb.open(path).close()
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(ForeignProblem)
    return `${(error as ForeignProblem).kind}: ${(error as ForeignProblem).reason}`
  }
}
