import type { Json } from './transcripts'

// Hand-made Codex rollout records: the frame of a real one, with content of our own.

/** A UUIDv7 of a moment, told apart by `n`. */
export function uuid7(ms: number, n: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-${n.toString(16).padStart(12, '0')}`
}

export interface Rollout {
  lines: Json[]
  id: string
  now(): number
  wait(ms: number): void
  add(type: string, payload: Json): Json
  meta(extra?: Json): Json
  /** A turn begins, with an id of its own unless `turns` is off. */
  turn(mode?: string): string
  /** The person's words, told twice as Codex does. */
  user(text: string, extra?: Json): void
  /** The agent's words, told twice. */
  said(text: string, phase?: string): void
  call(id: string, name: string, args: unknown): Json
  output(id: string, output: unknown): Json
  event(type: string, extra?: Json): Json
  done(): void
}

export interface RolloutOptions {
  start?: number
  cwd?: string
  /** Turns carry ids. */
  turns?: boolean
  ordinals?: boolean
}

/** Writes the records of one rollout; ids and times count up, so that the same calls give the same bytes. */
export function rollout(n = 1, options: RolloutOptions = {}): Rollout {
  const start = options.start ?? Date.parse('2026-07-02T09:00:00Z')
  let clock = start
  let turns = 0
  let turnId: string | null = null
  const id = uuid7(start, n)
  const lines: Json[] = []
  const add = (type: string, payload: Json): Json => {
    clock += 20
    const ordinal = options.ordinals ? { ordinal: lines.length } : {}
    const record = { timestamp: new Date(clock).toISOString(), ...ordinal, type, payload }
    lines.push(record)
    return record
  }
  const it: Rollout = {
    lines,
    id,
    now: () => clock,
    wait: (ms) => {
      clock += ms
    },
    add,
    meta: (extra = {}) =>
      add('session_meta', {
        id,
        timestamp: new Date(start).toISOString(),
        cwd: options.cwd ?? '/srv/shop',
        originator: 'codex_cli_rs',
        cli_version: '0.140.0',
        source: 'cli',
        git: { branch: 'main' },
        ...extra,
      }),
    turn: (mode = 'default') => {
      clock += 4_000
      turnId = uuid7(clock, n * 1000 + ++turns)
      const named = options.turns === false ? {} : { turn_id: turnId }
      add('event_msg', { type: 'task_started', ...named, collaboration_mode_kind: mode })
      add('turn_context', { ...named, cwd: options.cwd ?? '/srv/shop', collaboration_mode: { mode } })
      return turnId
    },
    user: (text, extra = {}) => {
      if (options.turns === false) clock += 4_000
      add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
      add('event_msg', { type: 'user_message', message: text, images: [], ...extra })
    },
    said: (text, phase) => {
      const named = phase ? { phase } : {}
      const spoken = text.replace(/<proposed_plan>[\s\S]*<\/proposed_plan>/, '').trim()
      if (spoken !== '') add('event_msg', { type: 'agent_message', message: spoken, ...named })
      add('response_item', {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text }],
        ...named,
      })
    },
    call: (callId, name, args) =>
      add(
        'response_item',
        typeof args === 'string'
          ? { type: 'custom_tool_call', name, input: args, call_id: callId }
          : { type: 'function_call', name, arguments: JSON.stringify(args), call_id: callId },
      ),
    output: (callId, output) =>
      add('response_item', { type: 'function_call_output', call_id: callId, output }),
    event: (type, extra = {}) => add('event_msg', { type, ...extra }),
    done: () => {
      const named = options.turns === false ? {} : { turn_id: turnId }
      add('event_msg', { type: 'task_complete', ...named, last_agent_message: 'x' })
    },
  }
  return it
}

/** The parent's records as a fork or a sub-agent repeats them: the same, under new times. */
export const copied = (records: readonly Json[], at: number): Json[] =>
  records.map((record, n) => ({ ...record, timestamp: new Date(at + n).toISOString() }))
