import { basename } from 'node:path'
import type { FormatContext, SessionFacts } from '../../drafts'
import { parseTime } from '../../local-time'
import { asString, saneTime } from '../../text'

/** The frame every chain record shares. */
export interface Chain {
  uuid: string | null
  /** The record it follows; behind a compaction, the one before that. */
  follows: string | null
  session: string
  /** A record of a sub-agent that stands inside its parent's file. */
  inlineSide: boolean
  /** The session is a sub-agent's own. */
  child: boolean
  ts: number | null
  facts: SessionFacts
}

/** Milliseconds since 1970 of what a record gives as its time; null for what is none, or none of our days. */
export function timestampOf(value: unknown): number | null {
  if (typeof value === 'number') return saneTime(value < 1e11 ? value * 1000 : value)
  return typeof value === 'string' ? saneTime(parseTime(value)) : null
}

/**
 * Session and place in it. In a sub-agent's file `sessionId` is the parent's; the child is known by its `agentId`, in
 * older files by the file's name. A file name never becomes a project.
 */
export function chainOf(
  record: Record<string, unknown>,
  { path, mask }: Pick<FormatContext, 'path' | 'mask'>,
): Chain {
  const stem = basename(path).replace(/\.jsonl(\.[a-z]+)?$/i, '')
  const sessionId = mask(asString(record.sessionId) ?? stem)
  const side = record.isSidechain === true
  const agentId = asString(record.agentId)
  const ownFile = stem.startsWith('agent-')
  const child = side && (agentId !== null || ownFile)
  const name = agentId ? `agent-${agentId}` : stem
  const session = child ? `${sessionId}/${mask(name)}` : sessionId
  const ts = timestampOf(record.timestamp)
  const cwd = asString(record.cwd)
  const gitBranch = asString(record.gitBranch)
  return {
    uuid: asString(record.uuid),
    follows: asString(record.parentUuid) ?? asString(record.logicalParentUuid),
    session,
    inlineSide: side && !child,
    child,
    ts,
    facts: {
      session,
      ts,
      ...(cwd ? { cwd } : {}),
      ...(gitBranch ? { gitBranch } : {}),
      ...(child ? { parent: sessionId } : {}),
    },
  }
}
