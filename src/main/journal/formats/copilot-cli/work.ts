import type { Agent, Handle } from '../../../../shared/domain'
import type { Draft, FormatContext, Outcome, Place } from '../../drafts'
import { handleOf, planHash, sha256 } from '../../handles'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import { timestampOf } from '../claude-code/record'
import { errorData } from '../claude-code/results'
import { because, outcome, type Where } from '../speech'
import { plainPlace, type Thread } from '../thread'
import { argumentsOf, type Json, readCalls } from './calls'
import { answerIn, planVerdict, type Result, readResult } from './results'

const OUTPUT_LIMIT = 1_600
const MAX_CALLS = 400
const UNIQUE = 16
/** Places of a message's calls behind its prose and pictures. */
const CALL_PARTS = 8

/** A call that waits for its result. `drafts` are there while this process remembers them. */
interface Held {
  place: Place
  /** Which of a message's calls it is; -1 when the record is the call itself. */
  at: number
  goal: Handle | null
  session: string
  /** A plan that goes to the person; where its full text was told, if anywhere. */
  gate: boolean
  plan: Place | null
  call?: Call
  drafts?: Draft[]
}
export interface Call {
  id: string
  name: string
  args: unknown
}

/** Calls and what became of them, paired by `toolCallId`. */
export class Work {
  private readonly calls: Map<string, Held>

  constructor(
    private readonly agent: Agent,
    private readonly thread: Thread,
    private readonly context: Pick<FormatContext, 'load'>,
    saved: unknown,
  ) {
    this.calls = new Map(Array.isArray(saved) ? (saved as [string, Held][]) : [])
  }

  state(): unknown {
    return [...this.calls].map(([id, { call: _, drafts: __, place, plan, ...rest }]) => [
      id,
      { ...rest, place: plainPlace(place), plan: plan && plainPlace(plan) },
    ])
  }

  called(call: Call, at: number, out: Outcome, where: Where): void {
    const drafts = this.callDrafts(call, at, where)
    const { session } = where.facts
    if (drafts.length > 0) this.thread.close(session, 'note', out)
    if (this.calls.size >= MAX_CALLS) {
      const oldest = this.calls.keys().next().value
      if (oldest !== undefined) this.calls.delete(oldest)
    }
    const gate = call.name === 'exit_plan_mode'
    const { goal } = this.thread
    this.calls.set(keyOf(call.id), { place: where.place, at, goal, session, gate, plan: null, call, drafts })
    for (const reading of readCalls(call.name, call.args, call.id)) {
      if ('skip' in reading) because(out, reading.skip)
      // A question waits for its answer and lives in the decision's item.
      if ('held' in reading && out.disposition.kind === 'dropped') out.disposition = { kind: 'attached' }
    }
    out.own.push(...drafts)
    if (drafts.length > 0) out.disposition = { kind: 'used' }
  }

  private callDrafts(call: Call, at: number, where: Where): Draft[] {
    const items = readCalls(call.name, call.args, call.id).filter((reading) => 'kind' in reading)
    return items.map((item, part) => ({
      ...this.thread.draft(outcome(null), where, this.callHandle(where.facts.session, call.id, part), item),
      text: normalise(item.text),
      part: CALL_PARTS * (at + 2) + part,
      role: 'assistant',
      tool: call.name,
      settled: false,
    }))
  }

  /** Most calls are told by the message that asks for them; what is started without one is told here. */
  started(data: Json, out: Outcome, where: Where): void {
    const call = callOf({ ...data, name: data.toolName })
    if (!call) because(out, 'bookkeeping')
    else if (this.calls.has(keyOf(call.id))) out.disposition = { kind: 'attached' }
    else this.called(call, -1, out, where)
  }

  private recall(id: string): { call: Call; drafts: Draft[] } | null {
    const held = this.calls.get(keyOf(id))
    this.calls.delete(keyOf(id))
    if (!held) return null
    return held.call && held.drafts ? { call: held.call, drafts: held.drafts } : this.reload(held)
  }

  private reload(held: Held): { call: Call; drafts: Draft[] } | null {
    const record = this.context.load(held.place)
    const data = isObject(record) && isObject(record.data) ? record.data : {}
    const requests = Array.isArray(data.toolRequests) ? data.toolRequests : []
    const told = held.at === -1 ? { ...data, name: data.toolName } : requests[held.at]
    const call = isObject(told) ? callOf(told) : null
    if (!call || !isObject(record)) return null
    const facts = { session: held.session, ts: timestampOf(record.timestamp) }
    const where = { facts, place: held.place, recordId: asString(record.id), closed: false }
    const drafts = this.callDrafts(call, held.at, where).map((draft) => ({ ...draft, goal: held.goal }))
    const shown = held.plan && this.context.load(held.plan)
    const plan = isObject(shown) && isObject(shown.data) ? planOf(shown.data) : ''
    return { call, drafts: plan === '' ? drafts : drafts.map((draft) => withPlan(draft, plan)) }
  }

  returned(data: Json, out: Outcome, where: Where): void {
    const id = asString(data.toolCallId)
    const found = id === null ? null : this.recall(id)
    if (!found || id === null) {
      because(out, 'result-without-item')
      return
    }
    const { call, drafts } = found
    const result = readResult(data)
    const told = readCalls(call.name, call.args, id)
    if (told.some((reading) => 'skip' in reading)) because(out, 'bookkeeping')
    else if (told.some((reading) => 'held' in reading)) this.answered(call, result, out, where)
    else this.completed(call, drafts, result, out, where)
  }

