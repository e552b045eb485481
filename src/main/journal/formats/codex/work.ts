import type { Draft } from '../../drafts'
import { handleOf } from '../../handles'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import { errorData } from '../claude-code/results'
import { questionsOf, readCall, toolOf } from './calls'
import { AGENT, type Desk, type Sheet } from './desk'
import { entryOf, type Json } from './envelope'
import type { Held } from './memory'
import { answersIn, complaint, type Output, printed, readOutput } from './outputs'
import { heard } from './talk'

// Calls and what became of them, paired by `call_id`.

/** Ids made by the service are unique; short ones of other model servers are only within their turn. */
const UNIQUE = 16
const callHandle = (scope: string, id: string, part: number | string) =>
  id.length >= UNIQUE ? handleOf(AGENT, 'call', id, part) : handleOf(AGENT, 'call', scope, id, part)

/** A call of any kind. */
export function called(desk: Desk, sheet: Sheet, payload: Json): void {
  const { memory } = desk
  heard(desk, sheet.out)
  desk.close('note', sheet.out)
  const id = asString(payload.call_id) ?? asString(payload.id) ?? `at:${sheet.place.hash}`
  const reading = readCall(payload)
  const base = desk.base(sheet)
  const drafts = 'items' in reading ? callDrafts(base, payload, id, desk.scope(sheet.copied)) : []
  memory.holdCall(id, {
    ...desk.hold(sheet, base),
    handle: drafts[0]?.handle ?? null,
    drafts,
    ...(drafts.length === 0 ? { payload } : {}),
  })
  for (const draft of drafts) desk.own(sheet, draft)
  if ('skip' in reading) desk.reason(sheet.out, reading.skip)
  // A question waits for its answer and lives in the decision's item.
  if ('held' in reading) sheet.out.disposition = { kind: 'attached' }
}

function callDrafts(base: Draft, payload: Json, id: string, scope: string): Draft[] {
  const reading = readCall(payload)
  if (!('items' in reading)) return []
  // A search is answered inside the call; every other call waits for its output.
  const settled = payload.type === 'web_search_call'
  return reading.items.slice(0, 1000).map((item, part) => ({
    ...base,
    ...item,
    text: normalise(item.text),
    handle: callHandle(scope, id, part),
    recordId: id.slice(0, 200),
    part,
    role: 'assistant',
    tool: toolOf(payload),
    settled,
  }))
}

function recall(desk: Desk, id: string): { held: Held; payload: Json | null; drafts: Draft[] } | null {
  const held = desk.memory.takeCall(id)
  if (!held) return null
  if (held.drafts) return { held, payload: held.payload ?? null, drafts: held.drafts }
  const record = desk.context.load(held.place)
  const payload = isObject(record) ? entryOf(record).payload : null
  if (!payload) return { held, payload, drafts: [] }
  return { held, payload, drafts: callDrafts(desk.held(held), payload, id, held.scope) }
}

/** The output of a call: completes it, and is an error or a decision of its own where it is one. */
export function returned(desk: Desk, sheet: Sheet, payload: Json): void {
  const { out } = sheet
  const id = asString(payload.call_id)
  const call = id === null ? null : recall(desk, id)
  const output = readOutput(payload)
  const child =
    call?.drafts[0]?.tool === 'spawn_agent'
      ? /"agent_id":\s*"([\w-]{8,80})"/.exec(output.text)?.[1]
      : undefined
  const spawner = call?.drafts[0]
  if (child && spawner && !sheet.copied) out.spawned = [{ child: desk.mask(child), call: spawner.handle }]
  const tool = call?.payload ? toolOf(call.payload) : (call?.drafts[0]?.tool ?? '')
  const skipped = call?.payload ? readCall(call.payload) : null
  if (skipped && 'skip' in skipped) {
    desk.reason(out, skipped.skip)
    return
  }
  for (const [at, picture] of output.images.slice(0, 50).entries())
    desk.image(sheet, picture, 16 + at, 'tool')
  if (call?.payload && skipped && 'held' in skipped) {
    answered(desk, sheet, id ?? '', payload, call.payload)
    return
  }
  if (output.refused && id !== null) refused(desk, sheet, id, tool, call?.drafts[0] ?? null)
  const exit = output.exitCode ?? call?.held.exit
  const full: Output = exit === undefined ? output : { ...output, exitCode: exit }
  if (!output.refused && !output.aborted && isFailure(full))
    failed(desk, sheet, id ?? '', tool, call?.drafts[0] ?? null, full)
  for (const draft of call?.drafts ?? []) {
    desk.put(out.completes, { ...finished(draft, full), settled: true }, call?.held.copied ?? false)
  }
  if (out.own.length > 0) out.disposition = { kind: 'used' }
  else if (out.completes.length > 0) out.disposition = { kind: 'attached' }
  else desk.reason(out, 'result-without-item')
}

