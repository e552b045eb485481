import type { Agent, Handle } from '../../../shared/domain'
import type { sourcesSql } from '../../store'
import { type Disposition, type Draft, knows, type Outcome, type Place, type SessionFacts } from '../drafts'
import { sessionKey } from '../handles'

export interface ChunkTarget {
  file: sourcesSql.FileRow
  agent: Agent
  /** Whose sessions these are, where it is not the format's agent. */
  agents?: ReadonlyMap<string, Agent>
  /** The format renders other agents' sessions. */
  rendering?: boolean
  sourceProject: string | null
  /** Stands in for times nobody stated. */
  undatedTs: number
  /** The new watermark. */
  progress: Omit<
    sourcesSql.FileProgress,
    'read' | 'used' | 'attached' | 'dropped' | 'duplicates' | 'errors' | 'masked'
  >
}

export const agentOf = ({ agent, agents }: ChunkTarget, native: string): Agent => agents?.get(native) ?? agent

/** The database's id of a session: whose it is, and its native id. */
export const keyIn = (target: ChunkTarget, native: string): string =>
  sessionKey(agentOf(target, native), native)

/** Every session a draft was seen in, and the reading of it that wins within this chunk. */
export interface Sighting {
  draft: Draft
  sessions: Set<string>
}

export interface RecordEntry {
  line: number
  byteOffset: number
  disposition: Disposition
  own: Handle[]
  /** Its identity in a document. */
  turn: string | null
  /** What it completes, and where the call stands that it answers. */
  completes: { handle: Handle; byteOffset: number }[]
}

export interface Facts {
  firstTs: number
  lastTs: number
  cwd: string | null
  gitBranch: string | null
  project: string | null
  title: string | null
  parent: string | null
}

/** Records read but not yet written: one transaction's worth. */
export class Chunk {
  readonly sightings = new Map<Handle, Sighting>()
  readonly records: RecordEntry[] = []
  readonly facts = new Map<string, Facts>()
  /** Whose sessions these are, where it is not the agent of the file's format. */
  readonly agents = new Map<string, Agent>()
  readonly spawned: { child: string; call: Handle }[] = []
  readonly rewinds: { session: string; from: Handle; to: Handle }[] = []

  /** `ts` stands in where the record has none. */
  add(outcome: Outcome, place: Place, ts: number, damage?: string): void {
    for (const draft of [...outcome.own, ...outcome.completes, ...outcome.revises]) this.see(draft)
    if (outcome.facts?.agent) this.agents.set(outcome.facts.session, outcome.facts.agent)
    if (outcome.facts) this.learn(outcome.facts, outcome.facts.ts ?? ts)
    for (const facts of outcome.also ?? []) this.learn(facts, facts.ts ?? ts)
    this.spawned.push(...(outcome.spawned ?? []))
    this.rewinds.push(...(outcome.rewinds ?? []))
    const disposition: Disposition = damage ? { kind: 'error', reason: damage } : outcome.disposition
    this.records.push({
      line: place.line,
      byteOffset: place.byteOffset,
      disposition,
      own: outcome.own.map((draft) => draft.handle),
      turn: outcome.turn ?? null,
      completes: outcome.completes.map(({ handle, place: { byteOffset } }) => ({ handle, byteOffset })),
    })
  }

  /** Projects that records name themselves, apart from their sessions'. */
  ownProjects(): Set<string> {
    const names = new Set<string>()
    for (const { draft } of this.sightings.values()) if (draft.project) names.add(draft.project)
    return names
  }

  private see(draft: Draft): void {
    if (draft.agent) this.agents.set(draft.session, draft.agent)
    const known = this.sightings.get(draft.handle)
    if (!known) {
      this.sightings.set(draft.handle, { draft, sessions: new Set([draft.session]) })
      return
    }
    known.sessions.add(draft.session)
    const samePlace = known.draft.place.byteOffset === draft.place.byteOffset
    if (samePlace) known.draft = draft.ts === null ? { ...draft, ts: known.draft.ts } : draft
    else if (wins(draft, known.draft)) known.draft = draft
  }

  private learn(facts: SessionFacts, ts: number): void {
    const known = this.facts.get(facts.session)
    const until = Math.max(facts.until ?? ts, ts)
    if (!known) {
      this.facts.set(facts.session, {
        firstTs: ts,
        lastTs: until,
        cwd: facts.cwd ?? null,
        gitBranch: facts.gitBranch ?? null,
        project: facts.project ?? null,
        title: facts.title ?? null,
        parent: facts.parent ?? null,
      })
      return
    }
    known.firstTs = Math.min(known.firstTs, ts)
    known.lastTs = Math.max(known.lastTs, until)
    known.cwd ??= facts.cwd ?? null
    known.gitBranch ??= facts.gitBranch ?? null
    known.project ??= facts.project ?? null
    known.title = facts.title ?? known.title
    known.parent ??= facts.parent ?? null
  }
}

/** Of two sightings in one file: the one that knew more, then the smaller session id, then the earlier place. */
function wins(a: Draft, b: Draft): boolean {
  if (knows(a) !== knows(b)) return knows(a) > knows(b)
  if (a.session !== b.session) return a.session < b.session
  return a.place.byteOffset < b.place.byteOffset
}
