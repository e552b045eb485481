import type { WriteDb } from './db'

const CACHE_MB = 8

/**
 * Does work that goes through the whole database with little memory, however large that is: what SQLite notes down on
 * the way (copies of changed pages, rows to sort) goes to temporary files of the system's, and few pages are kept. Not
 * inside a transaction.
 */
export function sparing<T>(db: WriteDb, work: () => T): T {
  const before = {
    temp_store: settingOf(db, 'temp_store'),
    cache_size: settingOf(db, 'cache_size'),
  }
  db.run('PRAGMA temp_store = FILE')
  db.run(`PRAGMA cache_size = -${CACHE_MB * 1000}`)
  try {
    return work()
  } finally {
    for (const [name, value] of Object.entries(before)) db.run(`PRAGMA ${name} = ${value}`)
  }
}

const settingOf = (db: WriteDb, name: 'temp_store' | 'cache_size'): number =>
  db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0
