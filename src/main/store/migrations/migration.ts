import type { WriteDb } from '../db'

/** One step of the schema. Append-only: a step that has shipped is never changed. */
export interface Migration {
  version: number
  name: string
  /** It leaves much free space in the file, which is given back behind it. */
  compacts?: true
  /** It puts a new table in the place of one that others refer to: foreign keys are off while it runs. */
  rebuilds?: true
  up(db: WriteDb): void
}

/** Runs a script of statements that end in `;` at a line's end. */
export function script(sql: string): (db: WriteDb) => void {
  const statements = sql
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return (db) => {
    for (const statement of statements) db.run(statement)
  }
}
