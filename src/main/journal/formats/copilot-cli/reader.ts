import { basename, dirname } from 'node:path'
import type { Handle } from '../../../../shared/domain'
import {
  type Draft,
  dropped,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
  type SessionFacts,
} from '../../drafts'
import { handleOf } from '../../handles'
import { stripInjected } from '../../injected'
import { asString, headTail, isObject, normalise } from '../../text'
import { timestampOf } from '../claude-code/record'
import { because, outcome, type Where } from '../speech'
import { Thread } from '../thread'
import { unknownReason } from '../unknown'
import type { Json } from './calls'
import { callOf, Work } from './work'

export const AGENT = 'copilot-cli'

/** Events that say nothing of their own. */
const QUIET: readonly (readonly [type: RegExp, reason: string])[] = [
  [/^assistant\.(?:reasoning|intent)/, 'thinking'],
  [/^assistant\.(?:turn_start|turn_end)$/, 'turn'],
  [/^assistant\.(?:usage|message_delta|streaming_delta)/, 'token-count'],
  [/^session\.compaction_/, 'compaction-summary'],
  [/^system\.|^skill\.|^session\.(?:info|warning|plan_changed|mode_changed|handoff)$/, 'machine-text'],
  [/^hook\./, 'hook-output'],
  [
    /^(?:session\.(?:model_change|truncation|snapshot_rewind|usage_info|usage_checkpoint|idle|tools_updated|background_tasks_changed|skills_loaded|mcp_[a-z_]+|custom_[a-z_]+|import_legacy|remote_steerable_changed|permissions_changed)|subagent\.|permission\.|user_input\.|elicitation\.|command|external_tool\.|exit_plan_mode\.completed|tool\.execution_(?:progress|partial_result)|capabilities\.|pending_messages\.|mcp\.|sampling\.)/,
    'bookkeeping',
  ],
]
/** The person's own words; every other source is a machine's. */
const TYPED = /^(?:|user|cli|typed|immediate-prompt|queued|command.*)$/i

