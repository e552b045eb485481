import { basename } from 'node:path'
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
import { sha256 } from '../../handles'
import { asString, headTail, isObject, normalise } from '../../text'
import { timestampOf } from '../claude-code/record'
import { because, outcome, type Where } from '../speech'
import { plainPlace, Thread } from '../thread'
import { unknownReason } from '../unknown'
import { partsOf } from './parts'
import { about, keyOf, parentOf, proseIn, wordsOf } from './record'
import { projectRoot } from './root'
import { readTool } from './tools'

export const AGENT = 'gemini-cli'
/** Parts of a message: its prose, then two for each call, then its pictures. */
const CALL = 1
const IMAGE = 800
const MAX_MESSAGES = 1_000

type Json = Record<string, unknown>

/** A message that was told before. */
interface Known {
  place: Place
  /** Number of its first part in that record. */
  base: number
  /** Goal before it was told. */
  goal: Handle | null
  /** Hash of all it said the last time. */
  content: string
  spoke: boolean
}

/** Reads the records of one growing session: a message is told again whenever it has grown. */
export class GeminiLinesReader implements FormatReader {
  private readonly thread: Thread
  private session: string
  private parent: string | null
  private readonly messages: Map<string, Known>
  /** Hashes of what was said, to know a copy that has got a new id. */
  private readonly said: Set<string>
  private readonly unknown: string[]
  /** What the person went back to, until something new is said. */
  private left: Handle | null

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    this.thread = new Thread(AGENT, context, it.thread, (record, id) => proseIn(record, id, context.mask))
    this.session = asString(it.session) ?? context.mask(basename(context.path).replace(/\.jsonl$/i, ''))
    this.parent = asString(it.parent) ?? parentOf(context)
    this.messages = new Map(Array.isArray(it.messages) ? (it.messages as [string, Known][]) : [])
    this.said = new Set(Array.isArray(it.said) ? (it.said as string[]) : [])
    this.left = typeof it.left === 'string' ? (it.left as Handle) : null
    this.unknown = Array.isArray(it.unknown) ? (it.unknown as string[]) : []
  }

  state(): unknown {
    const { session, parent, unknown, left } = this
    const messages = [...this.messages].map(([id, known]) => [
      id,
      { ...known, place: plainPlace(known.place) },
    ])
    return { session, parent, unknown, left, thread: this.thread.state(), messages, said: [...this.said] }
  }

  stub(place: Place): Draft {
    return this.thread.long(this.session, place)
  }

  read(value: unknown, place: Place): Outcome {
    if (!isObject(value)) return failed('not a record')
    if (isObject(value.$set)) return this.patched(value.$set, place)
    if (typeof value.$rewindTo === 'string') return this.rewound(value.$rewindTo)
    if (typeof value.type === 'string' && typeof value.id === 'string') return this.told(value, place)
    if (typeof value.sessionId === 'string') return this.header(value, place)
    const name = asString(value.type) ?? Object.keys(value)[0] ?? ''
    return dropped(unknownReason(this.unknown, name, this.context.mask), this.facts(null))
  }

  private facts(ts: number | null): SessionFacts {
    return { session: this.session, ts, ...(this.parent ? { parent: this.parent } : {}) }
  }

  private header(record: Json, place: Place): Outcome {
    this.session = this.context.mask(String(record.sessionId))
    if (this.parent === this.session) this.parent = null
    const cwd = projectRoot(this.context, this.parent !== null)
    const out = outcome({ ...this.facts(timestampOf(record.startTime)), ...cwd, ...about(record) })
    this.synced(record.messages, out, place)
    because(out, 'header')
    return out
  }

  /** A patch of the session's own facts; its messages are what the model is given, which may be a shorter copy. */
  private patched(patch: Json, place: Place): Outcome {
    const out = outcome({ ...this.facts(timestampOf(patch.lastUpdated)), ...about(patch) })
    this.synced(patch.messages, out, place)
    because(out, Array.isArray(patch.messages) ? 'context' : 'settings')
    return out
  }

  private synced(messages: unknown, out: Outcome, place: Place): void {
    const list = Array.isArray(messages) ? messages.filter(isObject) : []
    const fresh: Json[] = []
    for (const message of list) {
      if (typeof message.id !== 'string') continue
      const known = this.messages.has(keyOf(message.id))
      // After a compression everything gets a new id.
      if (known || !this.said.has(wordsOf(message))) fresh.push(message)
    }
    for (const message of fresh) this.message(message, out, place, fresh.indexOf(message))
  }

  private rewound(target: string): Outcome {
    const out = dropped('rewind', this.facts(null))
    const known = this.messages.get(keyOf(target))
    this.thread.close(this.session, 'note', out)
    if (known) this.thread.goal = known.goal
    if (known?.spoke) this.left ??= this.thread.partId(target, 0)
    return out
  }

  private told(message: Json, place: Place): Outcome {
    const out = outcome(this.facts(timestampOf(message.timestamp)))
    this.message(message, out, place, 0)
    return out
  }

  /** `at` is the message's place in a record of several. */
  private message(message: Json, out: Outcome, place: Place, at: number): void {
    const key = keyOf(String(message.id))
    const content = sha256(JSON.stringify([message.type, message.content, message.toolCalls])).slice(0, 12)
    const known = this.messages.get(key)
    if (known?.content === content) {
      because(out, 'repeated')
      return
    }
    const { goal } = this.thread
    // It may make items at this place only when it is told again: the hash must be taken while the record is here.
    void place.hash
    const first: Known = known ?? { place, base: at * 16, goal, content, spoke: false }
    const facts = this.facts(timestampOf(message.timestamp) ?? out.facts?.ts ?? null)
    const where: Where = {
      facts,
      place: first.place,
      recordId: String(message.id),
      closed: true,
      base: first.base,
    }
    const made = outcome(facts)
    if (known) this.thread.goal = known.goal
    const spoke = this.speech(message, made, where, known ?? null, place)
    this.calls(message, made, where)
    if (known && this.thread.goal === known.goal) this.thread.goal = goal
    this.remember(key, { ...first, content, spoke: first.spoke || spoke }, message)
    this.merge(out, made, known !== undefined)
  }

  private merge(out: Outcome, made: Outcome, again: boolean): void {
    out.revises.push(...made.revises)
    const to = made.own[0]?.handle
    if (this.left !== null && to !== undefined && !again) {
      out.rewinds = [{ session: this.session, from: this.left, to }]
      this.left = null
    }
    if (again) out.completes.push(...made.own)
    else out.own.push(...made.own)
    if (out.own.length > 0) out.disposition = { kind: 'used' }
    else if (out.completes.length > 0) out.disposition = { kind: 'attached' }
    else if (made.disposition.kind === 'dropped') because(out, made.disposition.reason)
    // A question waits for its answer and lives in the decision's item.
    else if (out.disposition.kind === 'dropped') out.disposition = made.disposition
  }

  private speech(message: Json, out: Outcome, where: Where, known: Known | null, toldAt: Place): boolean {
    const { text, machine, images } = partsOf(message)
    const kind = asString(message.type) ?? ''
    const handle = this.thread.partId(where.recordId ?? '', 0)
    if (kind === 'user') {
      if (this.parent !== null) because(out, 'subagent-prompt')
      else if (text === '') because(out, machine ?? 'tool-result')
      else if (!known?.spoke) this.thread.asked(out, where, handle, text)
      if (!known && this.parent === null) this.images(images, out, where)
    } else if (kind === 'gemini' || kind === 'model' || kind === 'assistant') {
      if (text === '' || machine) because(out, machine ?? 'thinking')
      else if (!known?.spoke || this.thread.isOpen(handle)) this.thread.said(out, where, handle, text, toldAt)
    } else if (kind === 'error' && text !== '') {
      this.thread.close(this.session, 'note', out)
      const item = { kind: 'error', role: 'assistant', data: { tool: 'api' }, importance: 0.3 } as const
      this.thread.add(out, where, handle, { ...item, text: headTail(text, 8_000) })
    } else {
      const quiet = ['info', 'warning', 'error'].includes(kind)
      because(out, quiet ? kind : unknownReason(this.unknown, kind, this.context.mask))
    }
    return text !== '' && !machine
  }

  private images(images: { data: unknown; mediaType: unknown }[], out: Outcome, where: Where): void {
    for (const [at, { data, mediaType }] of images.slice(0, 100).entries()) {
      const part = IMAGE + at
      const handle = this.thread.partId(where.recordId ?? '', part)
      this.thread.picture(out, where, handle, { data, mediaType, part })
    }
  }

  private calls(message: Json, out: Outcome, where: Where): void {
    const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : []
    const id = where.recordId ?? ''
    for (const [at, call] of calls.slice(0, 390).entries()) {
      const part = CALL + at * 2
      const { name, item, outcome: ending, settled, skip } = readTool(call, `${id}-${part}`)
      if (item || ending) this.thread.close(this.session, 'note', out)
      if (item) {
        const draft = { ...item, text: normalise(item.text), role: 'assistant', tool: name, part, settled }
        this.thread.add(out, where, this.thread.partId(id, part), draft)
      }
      if (ending) {
        const role = ending.kind === 'decision' ? 'user' : 'tool'
        const draft = { ...ending, text: normalise(ending.text), role, tool: name, part: part + 1 }
        this.thread.add(out, where, this.thread.partId(id, part + 1), draft)
      } else if (skip === 'question' && out.disposition.kind === 'dropped')
        out.disposition = { kind: 'attached' }
      else if (skip) because(out, skip)
    }
  }

  private remember(key: string, known: Known, message: Json): void {
    this.said.add(wordsOf(message))
    this.messages.delete(key)
    this.messages.set(key, known)
    for (const [oldest] of this.messages) {
      if (this.messages.size <= MAX_MESSAGES) break
      this.messages.delete(oldest)
    }
    for (const oldest of this.said) {
      if (this.said.size <= MAX_MESSAGES) break
      this.said.delete(oldest)
    }
  }
}
