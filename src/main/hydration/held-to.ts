import type { AskedFor } from '../../shared/recall'
import { hydrationSql, type ReadDb } from '../store'
import { eventIn, eventWithin } from './events'

/**
 * Holds a recall to the time its goal names, by date or by an event that memory tells the time of. When memory has nothing of that time the condition is dropped, and said
 * to be: a frame that is honestly beside the point is better than none.
 */
export function heldTo(
  db: ReadDb,
  goal: { text: string; asked: AskedFor },
  scope: hydrationSql.RecallFilter,
): { asked: AskedFor; filter: hydrationSql.RecallFilter } {
  const asked = withEvent(db, goal, scope)
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

/** Characters of a goal that are read for an event. */
const READ = 1000

function withEvent(
  db: ReadDb,
  { text, asked }: { text: string; asked: AskedFor },
  scope: hydrationSql.RecallFilter,
): AskedFor {
  if (asked.within) return asked
  const event = eventIn(text.slice(0, READ).replace(/\s+/g, ' '))
  if (!event) return asked
  const within = eventWithin(db, event, scope)
  if (within) return { ...asked, within }
  return { ...asked, dropped: [`Memory does not tell when "${event.words.join(' ')}" was.`] }
}
