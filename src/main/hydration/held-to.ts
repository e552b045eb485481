import type { AskedFor } from '../../shared/recall'
import { hydrationSql, type ReadDb } from '../store'

/**
 * Holds a recall to the time its goal names. When memory has nothing of that time the condition is dropped, and said
 * to be: a frame that is honestly beside the point is better than none.
 */
export function heldTo(
  db: ReadDb,
  asked: AskedFor,
  scope: hydrationSql.RecallFilter,
): { asked: AskedFor; filter: hydrationSql.RecallFilter } {
  if (!asked.within) return { asked, filter: scope }
  const { phrase, since, until } = asked.within
  const asOf = Math.min(
    scope.asOf ?? Number.MAX_SAFE_INTEGER,
    until === null ? Number.MAX_SAFE_INTEGER : until - 1,
  )
  const filter = { ...scope, asOf, ...(since === null ? {} : { since }) }
  if (hydrationSql.newestItems(db, 1, filter).length > 0) return { asked, filter }
  const { within: _, ...rest } = asked
  return { asked: { ...rest, dropped: [`Memory holds nothing of "${phrase}".`] }, filter: scope }
}
