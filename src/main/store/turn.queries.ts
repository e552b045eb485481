import { ofCommand } from './command-failures'
import type { ReadDb } from './db'
import { numberOf } from './item-names'
import type { PackedText } from './item-text'
import type { SessionRow } from './sessions.queries'

// What a live session and the sessions around it have to say for its next turn.

/** A session by its id, its agent's own id, or the only one that begins so; undefined when none or several do. */
export function sessionLike(db: ReadDb, text: string): SessionRow | undefined {
  const exact = db.get<SessionRow>(
    'SELECT * FROM sessions WHERE id = ? OR native_id = ? ORDER BY id LIMIT 1',
    [text, text],
  )
  if (exact || text.length < 6) return exact
  const [one, other] = db.all<SessionRow>(
    `SELECT * FROM sessions WHERE substr(native_id, 1, length(:text)) = :text OR substr(id, 1, length(:text)) = :text
     ORDER BY id LIMIT 2`,
    { text },
  )
  return other ? undefined : one
}

/** The session at work last that is nobody's sub-agent. */
export function newestSession(db: ReadDb, project: string | null): SessionRow | undefined {
  return db.get<SessionRow>(
    `SELECT * FROM sessions WHERE parent_id IS NULL AND (:project IS NULL OR project = :project)
     ORDER BY ended_at DESC, id LIMIT 1`,
    { project },
  )
}

/** A session, its sub-agents, and the others of its project that were at work since a moment. */
export function sessionsAround(
  db: ReadDb,
  session: Pick<SessionRow, 'id' | 'project'>,
  since: number,
): string[] {
  return db
    .all<{ id: string }>(
      `SELECT id FROM sessions WHERE id = :id OR (ended_at >= :since AND (parent_id = :id OR project IS :project))
       ORDER BY id LIMIT 200`,
      { id: session.id, project: session.project, since },
    )
    .map(({ id }) => id)
}

export interface SessionItem extends PackedText {
  handle: string
  kind: string
  position: number
  ts: number
  role: string | null
  tool: string | null
  data: string
}

/** The newest items of some kinds in a session, the newest first. */
export function newestOf(
  db: ReadDb,
  session: string,
  kinds: readonly string[],
  limit: number,
): SessionItem[] {
  return db.all<SessionItem>(
    `SELECT handle, kind, position, ts, role, tool, data, text, text_z FROM items
     WHERE session = ${numberOf()} AND kind IN (SELECT value FROM json_each(?)) ORDER BY position DESC LIMIT ?`,
    [session, JSON.stringify(kinds), limit],
  )
}

/** The first item of a kind in a session. */
export function firstOf(db: ReadDb, session: string, kind: string): SessionItem | undefined {
  return db.get<SessionItem>(
    `SELECT handle, kind, position, ts, role, tool, data, text, text_z FROM items
     WHERE session = ${numberOf()} AND kind = ? ORDER BY position LIMIT 1`,
    [session, kind],
  )
}

export interface Telemetry {
  requests: number
  commands: number
  /** Of the commands. */
  failed: number
  /** Failures of anything else: an edit that met no match, a service that did not answer. */
  otherFailures: number
  edits: number
  firstTs: number
  lastTs: number
}

/** What a session did from a place in it on. A failing command is two items, and counts once. */
export function telemetryOf(db: ReadDb, session: string, fromPosition: number): Telemetry | undefined {
  return db.get<Telemetry>(
    `SELECT count(*) FILTER (WHERE kind = 'goal') AS requests,
       count(*) FILTER (WHERE kind = 'command') AS commands,
       count(*) FILTER (WHERE kind = 'command' AND data ->> '$.failed' = 1) AS failed,
       count(*) FILTER (WHERE kind = 'error' AND NOT ${ofCommand('i')}) AS otherFailures,
       count(*) FILTER (WHERE kind = 'file_op' AND data ->> '$.op' IN ('write', 'edit')) AS edits,
       min(ts) AS firstTs, max(ts) AS lastTs
     FROM items AS i WHERE session = ${numberOf()} AND position >= ? HAVING count(*) > 0`,
    [session, fromPosition],
  )
}