  private completed(call: Call, drafts: readonly Draft[], result: Result, out: Outcome, where: Where): void {
    if (call.name === 'exit_plan_mode') this.decided(call, drafts[0], result, out, where)
    else if (result.refused !== null) this.refused(call, drafts[0], result.refused, out, where)
    else if (result.failed && result.text !== '') this.failure(call, drafts[0], result, out, where)
    for (const draft of drafts) out.completes.push({ ...finished(draft, result), settled: true })
    if (out.disposition.kind === 'dropped') out.disposition = { kind: 'attached' }
  }

  private decision(call: Call, text: string, data: ItemData<'decision'>, out: Outcome, where: Where): void {
    const shown = headTail(normalise(text), 20_000)
    const item = {
      kind: 'decision',
      role: 'user',
      tool: call.name,
      text: shown,
      data,
      importance: 0.9,
    } as const
    this.thread.add(out, where, this.callHandle(where.facts.session, call.id, 1000), item)
  }

  private decided(call: Call, plan: Draft | undefined, result: Result, out: Outcome, where: Where): void {
    const verdict = planVerdict(result)
    if (!verdict) return
    const title = firstLine(plan?.text ?? '', 80)
    const name = `the plan${title ? ` “${title}”` : ''}`
    const said = verdict.words === '' ? '' : `: ${verdict.words}`
    const what = { approve: 'Approved', refused: 'Sent back', 'bare-stop': 'Stopped at' }[verdict.verdict]
    const data = { of: 'plan', toolUseId: call.id, ...verdict, tool: call.name } as const
    this.decision(call, `${what} ${name}${said}`, data, out, where)
  }

  private refused(call: Call, draft: Draft | undefined, words: string, out: Outcome, where: Where): void {
    const subject = draft ? firstLine(draft.text, 120) : call.name
    const text = words === '' ? `Stopped at ${subject}` : `Sent back ${subject}: ${words}`
    const verdict = words === '' ? 'bare-stop' : 'refused'
    this.decision(call, text, { of: 'tool', toolUseId: call.id, verdict, words, tool: call.name }, out, where)
  }

  private answered(call: Call, result: Result, out: Outcome, where: Where): void {
    const answer = answerIn(result.text)
    if (result.failed || answer === '') {
      because(out, 'unanswered')
      return
    }
    const question = asString(argumentsOf(call.args).question)
    const words = headTail(normalise(question ? `${question} → ${answer}` : answer), 20_000)
    const data = { of: 'question', toolUseId: call.id, verdict: 'answered', words, tool: call.name } as const
    this.decision(call, words, data, out, where)
  }

  private failure(call: Call, draft: Draft | undefined, result: Result, out: Outcome, where: Where): void {
    const data = errorData(call.name || 'unknown', draft?.data ?? {})
    const head = data.command ? `$ ${firstLine(data.command, 200)}\n` : data.path ? `${data.path}\n` : ''
    const text = `${head}${headTail(normalise(stripInjected(result.text)), 8_000)}`
    const item = { kind: 'error', role: 'tool', tool: call.name, text, data, importance: 0.6 } as const
    this.thread.add(out, where, this.callHandle(where.facts.session, call.id, 1001), item)
  }

  /** The dialog that shows a plan knows its text; the call itself has a summary only. */
  planned(data: Json, out: Outcome, where: Where): void {
    const plan = planOf(data)
    const [id, held] = [...this.calls].findLast(([, one]) => one.gate) ?? []
    if (id === undefined || !held || plan === '') {
      because(out, 'bookkeeping')
      return
    }
    const known = held.call && held.drafts ? { call: held.call, drafts: held.drafts } : this.reload(held)
    const drafts = (known?.drafts ?? []).map((draft) => withPlan(draft, plan))
    this.calls.set(id, { ...held, plan: where.place, ...(known ? { call: known.call, drafts } : {}) })
    out.completes.push(...drafts)
    out.disposition = { kind: 'attached' }
  }

  /** Ids made by the service are unique; short ones only within their session. */
  private callHandle(session: string, id: string, part: number): Handle {
    return id.length >= UNIQUE
      ? handleOf(this.agent, 'call', id, part)
      : handleOf(this.agent, 'call', session, id, part)
  }
}

const planOf = (data: Json): string => normalise(asString(data.planContent) ?? '').trim()

const withPlan = (draft: Draft, plan: string): Draft => ({
  ...draft,
  text: plan,
  data: { ...(draft.data as ItemData<'plan'>), planHash: planHash(plan) },
})

export function callOf(told: Json): Call | null {
  const id = asString(told.toolCallId)
  const name = asString(told.name)
  const server = asString(told.mcpServerName)
  return id && name ? { id, name: server === 'fovea' ? `fovea-${name}` : name, args: told.arguments } : null
}

function finished(draft: Draft, result: Result): Draft {
  const text = normalise(stripInjected(result.text))
  const bad = result.failed || result.refused !== null
  if (draft.kind === 'command') {
    const code = result.exitCode === undefined ? {} : { exitCode: result.exitCode }
    const data = { ...(draft.data as ItemData<'command'>), failed: bad, ...code }
    const printed = bad ? '' : headTail(text, OUTPUT_LIMIT)
    return { ...draft, data, text: printed === '' ? draft.text : `${draft.text}\n${printed}` }
  }
  if (draft.kind !== 'note' || bad || text === '') return draft
  return { ...draft, text: `${draft.text}\n→ ${headTail(text, 6_000)}` }
}

/** Ids are foreign text: only their hash is kept between readings. */
const keyOf = (id: string): string => sha256(id).slice(0, 20)
