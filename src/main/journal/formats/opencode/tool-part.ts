import type { Outcome } from '../../drafts'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import type { CallItem } from '../claude-code/calls'
import { because, type Where } from '../speech'
import type { Thread } from '../thread'
import { answersIn, type Json, type Result, readOpencodeCalls, readState } from './calls'

const OUTPUT_LIMIT = 1_600
/** Parts of a call: its items, then what came of it. */
const ENDING = 1_000

/** Reads a tool part: the call and, in its state, what came of it. */
export function readTool(thread: Thread, value: Json, out: Outcome, where: Where): void {
  const name = asString(value.tool) ?? 'unknown'
  const id = asString(value.callID) ?? where.recordId ?? ''
  const state = isObject(value.state) ? value.state : {}
  const result = readState(state)
  const readings = readOpencodeCalls(name, state.input, id)
  let subject = ''
  for (const [at, reading] of readings.entries()) {
    if ('skip' in reading) because(out, reading.skip)
    else if ('held' in reading) answered(thread, name, id, state, out, where)
    else {
      subject ||= firstLine(reading.text, 120)
      const draft = thread.did(out, where, partOf(thread, where, at), finished(reading, result), name)
      const child = childOf(state)
      if (child) out.spawned = [...(out.spawned ?? []), { child, call: draft.handle }]
    }
  }
  if (subject === '' && !readings.some((reading) => 'kind' in reading)) return
  if (name === 'plan_exit') decided(thread, name, id, result, out, where)
  else if (result.refused !== null) refused(thread, { name, id, subject }, result.refused, out, where)
  else if (result.failed && result.text !== '') errored(thread, name, subject, result, readings, out, where)
}

const partOf = (thread: Thread, where: Where, part: number) => thread.partId(where.recordId ?? '', part)

function childOf(state: Json): string | null {
  const metadata = isObject(state.metadata) ? state.metadata : {}
  return asString(metadata.sessionId) ?? asString(metadata.sessionID)
}

function finished(call: CallItem, result: Result): CallItem {
  const text = normalise(stripInjected(result.text)).trim()
  const bad = result.failed || result.refused !== null
  if (call.kind === 'command') {
    const code = result.exitCode === null ? {} : { exitCode: result.exitCode }
    const data = { ...(call.data as ItemData<'command'>), failed: bad, ...code }
    const printed = bad ? '' : headTail(text, OUTPUT_LIMIT)
    return { ...call, data, text: printed === '' ? call.text : `${call.text}\n${printed}` }
  }
  if (call.kind !== 'note' || bad || text === '') return call
  return { ...call, text: `${call.text}\n→ ${headTail(text, 6_000)}` }
}

function errored(
  thread: Thread,
  tool: string,
  subject: string,
  result: Result,
  readings: readonly unknown[],
  out: Outcome,
  where: Where,
): void {
  const [call] = readings as CallItem[]
  const data = call?.data as { command?: string; path?: string } | undefined
  const of = {
    ...(typeof data?.command === 'string' ? { command: headTail(data.command, 2_000) } : {}),
    ...(typeof data?.path === 'string' ? { path: data.path } : {}),
  }
  const text = headTail(`${subject}\n${normalise(stripInjected(result.text)).trim()}`, 8_000)
  const item = { kind: 'error', role: 'tool', tool, text, data: { tool, ...of }, importance: 0.6 } as const
  thread.add(out, where, partOf(thread, where, ENDING), item)
}

function decision(
  thread: Thread,
  text: string,
  data: ItemData<'decision'>,
  out: Outcome,
  where: Where,
): void {
  const item = { kind: 'decision', role: 'user', tool: data.tool ?? null, data, importance: 0.9 } as const
  const shown = headTail(normalise(text), 20_000)
  thread.add(out, where, partOf(thread, where, ENDING), { ...item, text: shown })
}

function refused(
  thread: Thread,
  call: { name: string; id: string; subject: string },
  words: string,
  out: Outcome,
  where: Where,
): void {
  const verdict = words === '' ? 'bare-stop' : 'refused'
  const text = words === '' ? `Stopped at ${call.subject}` : `Sent back ${call.subject}: ${words}`
  decision(thread, text, { of: 'tool', toolUseId: call.id, verdict, words, tool: call.name }, out, where)
}

/** The question that ends plan mode: a yes lets the plan be carried out. */
function decided(thread: Thread, tool: string, id: string, result: Result, out: Outcome, where: Where): void {
  if (result.failed && result.refused === null) return
  const words = result.refused ?? ''
  const verdict = result.refused === null ? 'approve' : words === '' ? 'bare-stop' : 'refused'
  const what = { approve: 'Approved', refused: 'Sent back', 'bare-stop': 'Stopped at' }[verdict]
  const text = `${what} the plan${words === '' ? '' : `: ${words}`}`
  decision(thread, text, { of: 'plan', toolUseId: id, verdict, words, tool }, out, where)
}

function answered(thread: Thread, tool: string, id: string, state: Json, out: Outcome, where: Where): void {
  const words = headTail(normalise(answersIn(state.input, state)), 20_000)
  if (words === '') because(out, 'unanswered')
  else
    decision(thread, words, { of: 'question', toolUseId: id, verdict: 'answered', words, tool }, out, where)
}