/** Reads the events of one session in file order. */
export class CopilotReader implements FormatReader {
  private readonly thread: Thread
  private session: string
  private readonly work: Work
  private readonly unknown: string[]

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    this.thread = new Thread(AGENT, context, it.thread, proseOf)
    this.session = asString(it.session) ?? context.mask(nameOf(context.path))
    this.work = new Work(AGENT, this.thread, context, it.calls)
    this.unknown = Array.isArray(it.unknown) ? (it.unknown as string[]) : []
  }

  state(): unknown {
    return {
      session: this.session,
      thread: this.thread.state(),
      calls: this.work.state(),
      unknown: this.unknown,
    }
  }

  stub(place: Place): Draft {
    return this.thread.long(this.session, place)
  }

  read(value: unknown, place: Place): Outcome {
    if (!isObject(value)) return failed('not a record')
    const type = asString(value.type) ?? ''
    const data = isObject(value.data) ? value.data : {}
    const ts = timestampOf(value.timestamp)
    if (/^session\.(?:start|resume|context_changed)$/.test(type)) return this.about(data, ts)
    const facts: SessionFacts = { session: this.session, ts }
    if (type === 'session.title_changed') {
      const title = asString(data.title)
      return dropped('title', title ? { ...facts, title: normalise(title).slice(0, 200) } : facts)
    }
    const id = asString(value.id)
    const out = outcome(facts)
    this.event(type, data, out, { facts, place, recordId: id, closed: true }, value.agentId)
    return out
  }

  private about(data: Json, ts: number | null): Outcome {
    const id = asString(data.sessionId)
    if (id) this.session = this.context.mask(id)
    const context = isObject(data.context) ? data.context : data
    const cwd = asString(context.cwd) ?? asString(context.gitRoot)
    const gitBranch = asString(context.branch)
    return dropped('session-meta', {
      session: this.session,
      ts,
      ...(cwd ? { cwd } : {}),
      ...(gitBranch ? { gitBranch } : {}),
    })
  }

  private event(type: string, data: Json, out: Outcome, where: Where, agentId: unknown): void {
    const side = asString(data.parentToolCallId) ?? asString(data.parentAgentTaskId) ?? asString(agentId)
    if (type === 'user.message') this.asked(data, out, where, side !== null)
    else if (type === 'assistant.message') this.said(data, out, where, side !== null)
    else if (type === 'tool.execution_start' || type === 'tool.user_requested')
      this.work.started(data, out, where)
    else if (type === 'tool.execution_complete') this.work.returned(data, out, where)
    else if (type === 'session.error') this.error(data, out, where)
    else if (type === 'session.task_complete') this.concluded(data, out, where)
    else if (type === 'exit_plan_mode.requested') this.work.planned(data, out, where)
    else if (type === 'session.shutdown') this.ended('conclusion', 'session-end', out)
    else if (type === 'abort') this.ended('note', 'interruption', out)
    else {
      const quiet = QUIET.find(([pattern]) => pattern.test(type))
      because(out, quiet ? quiet[1] : unknownReason(this.unknown, type, this.context.mask))
    }
  }

  private ended(kind: 'conclusion' | 'note', reason: string, out: Outcome): void {
    this.thread.close(this.session, kind, out)
    because(out, reason)
  }

  private asked(data: Json, out: Outcome, where: Where, side: boolean): void {
    if (side) {
      because(out, 'subagent-prompt')
      return
    }
    if (!TYPED.test(typeof data.source === 'string' ? data.source : '')) {
      because(out, 'injected')
      return
    }
    const text = normalise(stripInjected(asString(data.content) ?? '')).trim()
    if (text === '') because(out, 'injected')
    else this.thread.asked(out, where, this.partOf(where, 0), text)
    const attached = Array.isArray(data.attachments) ? data.attachments.filter(isObject) : []
    for (const [at, file] of attached.slice(0, 100).entries()) {
      const picture = { data: file.data, mediaType: file.mimeType ?? file.mediaType }
      this.thread.picture(out, where, this.partOf(where, 1 + at), picture)
    }
  }

  private said(data: Json, out: Outcome, where: Where, side: boolean): void {
    const text = normalise(stripInjected(asString(data.content) ?? '')).trim()
    if (text !== '' && side) {
      const kept = headTail(text, 100_000)
      this.thread.add(out, where, this.partOf(where, 0), { role: 'assistant', text: kept })
    } else if (text !== '') this.thread.said(out, where, this.partOf(where, 0), text)
    const requests = Array.isArray(data.toolRequests) ? data.toolRequests : []
    for (const [at, request] of requests.entries()) {
      const call = isObject(request) ? callOf(request) : null
      if (call) this.work.called(call, at, out, where)
    }
    if (text === '' && requests.length === 0) because(out, 'thinking')
  }

  private error(data: Json, out: Outcome, where: Where): void {
    const text = normalise(asString(data.message) ?? '').trim()
    if (text === '') return
    this.thread.close(this.session, 'note', out)
    const error = {
      kind: 'error',
      role: 'assistant',
      text: headTail(text, 8_000),
      data: { tool: 'api' },
    } as const
    this.thread.add(out, where, this.partOf(where, 0), { ...error, importance: 0.3 })
  }

  private concluded(data: Json, out: Outcome, where: Where): void {
    const text = normalise(stripInjected(asString(data.summary) ?? '')).trim()
    this.thread.close(this.session, 'note', out)
    if (text === '') because(out, 'turn')
    else this.thread.said(out, where, this.partOf(where, 0), text)
  }

  private partOf(where: Where, part: number): Handle {
    return where.recordId
      ? this.thread.partId(where.recordId, part)
      : handleOf(AGENT, this.session, where.place.hash, part)
  }
}

function proseOf(record: unknown): string | null {
  const data = isObject(record) && isObject(record.data) ? record.data : null
  const text = data && (asString(data.content) ?? asString(data.summary))
  return text ? normalise(stripInjected(text)).trim() : null
}

/** `session-state/<id>/events.jsonl`, in older versions `<id>.jsonl`. */
function nameOf(path: string): string {
  const stem = basename(path).replace(/\.jsonl$/i, '')
  return stem === 'events' ? basename(dirname(path)) : stem
}
