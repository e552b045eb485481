import { basename } from 'node:path'
import type { FormatContext, SessionFacts } from '../../drafts'
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import type { Entry, Json } from './envelope'

// Whose history a record tells. A fork or a sub-agent begins with a copy of its parent's history under new times.

/** A copy is written in one go; a turn of one's own comes after a person or a model took its time. */
const BURST_MS = 1_000
const BURST_WITH_TURNS_MS = 5_000

export interface LineageState {
  own: string | null
  /** Whose history this file begins with; null when none was found. */
  parent: string | null
  /** A sub-agent: what looks like the person's words in it are another agent's. */
  child: boolean
  bornMs: number | null
  startOrdinal: number | null
  /** Records are the parent's until this turns false; it never turns true again. */
  copying: boolean
  /** A head line of the parent's own was copied too. */
  sawParent: boolean
  sawTurn: boolean
  lastTs: number | null
  /** When the inherited turn really began, from its id. */
  turnMs: number | null
}

export const freshLineage = (): LineageState => ({
  own: null,
  parent: null,
  child: false,
  bornMs: null,
  startOrdinal: null,
  copying: false,
  sawParent: false,
  sawTurn: false,
  lastTs: null,
  turnMs: null,
})

const ID_IN_NAME = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/i

/** The session a file is called by, when no head line says it. */
export function nameOf(path: string): string {
  const found = ID_IN_NAME.exec(path)?.[1]
  return found ?? basename(path).replace(/\.jsonl(\.zst)?$/i, '')
}

/** Milliseconds since 1970 that a UUIDv7 holds; null for any other id. */
export function uuidMs(id: string): number | null {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id)
  return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : null
}

/** Takes in a head line. Answers what it says about the session it names. */
export function meet(
  state: LineageState,
  entry: Entry,
  { path, mask }: Pick<FormatContext, 'path' | 'mask'>,
): SessionFacts {
  const { payload } = entry
  const id = mask(asString(payload.id) ?? asString(payload.session_id) ?? nameOf(path))
  const born = timestampOf(payload.timestamp)
  if (state.own === null) {
    state.own = id
    state.bornMs = born ?? entry.ts
    descend(state, payload, mask)
  } else if (id !== state.own && !state.sawParent && isHead(state, entry)) {
    // Only the copy of a parent's history holds the parent's own head line.
    state.copying = true
    state.sawParent = true
    state.parent ??= id
  }
  const git = isObject(payload.git) ? payload.git : {}
  const cwd = asString(payload.cwd)
  const gitBranch = asString(git.branch)
  const isOwn = id === state.own
  return {
    session: id,
    ts: isOwn ? (entry.ts ?? born) : born,
    ...(cwd ? { cwd } : {}),
    ...(gitBranch ? { gitBranch } : {}),
    ...(isOwn && state.child && state.parent ? { parent: state.parent } : {}),
  }
}

/** A foreign head line counts as the start of a copy while nothing of this session's own was read. */
const isHead = (state: LineageState, entry: Entry): boolean =>
  state.copying || !state.sawTurn || (entry.ts ?? 0) - (state.lastTs ?? 0) <= BURST_MS

function descend(state: LineageState, payload: Json, mask: (name: string) => string): void {
  const source = isObject(payload.source) ? payload.source : {}
  const subagent = source.subagent ?? source.sub_agent
  const spawn = isObject(subagent) && isObject(subagent.thread_spawn) ? subagent.thread_spawn : {}
  const spawner = asString(payload.parent_thread_id) ?? asString(spawn.parent_thread_id)
  const forked = asString(payload.forked_from_id)
  state.child = subagent !== undefined || spawner !== null || payload.thread_source === 'subagent'
  const parent = spawner ?? forked
  if (parent && mask(parent) !== state.own) state.parent = mask(parent)
  const start = payload.subagent_history_start_ordinal
  if (typeof start === 'number' && start > 0) state.startOrdinal = start
  // A fork whose parent left no head line begins with the parent's history all the same.
  state.copying = state.parent !== null && (state.startOrdinal !== null || (forked !== null && !state.child))
}

/** Whether this record repeats the parent's history. Call once for each record, in order. */
export function isCopied(state: LineageState, entry: Entry, turnId: string | null): boolean {
  const before = state.lastTs
  if (entry.ts !== null) state.lastTs = entry.ts
  if (turnId !== null) state.sawTurn = true
  if (!state.copying) return false
  const gap = entry.ts !== null && before !== null ? entry.ts - before : 0
  const turnMs = turnId === null ? null : uuidMs(turnId)
  if (turnMs !== null) state.turnMs = turnMs
  if (state.startOrdinal !== null && entry.ordinal !== null) {
    state.copying = entry.ordinal < state.startOrdinal
  } else if (turnMs !== null && state.bornMs !== null) {
    state.copying = turnMs < state.bornMs
  } else {
    state.copying = gap <= (state.turnMs === null ? BURST_MS : BURST_WITH_TURNS_MS)
  }
  return state.copying
}
