import {
  type Draft,
  type Format,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
  type SessionFacts,
} from '../../drafts'
import { pictureIn } from '../../images'
import { stripInjected } from '../../injected'
import type { StoredValue } from '../../stores/store'
import { asString, headTail, isObject, normalise } from '../../text'
import { timestampOf } from '../claude-code/record'
import { because, outcome, type Where } from '../speech'
import { Thread } from '../thread'
import { unknownReason } from '../unknown'
import type { Json } from './calls'
import { readTool } from './tool-part'

export const AGENT = 'opencode'

/** What a record needs to know of the message it belongs to. */
export interface About {
  kind: 'message' | 'part'
  role: string
  /** A compaction's summary, not the agent's own words. */
  summary: boolean
  ts: number | null
}

const QUIET: Record<string, string> = {
  reasoning: 'thinking',
  'step-start': 'turn',
  'step-finish': 'turn',
  snapshot: 'snapshot',
  patch: 'snapshot',
  compaction: 'compaction-summary',
  retry: 'retry',
  agent: 'settings',
}

/** Reads the messages and parts of one session, of the database or of the old files: both hold the same. */
class OpencodeReader implements FormatReader {
  private readonly thread: Thread
  private readonly unknown: string[]
  private facts: SessionFacts = { session: '', ts: null }

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    this.thread = new Thread(AGENT, context, it.thread, proseIn)
    this.unknown = Array.isArray(it.unknown) ? (it.unknown as string[]) : []
  }

  state(): unknown {
    return { thread: this.thread.state(), unknown: this.unknown }
  }

  stub(place: Place): Draft | null {
    const { session } = this.facts
    return session === '' ? null : this.thread.long(session, place)
  }

  read(given: unknown, place: Place): Outcome {
    const { key, header, about, value } = given as StoredValue
    if (!isObject(value)) return failed('not a record')
    const { kind, role, summary, ts } = about as About
    this.facts = this.factsOf(isObject(header) ? header : {})
    const facts = { ...this.facts, ts: partTime(value) ?? ts }
    const out = outcome(facts)
    const where = { facts, place, recordId: key, closed: true }
    if (kind === 'message') this.message(value, role, out, where)
    else if (summary) because(out, 'compaction-summary')
    else if (value.type === 'text') this.text(value, role, out, where)
    else if (value.type === 'file') this.file(value, role, out, where)
    else if (value.type === 'tool') readTool(this.thread, value, out, where)
    else if (value.type === 'subtask') this.subtask(value, out, where)
    else {
      const type = asString(value.type) ?? ''
      because(out, QUIET[type] ?? unknownReason(this.unknown, type, this.context.mask))
    }
    return out
  }

  private factsOf(header: Json): SessionFacts {
    const title = asString(header.title)
    const cwd = asString(header.directory)
    const parent = asString(header.parentID)
    const named = title !== null && !/^(?:New|Child) session - \d{4}-/.test(title)
    return {
      session: this.context.mask(asString(header.id) ?? 'unknown'),
      ts: null,
      ...(cwd ? { cwd } : {}),
      ...(named ? { title: normalise(title).slice(0, 200) } : {}),
      ...(parent ? { parent: this.context.mask(parent) } : {}),
    }
  }

  private message(value: Json, role: string, out: Outcome, where: Where): void {
    const error = isObject(value.error) ? value.error : null
    because(
      out,
      role === 'user' || role === 'assistant'
        ? 'message'
        : unknownReason(this.unknown, role, this.context.mask),
    )
    if (!error) return
    if (error.name === 'MessageAbortedError') {
      this.thread.close(where.facts.session, 'note', out)
      because(out, 'interruption')
      return
    }
    const data = isObject(error.data) ? error.data : error
    const text = normalise(stripInjected(asString(data.message) ?? asString(error.name) ?? '')).trim()
    if (text === '') return
    this.thread.close(where.facts.session, 'note', out)
    const item = { kind: 'error', role: 'assistant', data: { tool: 'api' }, importance: 0.3 } as const
    this.thread.add(out, where, this.thread.partId(where.recordId ?? '', 0), {
      ...item,
      text: headTail(text, 8_000),
    })
  }

  private text(value: Json, role: string, out: Outcome, where: Where): void {
    const raw = asString(value.text) ?? ''
    const text = normalise(stripInjected(raw)).trim()
    const handle = this.thread.partId(where.recordId ?? '', 0)
    if (value.synthetic === true || value.ignored === true) because(out, 'injected')
    else if (text === '') because(out, raw.trim() === '' ? 'empty' : 'injected')
    else if (role === 'assistant') this.thread.said(out, where, handle, text)
    else if (role !== 'user') because(out, 'system')
    else if (where.facts.parent) because(out, 'subagent-prompt')
    else this.thread.asked(out, where, handle, text)
  }

  private file(value: Json, role: string, out: Outcome, where: Where): void {
    const picture = pictureIn(value.url)
    const mediaType = value.mime ?? picture?.mediaType
    if (!picture || !/^image\//.test(String(mediaType))) because(out, 'attachment')
    else {
      const handle = this.thread.partId(where.recordId ?? '', 0)
      this.thread.picture(out, where, handle, { ...picture, mediaType, name: asString(value.filename), role })
      because(out, 'attachment')
    }
  }

  /** What a command of the person's gives to a sub-agent. */
  private subtask(value: Json, out: Outcome, where: Where): void {
    const text = normalise(stripInjected(asString(value.prompt) ?? asString(value.description) ?? '')).trim()
    const command = asString(value.command)
    if (text === '' || where.facts.parent) because(out, text === '' ? 'empty' : 'subagent-prompt')
    else {
      const handle = this.thread.partId(where.recordId ?? '', 0)
      this.thread.asked(out, where, handle, text, command ? { command } : {})
    }
  }
}

function partTime(value: Json): number | null {
  const state = isObject(value.state) ? value.state : {}
  const time = isObject(value.time) ? value.time : isObject(state.time) ? state.time : {}
  return timestampOf(time.start) ?? timestampOf(time.created)
}

function proseIn(record: unknown): string | null {
  const value = isObject(record) && isObject(record.value) ? record.value : null
  const text = value && asString(value.text)
  return text ? normalise(stripInjected(text)).trim() : null
}

/** opencode's sessions: rows of its database, or the small files of older versions. Opened as stores only. */
export const opencode: Format = {
  agent: AGENT,
  recognise: () => 0,
  open: (context, saved) => new OpencodeReader(context, saved),
}
