import { branchSql, projectSql, sessionSql, type WriteDb } from '../../store'
import type { JournalContext } from '../context'
import { strip } from '../envelope'
import { currentName } from '../projects'
import { agentOf, type Chunk, type ChunkTarget, type Facts, keyIn } from './chunk'

/**
 * Writes what this chunk says about its sessions, so that each session's row is the same whatever the order its files
 * were read in. Answers the ids of sessions that hold items of this chunk, and every session's project.
 */
export function writeSessions(
  journal: JournalContext,
  target: ChunkTarget,
  chunk: Chunk,
): { ids: string[]; projects: Map<string, string | null> } {
  const holding = new Set<string>()
  for (const sighting of chunk.sightings.values())
    for (const session of sighting.sessions) holding.add(session)
  for (const session of holding)
    if (!chunk.facts.has(session)) chunk.facts.set(session, bare(target.undatedTs))
  const projects = new Map<string, string | null>()
  const ids: string[] = []
  for (const [native, facts] of chunk.facts) {
    const id = keyIn(target, native)
    learn(journal, target, id, facts)
    const known = sessionSql.sessionRow(journal.db, id)
    if (!holding.has(native) && !known) continue
    projects.set(native, sumUp(journal, target, id, native, known))
    if (holding.has(native)) ids.push(id)
  }
  return { ids, projects }
}

const bare = (ts: number): Facts => ({
  firstTs: ts,
  lastTs: ts,
  cwd: null,
  gitBranch: null,
  project: null,
  title: null,
  parent: null,
})

function learn(journal: JournalContext, target: ChunkTarget, id: string, facts: Facts): void {
  const clean = (text: string | null): string | null =>
    text && journal.redact(strip(text.toWellFormed(), journal.receipts), 'name').text
  const cwd = facts.cwd
  sessionSql.mergeFileSession(journal.db, {
    file_id: target.file.id,
    session_id: id,
    first_ts: facts.firstTs,
    last_ts: facts.lastTs,
    project: clean(target.sourceProject ?? facts.project ?? (cwd && journal.projectOf(cwd))),
    cwd: clean(cwd),
    git_branch: clean(facts.gitBranch),
    title: clean(facts.title),
    parent_id: facts.parent && keyIn(target, facts.parent),
  })
}

/** The session's row from all its files: the first file's word counts, the last file's title. */
function sumUp(
  journal: JournalContext,
  target: ChunkTarget,
  id: string,
  native: string,
  known: sessionSql.SessionRow | undefined,
): string | null {
  const files = sessionSql.fileSessions(journal.db, id)
  const first = <K extends keyof sessionSql.FileSessionRow>(key: K) =>
    files.find((file) => file[key] !== null)?.[key] ?? null
  const row: sessionSql.SessionRow = {
    id,
    native_id: native,
    agent: agentOf(target, native),
    project: currentName(journal.db, first('project') as string | null),
    cwd: first('cwd') as string | null,
    git_branch: first('git_branch') as string | null,
    title: (files.findLast((file) => file.title !== null)?.title ?? null) as string | null,
    parent_id: first('parent_id') as string | null,
    started_at: Math.min(...files.map((file) => file.first_ts)),
    ended_at: Math.max(...files.map((file) => file.last_ts)),
  }
  sessionSql.putSession(journal.db, row)
  if (known && known.project !== row.project) {
    sessionSql.renameSessionProject(journal.db, id, known.project, row.project)
  }
  return row.project
}

/** Asks for what depends on the session as a whole; call it when the items are written, since they count. */
export function queueIfDerived(journal: JournalContext, id: string): void {
  const { db } = journal
  if (sessionSql.needsSettling(db, id, journal.budget)) sessionSql.queueSettle(db, id)
  // What a sub-agent did may also be told by a rendering of the session that started it.
  const parent = sessionSql.sessionRow(db, id)?.parent_id
  if (parent && sessionSql.needsSettling(db, parent, journal.budget)) sessionSql.queueSettle(db, parent)
  for (const child of sessionSql.childSessions(db, id)) sessionSql.queueSettle(db, child)
}

/** What this chunk tells of how sessions hang together; worked out when they are settled. */
export function writeBranches(db: WriteDb, target: ChunkTarget, chunk: Chunk): void {
  for (const { child, call } of chunk.spawned) {
    const id = keyIn(target, child)
    if (branchSql.putCall(db, id, call)) sessionSql.queueSettle(db, id)
  }
  for (const { session, from, to } of chunk.rewinds) {
    const id = keyIn(target, session)
    branchSql.putRewind(db, { session_id: id, from_handle: from, to_handle: to, file_id: target.file.id })
    sessionSql.queueSettle(db, id)
  }
}

/** Items that name a project of their own which goes by another name now. */
export function followMerge(db: WriteDb, project: string): void {
  const name = projectSql.projectAlias(db, project)
  if (name !== undefined) projectSql.moveProject(db, project, name)
}
