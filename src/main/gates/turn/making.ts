import type { FacultySettings } from '../../../shared/attention'
import type { Handle } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { TurnRequest } from '../../../shared/turn'
import type { Count } from '../../faculty'
import { DEAREST_ID, inert, noProject, type RecallPorts, underItsName } from '../../hydration'
import { facultySettings } from '../../journal'
import { type ReadDb, type sessionSql, turnSql, unpackText } from '../../store'
import { projectIn } from './window'

/** What an envelope's numbers may take beyond an empty one's. */
const DIGITS = 8

/** A turn as it is being put together. */
export interface Making {
  ports: RecallPorts
  request: TurnRequest
  session: sessionSql.SessionRow | null
  goal: string
  /** The session's request that the goal is, where it is one. */
  asked: Handle | null
  project: string | null
  now: number
  settings: FacultySettings
  /** Tokens left for the context within its envelope. */
  room: number
  count: Count
}

/**
 * @throws AppError `not-found` without a session, or for a project that memory does not know; `bad-input` when nothing says what the turn is for
 */
export function begin(ports: RecallPorts, asked: TurnRequest): Making {
  const { read } = ports
  const request = underItsName(read, asked)
  const stranger = noProject(read, request.project)
  if (stranger !== null) throw new AppError('not-found', stranger)
  const session = sessionOf(read, request)
  const newest = session && turnSql.newestOf(read, session.id, ['goal'], 1)[0]
  const goal = (request.goal ?? (newest ? unpackText(newest) : (session?.title ?? ''))).trim()
  if (goal === '')
    throw new AppError('bad-input', 'Nothing was asked in this session yet. Say what the turn is for.')
  const count: Count = (text) => ports.countTokens(inert(text), request.tokenizer)
  const around = ports.countTokens(ports.wrap(envelope(DEAREST_ID), ''), request.tokenizer) + DIGITS
  return {
    ports,
    request,
    session,
    goal,
    asked: request.goal === undefined && newest ? (newest.handle as Handle) : null,
    project: request.project ?? session?.project ?? projectIn(read, request.folder),
    now: ports.clock(),
    settings: facultySettings(read),
    room: request.budget - around,
    count,
  }
}

export const envelope = (receipt: string) => ({ source: 'turn', receipt })

/** A named session may be so new that memory has not met it; then the turn is of the goal alone. */
function sessionOf(db: ReadDb, { session, goal, project }: TurnRequest): sessionSql.SessionRow | null {
  if (session !== undefined) {
    const found = turnSql.sessionLike(db, session)
    if (found || goal !== undefined) return found ?? null
    throw new AppError('not-found', `Memory holds no one session “${session}”. Give its whole id, or a goal.`)
  }
  const newest = turnSql.newestSession(db, project ?? null)
  if (newest || goal !== undefined) return goal === undefined ? (newest ?? null) : null
  throw new AppError('not-found', 'There is no session in memory yet. Ingest a transcript, or give a goal.')
}
