import { basename, dirname } from 'node:path'
import type { FormatContext, SessionFacts } from '../../drafts'
import { sha256 } from '../../handles'
import { asString, isObject, normalise } from '../../text'
import { partsOf } from './parts'

// What can be said of a record of a growing session without knowing the records before it.

type Json = Record<string, unknown>

/** The prose of one message of a record, which may hold many; `id` as `mask` leaves it. */
export function proseIn(record: unknown, id: string | null, mask: (name: string) => string): string | null {
  if (!isObject(record)) return null
  const list = isObject(record.$set) ? record.$set.messages : record.messages
  const messages = Array.isArray(list) ? list.filter(isObject) : [record]
  const found = messages.find((message) => typeof message.id === 'string' && mask(message.id) === id)
  return found ? partsOf(found).text : null
}

/** What the session's own facts say: where it works, what it is called. */
export function about(record: Json): Partial<SessionFacts> {
  const directories = Array.isArray(record.directories) ? record.directories : []
  const cwd = asString(directories[0])
  const title = asString(record.summary)
  return { ...(cwd ? { cwd } : {}), ...(title ? { title: normalise(title).slice(0, 200) } : {}) }
}

/** `chats/<parent>/<id>.jsonl` is a sub-agent's. */
export function parentOf({ path, mask }: FormatContext): string | null {
  const folder = dirname(path)
  return basename(dirname(folder)) === 'chats' ? mask(basename(folder)) : null
}

/** Ids are foreign text: only their hash is kept between readings. */
export const keyOf = (id: string): string => sha256(id).slice(0, 16)

/** What a message says and does, whatever its id. */
export function wordsOf(message: Json): string {
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : []
  const text = partsOf(message).text.replace(/\s+/g, ' ')
  return sha256([message.type, text, ...calls.map((call) => call.id)].join('\0')).slice(0, 12)
}
