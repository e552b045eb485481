import type { ReadDb, WriteDb } from './db'

// Goals that say the same in different sessions.

export interface WaitingGoal {
  vectorId: number
  itemId: number
  handle: string
  sessionId: string
  chars: number
  code: Buffer
  labels: string
  /** 1 for "carry out this plan". */
  plan: number
}

/** Goals whose vectors are new; what became something else meanwhile has no row here. */
export function waitingGoals(db: ReadDb, limit: number): WaitingGoal[] {
  return db.all(
    `SELECT q.vector_id AS vectorId, i.id AS itemId, i.handle, i.session_id AS sessionId, i.chars, c.code, i.labels,
       coalesce(json_extract(i.data, '$.implementsPlan'), 0) AS plan
     FROM goal_link_queue q JOIN vector_codes c ON c.vector_id = q.vector_id JOIN items i ON i.id = c.item_id
     WHERE i.kind = 'goal' ORDER BY q.vector_id LIMIT ?`,
    [limit],
  )
}

export function clearLinkQueue(db: WriteDb, vectorIds: readonly number[] | 'all'): void {
  if (vectorIds === 'all') db.run('DELETE FROM goal_link_queue')
  else
    db.run('DELETE FROM goal_link_queue WHERE vector_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(vectorIds),
    ])
}

export function countLinkQueue(db: ReadDb): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM goal_link_queue')?.n ?? 0
}

/** Goals of other sessions whose signs differ least; a scan over the goals alone, 48 bytes each. */
export function nearestGoals(
  db: ReadDb,
  goal: Pick<WaitingGoal, 'code' | 'sessionId'>,
  most: { bits: number; k: number },
): { itemId: number; handle: string; labels: string }[] {
  return db.all(
    `SELECT v.item_id AS itemId, g.handle, i.labels FROM (
       SELECT vector_id, handle, vec_distance_hamming(vec_bit(code), vec_bit(?)) AS distance
       FROM goals_linked WHERE session_id <> ?) g
     JOIN vectors v ON v.id = g.vector_id JOIN items i ON i.id = v.item_id
     WHERE g.distance <= ? ORDER BY g.distance, g.handle LIMIT ?`,
    [goal.code, goal.sessionId, most.bits, most.k],
  )
}

export function markLinked(db: WriteDb, goal: WaitingGoal): void {
  db.run('INSERT OR REPLACE INTO goals_linked (vector_id, handle, session_id, code) VALUES (?, ?, ?, ?)', [
    goal.vectorId,
    goal.handle,
    goal.sessionId,
    goal.code,
  ])
}

export interface GoalLink {
  handle: string
  sameAs: string
  similarity: number
  labels: readonly string[]
}

export function putGoalLink(db: WriteDb, link: GoalLink): void {
  db.run(
    `INSERT OR REPLACE INTO goal_links (handle, same_as, similarity, provenance, labels) VALUES (?, ?, ?, ?, ?)`,
    [
      link.handle,
      link.sameAs,
      link.similarity,
      JSON.stringify([link.handle, link.sameAs].sort()),
      JSON.stringify(link.labels),
    ],
  )
}

/** Goals that say the same as this one, in either direction, most alike first. */
export function sameGoals(db: ReadDb, handle: string): { handle: string; similarity: number }[] {
  return db.all(
    `SELECT same_as AS handle, similarity FROM goal_links WHERE handle = ?
     UNION SELECT handle, similarity FROM goal_links WHERE same_as = ? ORDER BY similarity DESC, handle`,
    [handle, handle],
  )
}
