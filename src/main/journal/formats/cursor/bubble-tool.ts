import type { Handle } from '../../../../shared/domain'
import type { Outcome } from '../../drafts'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import type { CallItem } from '../claude-code/calls'
import { because, type Where } from '../speech'
import type { Thread } from '../thread'
import { type Json, plainName, readCursorCalls } from './calls'

// `toolFormerData` of a message: the call, what the person decided, what came of it.

const OUTPUT_LIMIT = 1_600
const ENDING = 100

interface Desk {
  out: Outcome
  where: Where
  part(at: number): Handle
}

interface Ending {
  text: string
  exitCode: number | null
  failed: boolean
  refused: boolean
  /** What the person said with it. */
  words: string
}

/** Reads a message's tool call. */
export function readBubbleTool(thread: Thread, tool: Json, desk: Desk): void {
  const { out, where } = desk
  const name = asString(tool.name) ?? 'unknown'
  const id = asString(tool.toolCallId) ?? where.recordId ?? ''
  const args = { ...objectIn(tool.params), ...objectIn(tool.rawArgs) }
  const result = objectIn(tool.result)
  const ending = endingOf(tool, result)
  let subject = ''
  for (const [at, reading] of readCursorCalls(name, args, id).entries()) {
    if ('skip' in reading) because(out, reading.skip)
    else if ('held' in reading) answered(thread, name, id, args, result, desk)
    else {
      subject ||= firstLine(reading.text, 120)
      thread.did(out, where, desk.part(at), finished(reading, ending), name)
    }
  }
  if (subject === '') return
  if (plainName(name) === 'createplan') decided(thread, name, id, tool, result, desk)
  else if (ending.refused) refused(thread, name, id, subject, ending.words, desk)
  else if (ending.failed && ending.text !== '') {
    const text = headTail(`${subject}\n${ending.text}`, 8_000)
    const item = {
      kind: 'error',
      role: 'tool',
      tool: name,
      text,
      data: { tool: name },
      importance: 0.6,
    } as const
    thread.add(out, where, desk.part(ENDING), item)
  }
}

/** JSON in a string, or the value itself. */
function objectIn(given: unknown): Json {
  if (isObject(given)) return given
  if (typeof given !== 'string' || given === '') return {}
  try {
    const value: unknown = JSON.parse(given)
    return isObject(value) ? value : { output: value }
  } catch {
    return { output: given }
  }
}

function endingOf(tool: Json, result: Json): Ending {
  const error = isObject(tool.error)
    ? (asString(tool.error.clientVisibleErrorMessage) ??
      asString(tool.error.message) ??
      asString(tool.error.modelVisibleErrorMessage))
    : asString(tool.error)
  const stated = [result.exitCodeV2, result.exitCode].find((code) => typeof code === 'number')
  const exitCode = typeof stated === 'number' ? stated : null
  const printed = result.output ?? result.contents ?? result.stdout
  const refused = tool.userDecision === 'rejected' || result.rejected === true || tool.status === 'rejected'
  return {
    text: normalise(stripInjected(error ?? (typeof printed === 'string' ? printed : ''))).trim(),
    exitCode,
    failed: tool.status === 'error' || error !== null || (exitCode !== null && exitCode !== 0),
    refused,
    words: headTail(normalise(asString(tool.userFeedback) ?? asString(result.feedback) ?? '').trim(), 20_000),
  }
}

function finished(call: CallItem, ending: Ending): CallItem {
  const bad = ending.failed || ending.refused
  if (call.kind === 'command') {
    const code = ending.exitCode === null ? {} : { exitCode: ending.exitCode }
    const data = { ...(call.data as ItemData<'command'>), failed: bad, ...code }
    const printed = bad ? '' : headTail(ending.text, OUTPUT_LIMIT)
    return { ...call, data, text: printed === '' ? call.text : `${call.text}\n${printed}` }
  }
  if (call.kind !== 'note' || bad || ending.text === '') return call
  return { ...call, text: `${call.text}\n→ ${headTail(ending.text, 6_000)}` }
}

function decision(
  thread: Thread,
  text: string,
  data: ItemData<'decision'>,
  { out, where, part }: Desk,
): void {
  const item = { kind: 'decision', role: 'user', tool: data.tool ?? null, data, importance: 0.9 } as const
  thread.add(out, where, part(ENDING), { ...item, text: headTail(normalise(text), 20_000) })
}

function refused(thread: Thread, tool: string, id: string, subject: string, words: string, desk: Desk): void {
  const verdict = words === '' ? 'bare-stop' : 'refused'
  const text = words === '' ? `Stopped at ${subject}` : `Sent back ${subject}: ${words}`
  decision(thread, text, { of: 'tool', toolUseId: id, verdict, words, tool }, desk)
}

/** A plan waits for the person; that it was accepted or not shows in the call. */
function decided(thread: Thread, tool: string, id: string, call: Json, result: Json, desk: Desk): void {
  const accepted = call.userDecision === 'accepted' || 'accepted' in result
  const rejected = call.userDecision === 'rejected' || 'rejected' in result
  if (!accepted && !rejected) return
  const said = isObject(result.rejected) ? asString(result.rejected.reason) : asString(call.userFeedback)
  const words = accepted ? '' : headTail(normalise(said ?? '').trim(), 20_000)
  const verdict = accepted ? 'approve' : words === '' ? 'bare-stop' : 'refused'
  const what = { approve: 'Approved', refused: 'Sent back', 'bare-stop': 'Stopped at' }[verdict]
  const text = `${what} the plan${words === '' ? '' : `: ${words}`}`
  decision(thread, text, { of: 'plan', toolUseId: id, verdict, words, tool }, desk)
}

/** The options chosen, by the labels they were shown with. */
function answered(thread: Thread, tool: string, id: string, args: Json, result: Json, desk: Desk): void {
  const questions = Array.isArray(args.questions) ? args.questions.filter(isObject) : []
  const answers = Array.isArray(result.answers) ? result.answers.filter(isObject) : []
  const lines = answers.flatMap((answer) => {
    const question = questions.find((one) => one.id === answer.questionId) ?? {}
    const options = Array.isArray(question.options) ? question.options.filter(isObject) : []
    const chosen = Array.isArray(answer.selectedOptionIds) ? answer.selectedOptionIds : []
    const labels = chosen.map((of) => asString(options.find((one) => one.id === of)?.label) ?? String(of))
    const given = [...labels, asString(answer.freeformText) ?? ''].filter((text) => text !== '').join(', ')
    return given === '' ? [] : [`${asString(question.prompt) ?? 'Answer'} → ${given}`]
  })
  const words = headTail(normalise(lines.join('\n')), 20_000)
  if (words === '') because(desk.out, 'unanswered')
  else decision(thread, words, { of: 'question', toolUseId: id, verdict: 'answered', words, tool }, desk)
}
