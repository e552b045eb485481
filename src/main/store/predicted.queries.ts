import type { ReadDb, WriteDb } from './db'

// What the proxy said at the person's own gates, and what it remembers of them: texts of its own, put together from
// other gates.

/** A row with texts of which each may be JSON. */
export interface PredictedRow {
  table: 'predictions' | 'chunks'
  rowid: number
  gate: string
  texts: Record<string, string | null>
}

const COLUMNS = {
  predictions: ['body', 'memory'],
  chunks: ['situation', 'stimulus', 'prior', 'posterior', 'salience', 'percepts', 'features', 'delta'],
} as const

export function predictedRows(db: ReadDb): PredictedRow[] {
  return (['predictions', 'chunks'] as const).flatMap((table) =>
    db
      .all<{ rowid: number; gate: string } & Record<string, string | number | null>>(
        `SELECT p.rowid AS rowid, g.id AS gate, ${COLUMNS[table].map((name) => `p.${name}`).join(', ')}
         FROM ${table} p JOIN gates g ON g.id = p.gate_id WHERE g.origin <> 'transcript' ORDER BY p.rowid`,
      )
      .map((row) => ({
        table,
        rowid: row.rowid,
        gate: row.gate,
        texts: Object.fromEntries(COLUMNS[table].map((name) => [name, row[name] as string | null])),
      })),
  )
}

/** What the person wrote or laid before the proxy at a gate. */
export const ownTexts = (db: ReadDb, gate: string): string[] =>
  db
    .all<{ text: string }>(
      `SELECT text FROM artifacts WHERE gate_id = :id UNION ALL SELECT text FROM gate_upstream WHERE gate_id = :id
       UNION ALL SELECT question || ' ' || title FROM gates WHERE id = :id
       UNION ALL SELECT notes FROM decisions WHERE gate_id = :id`,
      { id: gate },
    )
    .map(({ text }) => text)

/** Titles of the gates that go with an erasure, and the phrases that were learned at them. */
export function goingNames(db: ReadDb, erasureId: string): string[] {
  const gates = `SELECT id, title FROM gates WHERE origin = 'transcript' AND (
    plan_handle IN (SELECT handle FROM erasing_items WHERE erasure_id = :id)
    OR decision_handle IN (SELECT handle FROM erasing_items WHERE erasure_id = :id))`
  const titles = db.all<{ title: string }>(`SELECT title FROM (${gates})`, { id: erasureId })
  const chunks = db.all<{ percepts: string; features: string }>(
    `SELECT percepts, features FROM chunks WHERE gate_id IN (SELECT id FROM (${gates}))`,
    { id: erasureId },
  )
  const phrases = chunks.flatMap(
    ({ percepts, features }) => `${percepts} ${features}`.match(/“[^”]{2,200}”/g) ?? [],
  )
  return [...new Set([...titles.map(({ title }) => title), ...phrases])]
}

export function putPredicted(db: WriteDb, row: PredictedRow): void {
  for (const [column, text] of Object.entries(row.texts))
    db.run(`UPDATE ${row.table} SET ${column} = ? WHERE rowid = ? AND ${column} IS NOT ?`, [
      text,
      row.rowid,
      text,
    ])
}
