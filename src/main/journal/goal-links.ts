import { goalLinkSql, vectorSql, type WriteDb } from '../store'

/**
 * Cosine of two goals' vectors from which on they count as one and the same wish. Recorded with each link, so that a
 * reader may ask for more.
 */
export const SAME_GOAL = 0.86
/** Plans share their headings and their heads; only near copies are one goal. */
const SAME_PLAN = 0.97
/** "fix it up" means another thing in every session. */
const MIN_CHARS = 16
/** Signs that may differ between vectors of that cosine: 384 · acos(0.86) / π is 65, and chance on top. */
const CANDIDATE_BITS = 96
const CANDIDATES = 64
const LINKS = 12

/**
 * Links the next few goals that have new vectors with goals of other sessions that say the same. One transaction.
 * @returns how many goals were looked at; 0 when none wait
 */
export function linkGoals(db: WriteDb, limit = 32): number {
  if (goalLinkSql.countLinkQueue(db) === 0) return 0
  return db.transaction(() => {
    const goals = goalLinkSql.waitingGoals(db, limit)
    for (const goal of goals) {
      if (goal.chars >= MIN_CHARS) link(db, goal)
    }
    // Without a goal behind it, what waits is left from items that became something else.
    goalLinkSql.clearLinkQueue(db, goals.length === 0 ? 'all' : goals.map((goal) => goal.vectorId))
    return goals.length
  })
}

function link(db: WriteDb, goal: goalLinkSql.WaitingGoal): void {
  const near = goalLinkSql.nearestGoals(db, goal, { bits: CANDIDATE_BITS, k: CANDIDATES })
  const vectors = vectorSql.vectorsOf(db, [goal.itemId, ...near.map((one) => one.itemId)])
  const own = vectors.get(goal.itemId)
  if (!own) return
  const alike = near
    .map((one) => {
      const vector = vectors.get(one.itemId)
      return { ...one, similarity: vector ? vectorSql.cosine(own, vector) : 0 }
    })
    .filter((one) => one.similarity >= (goal.plan === 1 ? SAME_PLAN : SAME_GOAL))
    .sort((a, b) => b.similarity - a.similarity)
  for (const one of alike.slice(0, LINKS)) {
    goalLinkSql.putGoalLink(db, {
      handle: goal.handle,
      sameAs: one.handle,
      similarity: one.similarity,
      labels: union(goal.labels, one.labels),
    })
  }
  goalLinkSql.markLinked(db, goal)
}

const union = (a: string, b: string): string[] =>
  [...new Set([...(JSON.parse(a) as string[]), ...(JSON.parse(b) as string[])])].sort()
