import type { ReadDb } from './db'
import { numberOf } from './item-names'

export interface AttemptEnd {
  id: number
  handle: string
  kind: string
  ts: number
  data: string
}

/** What was done for a goal, last first: its outcomes and failures. */
export function endsOf(db: ReadDb, goal: string, asOf: number, limit: number): AttemptEnd[] {
  return db.all(
    `SELECT id, handle, kind, ts, data FROM items
     WHERE session = (SELECT session FROM items WHERE handle = ?) AND goal = ${numberOf()} AND ts <= ?
       AND kind IN ('conclusion', 'decision', 'error', 'plan') ORDER BY position DESC LIMIT ?`,
    [goal, goal, asOf, limit],
  )
}

/** How much was done for a goal, by kind, and until when. */
export function doneFor(db: ReadDb, goal: string, asOf: number): { kind: string; n: number; last: number }[] {
  return db.all(
    `SELECT kind, count(*) AS n, max(ts) AS last FROM items
     WHERE session = (SELECT session FROM items WHERE handle = ?) AND goal = ${numberOf()} AND ts <= ?
     GROUP BY kind ORDER BY kind`,
    [goal, goal, asOf],
  )
}

/** Files the work for a goal wrote or edited, and how often each was changed after that work ended. */
export function changedSince(
  db: ReadDb,
  goal: string,
  range: { ended: number; asOf: number },
  limit: number,
): { path: string; changes: number; last: number }[] {
  return db.all(
    `WITH worked AS (
       SELECT DISTINCT n.entity_id FROM items AS i JOIN item_entities AS n ON n.item_id = i.id
         JOIN entities AS e ON e.id = n.entity_id
       WHERE i.session = (SELECT session FROM items WHERE handle = ?) AND i.goal = ${numberOf()}
         AND i.kind = 'file_op' AND i.data ->> '$.op' IN ('write', 'edit') AND e.kind = 'path' AND n.weight = 1)
     SELECT e.name AS path, count(*) AS changes, max(i.ts) AS last FROM worked
       JOIN item_entities AS n ON n.entity_id = worked.entity_id AND n.weight = 1
       JOIN entities AS e ON e.id = n.entity_id JOIN items AS i ON i.id = n.item_id
     WHERE i.kind = 'file_op' AND i.data ->> '$.op' IN ('write', 'edit') AND i.ts > ? AND i.ts <= ?
     GROUP BY e.id ORDER BY changes DESC, e.name LIMIT ?`,
    [goal, goal, range.ended, range.asOf, limit],
  )
}
