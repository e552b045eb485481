import type { WriteDb } from './db'
import { openScratch } from './open'

// The vectors and what hangs on them are derived from the journal. When one of their tables is lost (a careless hand, a
// repair that gave up on a damaged page) all are made anew, empty, and every item waits for its vector again; until
// then recall goes on by words and says so.

const TABLES = ['vectors', 'vector_codes', 'embed_queue', 'goals_linked', 'goal_link_queue']

/**
 * @param make makes the whole schema in an empty database
 * @returns whether something was lost
 */
export function mendLostIndex(db: WriteDb, make: (db: WriteDb) => void): boolean {
  if (isWhole(db)) return false
  const model = openScratch('')
  try {
    make(model)
    const statements = model
      .all<{ sql: string }>(
        `SELECT sql FROM sqlite_master WHERE tbl_name IN (SELECT value FROM json_each(?)) AND sql IS NOT NULL
         ORDER BY type <> 'table', rowid`,
        [JSON.stringify(TABLES)],
      )
      .map(({ sql }) => sql)
    rebuild(db, statements)
  } finally {
    model.close()
  }
  return true
}

function isWhole(db: WriteDb): boolean {
  const found = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(TABLES)],
  )
  return found?.n === TABLES.length
}

function rebuild(db: WriteDb, statements: readonly string[]): void {
  // A table that others refer to can only be dropped without the references; they are switched outside a transaction.
  db.run('PRAGMA foreign_keys = OFF')
  try {
    db.transaction(() => {
      // Another process may have mended it while this one waited for the write lock.
      if (isWhole(db)) return
      const last = db.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'vectors'`)?.seq
      for (const table of TABLES) db.run(`DROP TABLE IF EXISTS ${table}`)
      for (const statement of statements) db.run(statement)
      // A number is never given to another vector, also where a running process still holds the old ones.
      db.run(`INSERT INTO sqlite_sequence (name, seq) VALUES ('vectors', ?)`, [last ?? Date.now()])
      db.run('DELETE FROM goal_links')
      db.run(`UPDATE tallies SET n = 0 WHERE name = 'vectors'`)
      db.run('INSERT INTO embed_queue (item_id) SELECT id FROM items WHERE indexed = 1')
    })
  } finally {
    db.run('PRAGMA foreign_keys = ON')
  }
}
