import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import type { About } from './reader'

// What a message says of itself and of its parts. The same in the database and in the old files.

export interface MessageBrief {
  role: string
  summary: boolean
  /** It is whole: a person's, or an agent's that has ended. */
  done: boolean
  error: unknown
  ts: number | null
}

/** @param created when its row says it was made, in milliseconds; 0 when it does not say */
export function briefOf(bytes: Buffer | null, created: number): MessageBrief {
  const value = parsed(bytes)
  const role = asString(value.role) ?? ''
  const time = isObject(value.time) ? value.time : {}
  return {
    role,
    summary: role === 'assistant' && (value.summary === true || value.mode === 'compaction'),
    done: role !== 'assistant' || time.completed !== undefined || isObject(value.error),
    error: isObject(value.error) ? value.error : null,
    ts: timestampOf(time.created) ?? (created || null),
  }
}

function parsed(bytes: Buffer | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

export const aboutOf = (kind: About['kind'], brief: MessageBrief, created: number | null): About => ({
  kind,
  role: brief.role,
  summary: brief.summary,
  ts: brief.ts ?? created,
})

interface Entry {
  id: string
  message: string
  created: number
}

export interface Ordered<M, P> {
  entry: M | P
  of: M
  closed: boolean
}

/** Messages in the order they were made, each followed by its parts; ids of one time count up. */
export function inOrder<M extends Entry & { brief: MessageBrief }, P extends Entry>(
  messages: readonly M[],
  parts: readonly P[],
): Ordered<M, P>[] {
  const byMessage = new Map<string, P[]>()
  for (const part of parts) {
    const list = byMessage.get(part.message)
    if (list) list.push(part)
    else byMessage.set(part.message, [part])
  }
  const sorted = [...messages].sort((a, b) => time(a) - time(b) || compare(a.id, b.id))
  return sorted.flatMap((of, at) => {
    // What another message follows is not written to any more.
    const closed = of.brief.done || at < sorted.length - 1
    const own = (byMessage.get(of.id) ?? []).sort((a, b) => compare(a.id, b.id))
    return [{ entry: of, of, closed }, ...own.map((entry) => ({ entry, of, closed }))]
  })
}

const time = ({ created, brief }: Entry & { brief: MessageBrief }): number => brief.ts ?? created
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
