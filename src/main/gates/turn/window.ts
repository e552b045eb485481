import { Trace } from '../../../shared/attention'
import type { Given, TurnRequest } from '../../../shared/turn'
import { type Bid, facultyId } from '../../faculty'
import { projectOf } from '../../journal'
import { projectSql, type ReadDb, type sessionSql, traceSql } from '../../store'

// What an agent has before it: its own session while it goes on, and what earlier turns gave it.

export const IN_WINDOW = { reason: 'duplicate' as const, detail: 'the agent still has it in its own window' }
const TOLD = { reason: 'duplicate' as const, detail: 'an earlier turn told it' }

/** What a turn was for, in a word; turns that reached the agent say how. */
export const PURPOSES: Record<Given, string> = { prompt: 'turn-prompt', anew: 'turn-anew' }
/** So many turns back a window reaches at most. */
const TURNS = 24

/**
 * The items that turns given to this window told whole, back to the last one given anew: what came before that is no
 * longer in the window.
 */
export function toldBefore(db: ReadDb, faculties: readonly string[]): Set<string> {
  const told = new Set<string>()
  const purposes = Object.values(PURPOSES)
  for (const { purpose, body } of traceSql.tracesOf(db, { faculties, purposes, limit: TURNS })) {
    for (const handle of wholeIn(body)) told.add(handle)
    if (purpose === PURPOSES.anew) break
  }
  return told
}

function wholeIn(body: string): string[] {
  try {
    return Trace.parse(JSON.parse(body)).rows.flatMap((row) => (row.verdict === 'kept' ? row.handles : []))
  } catch {
    // A damaged trace tells nothing; at worst something is told twice.
    return []
  }
}

/** A bid of an item that was told already stays away, unless something about it interrupts. */
export const unlessTold =
  (told: ReadonlySet<string>) =>
  (bid: Bid): Bid =>
    bid.withheld || bid.key === undefined || !told.has(bid.key) || (bid.terms.interrupt ?? 0) > 0
      ? bid
      : { ...bid, withheld: TOLD }

/** The faculty a turn belongs to; a session that memory has not met yet goes by the name it was given. */
export const facultyOf = ({ session: name }: TurnRequest, session: sessionSql.SessionRow | null): string =>
  facultyId(session?.id ?? name ?? 'turn')

/** Every name under which turns of one window were kept. */
export const windowIds = (request: TurnRequest, session: sessionSql.SessionRow | null): string[] => [
  ...new Set([facultyOf(request, session), ...(request.session ? [facultyId(request.session)] : [])]),
]

/** A folder's project, where memory knows it. */
export function projectIn(db: ReadDb, folder: string | undefined): string | null {
  const name = folder === undefined ? null : projectOf(folder)
  const known = name === null ? name : (projectSql.projectAlias(db, name) ?? name)
  return known !== null && projectSql.isProject(db, known) ? known : null
}
