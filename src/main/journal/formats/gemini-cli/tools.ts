import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import { type CallItem, planItem } from '../claude-code/calls'
import { readGeminiCall, resultText, shellOutput } from './calls'

// A tool call carries its own result, which comes when the message is told again.

type Json = Record<string, unknown>

const OUTPUT_LIMIT = 1_600
const TERMINAL = new Set(['success', 'error', 'cancelled'])

export interface Told {
  name: string
  /** The call itself; null when it is no item. */
  item: CallItem | null
  /** What came of it, as an item of its own: an error, or the person's decision. */
  outcome: CallItem | null
  /** Nothing more will be told. */
  settled: boolean
  skip: string | null
}

/** Reads one of a message's calls; `id` names it where it has no id of its own. */
export function readTool(call: Json, id: string): Told {
  const name = asString(call.name) ?? 'unknown'
  const callId = asString(call.id) ?? id
  const settled = TERMINAL.has(String(call.status))
  const result = resultText(call)
  const told = { name, settled, skip: null }
  if (name === 'exit_plan_mode') return { ...told, ...planCall(call, callId, result) }
  if (name === 'ask_user')
    return { ...told, item: null, outcome: answered(call, callId, result), skip: 'question' }
  const reading = readGeminiCall(name, call.args, callId)
  if (!('kind' in reading))
    return { ...told, item: null, outcome: null, skip: 'skip' in reading ? reading.skip : 'question' }
  const item = settled ? completed(reading, result) : reading
  return { ...told, item, outcome: outcomeOf(call, callId, name, item, result) }
}

function outcomeOf(
  call: Json,
  toolUseId: string,
  tool: string,
  item: CallItem,
  result: { text: string; failed: boolean },
): CallItem | null {
  const subject = firstLine(item.text, 120)
  if (call.status === 'cancelled') {
    const data = { of: 'tool', toolUseId, verdict: 'bare-stop', words: '', tool } as const
    return { kind: 'decision', text: `Stopped at ${subject}`, data, importance: 0.9 }
  }
  if (!result.failed || result.text === '') return null
  const text = headTail(`${subject}\n${stripInjected(result.text)}`, 8_000)
  return { kind: 'error', text, data: { tool }, importance: 0.6 }
}

function completed(call: CallItem, result: { text: string; failed: boolean }): CallItem {
  const text = stripInjected(result.text)
  if (call.kind === 'command') {
    const { output, exitCode } = shellOutput(text)
    const failed = result.failed || (exitCode ?? 0) !== 0
    const code = exitCode === undefined ? {} : { exitCode }
    const data = { ...(call.data as ItemData<'command'>), failed, ...code }
    const printed = headTail(normalise(output).trim(), OUTPUT_LIMIT)
    return { ...call, data, text: printed === '' ? call.text : `${call.text}\n${printed}` }
  }
  if (call.kind !== 'note' || text.trim() === '') return call
  return { ...call, text: `${call.text}\n→ ${headTail(text.trim(), 6_000)}` }
}

/** The plan stands in a file; the call only names it. */
function planCall(
  call: Json,
  toolUseId: string,
  result: { text: string },
): { item: CallItem; outcome: CallItem | null } {
  const args = isObject(call.args) ? call.args : {}
  const file = asString(args.plan_path) ?? asString(args.plan_filename)
  const item = planItem(asString(args.plan) ?? '', toolUseId, file)
  const head = result.text.slice(0, 300)
  const words = /feedback:\s*([\s\S]+)$/i.exec(result.text)?.[1]?.trim() ?? ''
  const approved = /\bplan approved\b/i.test(head)
  if (!approved && call.status !== 'cancelled' && !/\bplan rejected\b/i.test(head))
    return { item, outcome: null }
  const verdict = approved ? 'approve' : words === '' ? 'bare-stop' : 'refused'
  const said = headTail(approved ? '' : words, 20_000)
  const what = { approve: 'Approved', refused: 'Sent back', 'bare-stop': 'Stopped at' }[verdict]
  const text = `${what} the plan${file ? ` ${file}` : ''}${said === '' ? '' : `: ${said}`}`
  const data = { of: 'plan', toolUseId, verdict, words: said, tool: 'exit_plan_mode' } as const
  return { item, outcome: { kind: 'decision', text, data, importance: 0.9 } }
}

function answered(call: Json, toolUseId: string, result: { text: string; failed: boolean }): CallItem | null {
  if (call.status !== 'success' || result.failed) return null
  const args = isObject(call.args) ? call.args : {}
  const questions = Array.isArray(args.questions) ? args.questions.filter(isObject) : []
  const given = answersIn(result.text)
  const lines = given.map(([at, answer]) => `${asString(questions[at]?.question) ?? 'Answer'} → ${answer}`)
  if (lines.length === 0) return null
  const words = headTail(normalise(lines.join('\n')), 20_000)
  const data = { of: 'question', toolUseId, verdict: 'answered', words, tool: 'ask_user' } as const
  return { kind: 'decision', text: words, data, importance: 0.9 }
}

/** `{"answers":{"0":"…"}}`. */
function answersIn(text: string): [at: number, answer: string][] {
  try {
    const value: unknown = JSON.parse(text)
    const answers = isObject(value) && isObject(value.answers) ? Object.entries(value.answers) : []
    return answers.flatMap(([at, answer]) =>
      typeof answer === 'string' ? [[Number(at), answer] as const] : [],
    ) as [number, string][]
  } catch {
    return []
  }
}