/** What a failed command printed, where that is an item of its own. */
export function printedBy(db: ReadDb, command: string): PackedText | undefined {
  return db.get<PackedText>(
    `SELECT said.text, said.text_z FROM items AS ran JOIN items AS said ON said.session = ran.session
     WHERE ran.handle = ? AND ran.kind = 'command' AND said.kind = 'error' AND said.position > ran.position
       AND said.data ->> '$.command' = ran.data ->> '$.command'
     ORDER BY said.position LIMIT 1`,
    [command],
  )
}

export interface SubAgent extends PackedText {
  session: string
  title: string | null
  handle: string
  ts: number
}

/** Sub-agents of a session that have concluded, with their last words; the newest first. */
export function finishedSubAgents(db: ReadDb, session: string, limit: number): SubAgent[] {
  return db.all<SubAgent>(
    `SELECT s.id AS session, s.title, i.handle, i.ts, i.text, i.text_z FROM sessions AS s
     JOIN items AS i ON i.id = (SELECT id FROM items WHERE session = ${numberOf('s.id')} AND kind = 'conclusion'
       ORDER BY position DESC LIMIT 1)
     WHERE s.parent_id = ? ORDER BY i.ts DESC, i.handle LIMIT ?`,
    [session, limit],
  )
}

export interface SharedFile {
  session: string
  path: string
  op: string
  ts: number
  handle: string
}

/** Who else touched the files of a session since a moment: in each other session the newest touch of each file. */
export function filesSharedWith(
  db: ReadDb,
  session: Pick<SessionRow, 'id' | 'project'>,
  since: number,
  limit: number,
): SharedFile[] {
  return db.all<SharedFile>(
    `SELECT session_id AS session, data ->> '$.path' AS path, data ->> '$.op' AS op, max(ts) AS ts, handle FROM items
     WHERE project IS :project AND ts >= :since AND kind = 'file_op' AND data ->> '$.op' IN ('write', 'edit')
       AND session IS NOT ${numberOf(':id')}
       AND session_id NOT IN (SELECT id FROM sessions WHERE parent_id = :id)
       AND data ->> '$.path' IN (SELECT data ->> '$.path' FROM items WHERE session = ${numberOf(':id')} AND kind = 'file_op')
     GROUP BY session, data ->> '$.path' ORDER BY ts DESC, handle LIMIT :limit`,
    { id: session.id, project: session.project, since, limit },
  )
}

/** Other sessions of a project at work since a moment, each with its newest request; no sub-agents. */
export function othersAtWork(
  db: ReadDb,
  project: string | null,
  { except, since, limit }: { except: string; since: number; limit: number },
): (PackedText & { session: string; agent: string; handle: string; ts: number })[] {
  return db.all(
    `SELECT s.id AS session, s.agent, s.ended_at AS ts, i.handle, i.text, i.text_z FROM sessions AS s
     JOIN items AS i ON i.id = (SELECT id FROM items WHERE session = ${numberOf('s.id')} AND kind = 'goal'
       ORDER BY position DESC LIMIT 1)
     WHERE s.project IS ? AND s.ended_at >= ? AND s.id <> ? AND s.parent_id IS NULL
     ORDER BY s.ended_at DESC, s.id LIMIT ?`,
    [project, since, except, limit],
  )
}

/** What agents asserted for a project or for none, the newest first. */
export function assertedFor(
  db: ReadDb,
  project: string | null,
  limit: number,
): {
  id: number
  agent: string
  kind: string
  subject: string
  predicate: string
  object: string
  at: number
  handle: string | null
  labels: string
}[] {
  return db.all(
    `SELECT id, agent, kind, subject, predicate, object, asserted_at AS at, handle, labels FROM agent_facts
     WHERE kind IN ('constraint', 'checkpoint') AND (project IS NULL OR project IS ?)
     ORDER BY asserted_at DESC, id DESC LIMIT ?`,
    [project, limit],
  )
}

/** What the person pinned, in a project or anywhere. */
export function pinnedItems(
  db: ReadDb,
  project: string | null,
  limit: number,
): (PackedText & { handle: string; kind: string; ts: number; givenAt: number })[] {
  return db.all(
    `SELECT i.handle, i.kind, i.ts, i.text, i.text_z, f.given_at AS givenAt FROM feedback AS f
     JOIN items AS i ON i.handle = f.handle
     WHERE f.verdict = 'pin' AND f.undone_at IS NULL AND (:project IS NULL OR i.project IS NULL OR i.project = :project)
     ORDER BY f.id DESC LIMIT :limit`,
    { project, limit },
  )
}