/** A sub-agent's session, and the call that began it: told by an event, by older versions in the call's output. */
export function spawned(desk: Desk, sheet: Sheet, payload: Json): void {
  const call = desk.memory.call(asString(payload.call_id) ?? '')?.handle
  const child = asString(payload.new_thread_id) ?? asString(payload.agent_id)
  if (call && child && !sheet.copied) sheet.out.spawned = [{ child: desk.mask(child), call }]
  desk.reason(sheet.out, 'bookkeeping')
}

const isFailure = ({ exitCode, failed }: Output): boolean =>
  failed || (exitCode !== undefined && exitCode !== 0)

function finished(draft: Draft, output: Output): Draft {
  const text = normalise(stripInjected(output.text))
  if (draft.kind === 'command') {
    const stopped = output.refused || output.aborted
    const shown = isFailure(output) || stopped ? '' : printed(text)
    const data: ItemData<'command'> = {
      ...(draft.data as ItemData<'command'>),
      failed: isFailure(output) || stopped,
      ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
    }
    return {
      ...draft,
      text: shown === '' ? draft.text : `${draft.text}\n${shown}`,
      data,
      importance: data.failed ? Math.max(draft.importance, 0.5) : draft.importance,
    }
  }
  if (draft.kind !== 'note' || isFailure(output) || text === '') return draft
  // A sub-agent's report, an MCP answer: head and tail of what came back.
  return { ...draft, text: `${draft.text}\n→ ${headTail(text, 6_000)}` }
}

function failed(
  desk: Desk,
  sheet: Sheet,
  id: string,
  tool: string,
  call: Draft | null,
  output: Output,
): void {
  const text = normalise(complaint(stripInjected(output.text)))
  // Looking for something that is not there fails without a word.
  if (text === '') return
  const data = errorData(tool || 'unknown', call?.data ?? {})
  const where = data.command ? `$ ${firstLine(data.command, 200)}\n` : data.path ? `${data.path}\n` : ''
  desk.own(sheet, {
    ...resultBase(desk, sheet, id, call),
    kind: 'error',
    role: 'tool',
    tool: tool || null,
    text: `${where}${text}`,
    data,
    importance: 0.6,
  })
}

function refused(desk: Desk, sheet: Sheet, id: string, tool: string, call: Draft | null): void {
  desk.own(sheet, {
    ...resultBase(desk, sheet, id, call),
    kind: 'decision',
    role: 'user',
    tool: tool || null,
    text: `Stopped at ${call ? firstLine(call.text, 120) : tool || 'a tool call'}`,
    data: {
      of: 'tool',
      toolUseId: id.slice(0, 200),
      verdict: 'bare-stop',
      words: '',
      ...(tool ? { tool } : {}),
    },
    importance: 0.9,
  })
}

/** Without its call a result tells less than another file that has both. */
function resultBase(desk: Desk, sheet: Sheet, id: string, call: Draft | null): Draft {
  return {
    ...desk.base(sheet),
    handle: callHandle(desk.scope(sheet.copied), id || sheet.place.hash, 'result'),
    recordId: id.slice(0, 200) || null,
    settled: call !== null,
  }
}

function answered(desk: Desk, sheet: Sheet, id: string, payload: Json, question: Json): void {
  const given = answersIn(payload, questionsOf(question))
  if (given === null) {
    desk.reason(sheet.out, 'unanswered')
    return
  }
  const words = headTail(normalise(stripInjected(given)), 20_000)
  desk.own(sheet, {
    ...desk.base(sheet),
    handle: callHandle(desk.scope(sheet.copied), id, 'result'),
    recordId: id.slice(0, 200),
    kind: 'decision',
    role: 'user',
    tool: 'request_user_input',
    text: words,
    data: {
      of: 'question',
      toolUseId: id.slice(0, 200),
      verdict: 'answered',
      words,
      tool: 'request_user_input',
    },
    importance: 0.9,
  })
}

/** `exec_command_end`: how a command ended, beside the output the model got. */
export function ended(desk: Desk, sheet: Sheet, payload: Json): void {
  const id = asString(payload.call_id)
  const held = id === null ? null : desk.memory.call(id)
  if (held) {
    if (typeof payload.exit_code === 'number') held.exit = payload.exit_code
    sheet.out.disposition = { kind: 'attached' }
    return
  }
  desk.reason(sheet.out, 'bookkeeping')
}
