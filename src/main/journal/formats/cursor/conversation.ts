import { sha256 } from '../../handles'
import type { StoredRecord } from '../../stores/store'
import { asString, isObject } from '../../text'
import type { Json } from './calls'

// The messages of a conversation in their order, as rows of their own or inside of the conversation's.

/** What the reader is told of a message beside its value. */
export interface BubbleAbout {
  kind: 'bubble'
  /** Its id; unique in itself. */
  id: string
  /** It is part of the conversation as it stands; others were left behind when the person went back. */
  listed: boolean
  /** The conversation's first. */
  first: boolean
}

interface Row {
  rowid: number
  stamp: string
  size: number
}

const RUNNING = /^(?:loading|running|pending|streaming|created|generating)$/i

/** Messages that are rows of their own, in the order of the conversation's list. */
export function rowRecords(
  composer: string,
  value: Json,
  rows: ReadonlyMap<string, Row>,
  read: (rowid: number) => Buffer | null,
): StoredRecord[] {
  const headers = Array.isArray(value.fullConversationHeadersOnly)
    ? value.fullConversationHeadersOnly.filter(isObject)
    : []
  const order = headers.map((header) => asString(header.bubbleId)).filter((id) => id !== null)
  const listed = new Set(order)
  const rest = [...rows].filter(([id]) => !listed.has(id)).sort(([, a], [, b]) => a.rowid - b.rowid)
  const ids = [...listed, ...rest.map(([id]) => id)].filter((id) => rows.has(id))
  const open = openFrom(value, headers, rows, read)
  return ids.map((id, at) => {
    const row = rows.get(id) as Row
    return {
      key: `bubbleId:${composer}:${id}`,
      stamp: sha256(row.stamp).slice(0, 16),
      size: row.size,
      closed: open === null || at < ids.indexOf(open),
      about: {
        kind: 'bubble',
        id,
        listed: listed.size === 0 || listed.has(id),
        first: at === 0,
      } satisfies BubbleAbout,
      read: () => read(row.rowid),
    }
  })
}

/** The first message that is still being written; null when none is. Only behind the person's last words there is one. */
function openFrom(
  value: Json,
  headers: readonly Json[],
  rows: ReadonlyMap<string, Row>,
  read: (rowid: number) => Buffer | null,
): string | null {
  const writing = new Set(Array.isArray(value.generatingBubbleIds) ? value.generatingBubbleIds : [])
  const asked = headers.findLastIndex((header) => header.type === 1)
  for (const header of headers.slice(asked + 1)) {
    const id = asString(header.bubbleId)
    const row = id === null ? undefined : rows.get(id)
    if (id === null || !row) continue
    if (writing.has(id) || isRunning(read(row.rowid))) return id
  }
  const last = asString(headers.at(-1)?.bubbleId)
  return value.status === 'generating' && headers.at(-1)?.type === 2 && last !== null && rows.has(last)
    ? last
    : null
}

function isRunning(bytes: Buffer | null): boolean {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    const tool = isObject(value) && isObject(value.toolFormerData) ? value.toolFormerData : {}
    return RUNNING.test(String(tool.status ?? ''))
  } catch {
    return false
  }
}

/** Messages inside of one value. One without an id is known by its place. */
export function inlineRecords(conversation: string, bubbles: readonly unknown[]): StoredRecord[] {
  return bubbles.map((bubble, at) => {
    const bytes = Buffer.from(JSON.stringify(bubble))
    const own = isObject(bubble) ? (asString(bubble.bubbleId) ?? asString(bubble.id)) : null
    const id = own ?? `${conversation}:${at}`
    return {
      key: `bubbleId:${conversation}:${id}`,
      stamp: sha256(bytes).slice(0, 16),
      size: bytes.length,
      closed: true,
      about: { kind: 'bubble', id, listed: true, first: at === 0 } satisfies BubbleAbout,
      read: () => bytes,
    }
  })
}
