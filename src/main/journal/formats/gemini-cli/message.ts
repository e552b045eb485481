import type { Outcome } from '../../drafts'
import { stripInjected } from '../../injected'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import type { CallItem } from '../claude-code/calls'
import { because, type Where } from '../speech'
import type { Talk } from '../talk'
import { readGeminiCall, resultText, shellOutput } from './calls'

const OUTPUT_LIMIT = 1_600
/** Parts of a message: its prose, then two for each call. */
const CALL = 1

type Json = Record<string, unknown>

/** What one message says and does. Its id makes its parts' identity, so that a message written again is the same. */
export function readMessage(talk: Talk, out: Outcome, where: Where, message: Json): void {
  const id = where.recordId ?? ''
  const text = normalise(stripInjected(textOf(message.content))).trim()
  const kind = typeof message.type === 'string' ? message.type : ''
  if (kind === 'user') {
    if (/^<session_context>/.test(text)) because(out, 'injected')
    else if (text !== '') talk.asked(out, where, talk.partId(id, 0), text)
  } else if (kind === 'gemini') {
    if (text !== '') talk.said(out, where, talk.partId(id, 0), text)
    const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : []
    for (const [at, call] of calls.entries()) readCallOf(talk, out, where, call, CALL + at * 2)
    if (Array.isArray(message.thoughts)) because(out, 'thinking')
  } else if (kind === 'error' && text !== '') {
    const item: CallItem = {
      kind: 'error',
      text: headTail(text, 8_000),
      data: { tool: 'api' },
      importance: 0.3,
    }
    talk.did(out, where, talk.partId(id, 0), item, 'api')
  } else because(out, kind === 'info' || kind === 'warning' ? kind : 'unknown-record')
}

/** Content is a string, or parts like the API's. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return isObject(content) ? (asString(content.text) ?? '') : ''
  return content
    .map((part) => (typeof part === 'string' ? part : isObject(part) ? (asString(part.text) ?? '') : ''))
    .join('\n')
}

function readCallOf(talk: Talk, out: Outcome, where: Where, call: Json, part: number): void {
  const id = where.recordId ?? ''
  const name = asString(call.name) ?? 'unknown'
  const callId = asString(call.id) ?? `${id}-${part}`
  const reading = readGeminiCall(name, call.args, callId)
  if (!('kind' in reading)) {
    if ('skip' in reading) because(out, reading.skip)
    return
  }
  const result = resultText(call)
  talk.did(out, where, talk.partId(id, part), completed(reading, result), name)
  const next = talk.partId(id, part + 1)
  const subject = firstLine(reading.text, 120)
  if (call.status === 'cancelled') {
    const data = { of: 'tool', toolUseId: callId, verdict: 'bare-stop', words: '', tool: name } as const
    talk.did(
      out,
      where,
      next,
      { kind: 'decision', text: `Stopped at ${subject}`, data, importance: 0.9 },
      name,
      'user',
    )
  } else if (result.failed && result.text !== '') {
    const item: CallItem = {
      kind: 'error',
      text: headTail(`${subject}\n${stripInjected(result.text)}`, 8_000),
      data: { tool: name },
      importance: 0.6,
    }
    talk.did(out, where, next, item, name, 'tool')
  }
}

function completed(call: CallItem, result: { text: string; failed: boolean }): CallItem {
  const text = stripInjected(result.text)
  if (call.kind === 'command') {
    const { output, exitCode } = shellOutput(text)
    const failed = result.failed || (exitCode ?? 0) !== 0
    const data = {
      ...(call.data as { command: string }),
      failed,
      ...(exitCode === undefined ? {} : { exitCode }),
    }
    const printed = headTail(normalise(output).trim(), OUTPUT_LIMIT)
    return { ...call, data, text: printed === '' ? call.text : `${call.text}\n${printed}` }
  }
  if (call.kind !== 'note' || text.trim() === '') return call
  return { ...call, text: `${call.text}\n→ ${headTail(text.trim(), 6_000)}` }
}
