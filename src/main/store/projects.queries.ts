import type { ReadDb, WriteDb } from './db'
import { nameOf, numberOf } from './item-names'

// One project under several names: a folder that was renamed or moved. Every row keeps what it was called, so that a
// merge can be undone: sessions by what their files say, items with a project of their own by project_given.

export function projectAlias(db: ReadDb, alias: string): string | undefined {
  return db.get<{ name: string }>('SELECT name FROM project_aliases WHERE alias = ?', [alias])?.name
}

export function projectAliases(db: ReadDb): { alias: string; name: string; at: number }[] {
  return db.all('SELECT alias, name, merged_at AS at FROM project_aliases ORDER BY name, alias')
}

/** Names that led to `alias` lead on to `name` from now on: no name has to be followed twice. */
export function putAlias(db: WriteDb, alias: string, name: string, at: number): void {
  db.run('UPDATE project_aliases SET name = ? WHERE name = ?', [name, alias])
  db.run('INSERT OR REPLACE INTO project_aliases (alias, name, merged_at) VALUES (?, ?, ?)', [
    alias,
    name,
    at,
  ])
}

export function deleteAlias(db: WriteDb, alias: string): void {
  db.run('DELETE FROM project_aliases WHERE alias = ?', [alias])
}

export function isProject(db: ReadDb, name: string): boolean {
  const row = db.get<{ n: number }>(
    `SELECT EXISTS (SELECT 1 FROM sessions WHERE project = :name) OR EXISTS (SELECT 1 FROM items WHERE project = :name)
       OR EXISTS (SELECT 1 FROM project_aliases WHERE alias = :name) AS n`,
    { name },
  )
  return row?.n === 1
}

/** Sessions whose files call their project by this name. */
export function sessionsCalled(db: ReadDb, name: string): string[] {
  return db
    .all<{ id: string }>(
      `SELECT DISTINCT session_id AS id FROM file_sessions WHERE project = ? AND session_id IN (SELECT id FROM sessions)`,
      [name],
    )
    .map((row) => row.id)
}

/** Items and sessions of one name go under another; answers the sessions they stand in, and how many items moved. */
export function moveProject(db: WriteDb, from: string, to: string): { sessions: string[]; items: number } {
  db.run(
    `UPDATE item_rows SET project_given = project WHERE project = ? AND project_given IS NULL
       AND (SELECT project FROM sessions WHERE id = ${nameOf('item_rows.session')}) IS NOT project`,
    [from],
  )
  const sessions = db
    .all<{ id: string }>(`SELECT ${nameOf('session')} AS id FROM items WHERE project = ? GROUP BY session`, [
      from,
    ])
    .map((row) => row.id)
  const items = db.run('UPDATE item_rows SET project = ? WHERE project = ?', [to, from]).changes
  db.run('UPDATE sessions SET project = ? WHERE project = ?', [to, from])
  return { sessions, items }
}

/** What a session is called after a merge was undone. Answers how many items moved with it. */
export function nameSession(db: WriteDb, id: string, project: string | null): number {
  const before = db.get<{ project: string | null }>('SELECT project FROM sessions WHERE id = ?', [id])
  if (!before || before.project === project) return 0
  db.run('UPDATE sessions SET project = ? WHERE id = ?', [project, id])
  return db.run(
    `UPDATE item_rows SET project = ? WHERE session = ${numberOf()} AND project IS ? AND project_given IS NULL`,
    [project, id, before.project],
  ).changes
}

/** Items that had a project of their own have it again. */
export function giveBack(db: WriteDb, alias: string): { sessions: string[]; items: number } {
  const sessions = db
    .all<{ id: string }>('SELECT DISTINCT session_id AS id FROM items WHERE project_given = ?', [alias])
    .map((row) => row.id)
  const items = db.run(
    'UPDATE item_rows SET project = project_given, project_given = NULL WHERE project_given = ?',
    [alias],
  ).changes
  return { sessions, items }
}
