import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'

export type Json = Record<string, unknown>

/** One rollout line, whichever of the two envelopes it came in. */
export interface Entry {
  type: 'session_meta' | 'turn_context' | 'response_item' | 'event_msg' | 'compacted' | 'other'
  /** What the line calls itself; for an unknown line the name it is counted under. */
  name: string
  payload: Json
  ts: number | null
  /** Only in paginated files, and it can repeat. */
  ordinal: number | null
}

const TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])
const BARE_ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
])

/** Since September 2025 `{timestamp, type, payload}`; before, a head line and then bare items. */
export function entryOf(record: Json): Entry {
  const ts = timestampOf(record.timestamp)
  const ordinal = typeof record.ordinal === 'number' ? record.ordinal : null
  const name = asString(record.type) ?? ''
  if (isObject(record.payload)) {
    const type = TYPES.has(name) ? (name as Entry['type']) : 'other'
    return { type, name, payload: record.payload, ts, ordinal }
  }
  if (BARE_ITEMS.has(name)) return { type: 'response_item', name, payload: record, ts, ordinal }
  if (isBareHead(record)) return { type: 'session_meta', name: 'session_meta', payload: record, ts, ordinal }
  return { type: 'other', name: asString(record.record_type) ?? name, payload: record, ts, ordinal }
}

/** `{"id","timestamp","instructions","git"}`, the first line of an old rollout. */
export const isBareHead = (record: Json): boolean =>
  record.type === undefined &&
  typeof record.id === 'string' &&
  typeof record.timestamp === 'string' &&
  ('instructions' in record || 'git' in record)

/** How sure this record is one of a Codex rollout, 0 to 1. */
export function certainty(record: unknown): number {
  if (!isObject(record)) return 0
  const type = asString(record.type) ?? ''
  if (isObject(record.payload)) {
    if (TYPES.has(type) && typeof record.timestamp === 'string') return 0.98
    return TYPES.has(type) ? 0.9 : 0
  }
  if (record.record_type === 'state') return 0.85
  if (isBareHead(record)) return 0.85
  if (type === 'function_call' || type === 'function_call_output')
    return typeof record.call_id === 'string' ? 0.8 : 0
  if (type !== 'message' || !Array.isArray(record.content)) return 0
  const parts = record.content.filter(isObject)
  return parts.some((part) => part.type === 'input_text' || part.type === 'output_text') ? 0.8 : 0
}
