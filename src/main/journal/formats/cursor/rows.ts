import {
  type Draft,
  dropped,
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
import { readBubbleTool } from './bubble-tool'
import type { Json } from './calls'
import { CursorChatReader } from './chat-reader'
import type { ComposerHeader } from './composer-header'
import type { BubbleAbout } from './conversation'
import { readPrompt } from './prompt'
import { folderOf } from './uri'

const AGENT = 'cursor'
/** Parts of a message: its prose, then its pictures, then its call. */
const PICTURE = 1
const CALL = 200

/** Reads the messages of one of Cursor's conversations, as its database holds them. */
class CursorRowsReader implements FormatReader {
  private readonly thread: Thread
  private readonly chat: CursorChatReader
  private facts: SessionFacts = { session: '', ts: null }

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    this.thread = new Thread(AGENT, context, isObject(saved) ? saved.thread : null, proseIn)
    this.chat = new CursorChatReader(context, isObject(saved) ? saved.chat : null)
  }

  state(): unknown {
    return { thread: this.thread.state(), chat: this.chat.state() }
  }

  stub(place: Place): Draft | null {
    const { session } = this.facts
    return session === '' ? this.chat.stub(place) : this.thread.long(session, place)
  }

  read(given: unknown, place: Place): Outcome {
    const { key, header, about, value } = given as StoredValue
    if (!isObject(value)) return failed('not a record')
    const of = header as ComposerHeader
    const { kind } = about as { kind: string }
    if (kind === 'listed') return this.listed(value, of)
    if (kind === 'chat') return this.chat.read(given, place)
    const { id, listed, first } = about as BubbleAbout
    this.facts = this.factsOf(of, value, first)
    const out = outcome(this.facts)
    if (!listed) {
      because(out, 'left-behind')
      return out
    }
    const where = { facts: this.facts, place, recordId: key, closed: true }
    this.bubble(value, id, out, where)
    return out
  }

  private listed(value: Json, { cwd }: ComposerHeader): Outcome {
    const id = asString(value.composerId)
    if (id === null) return dropped('listed')
    return dropped('listed', {
      session: this.context.mask(id),
      ts: timestampOf(value.createdAt),
      ...(cwd ? { cwd } : {}),
      ...titled(value.name),
    })
  }

  private factsOf(header: ComposerHeader, value: Json, first: boolean): SessionFacts {
    const uris = Array.isArray(value.workspaceUris) ? value.workspaceUris : []
    const cwd = header.cwd ?? folderOf(uris[0]) ?? asString(value.workspaceProjectDir)
    return {
      session: this.context.mask(header.id),
      ts: timeOf(value) ?? (first ? header.createdAt : null),
      ...(cwd ? { cwd } : {}),
      ...titled(header.title),
      ...(header.parent ? { parent: this.context.mask(header.parent) } : {}),
      ...(header.branch ? { gitBranch: header.branch } : {}),
    }
  }

  private bubble(value: Json, id: string, out: Outcome, where: Where): void {
    const person = value.type === 1 || value.type === 'user'
    const agent = value.type === 2 || value.type === 'ai' || value.type === 'assistant'
    if (person) this.asked(value, id, out, where)
    else if (agent) this.answered(value, id, out, where)
    else because(out, 'unknown-record')
  }

  private asked(value: Json, id: string, out: Outcome, where: Where): void {
    const raw = asString(value.text) ?? asString(value.rawText) ?? asString(value.initText) ?? ''
    const { text } = readPrompt(raw)
    if (where.facts.parent) because(out, 'subagent-prompt')
    else if (text !== '') this.thread.asked(out, where, this.thread.partId(id, 0), text)
    else because(out, raw.trim() === '' ? 'empty' : 'injected')
    for (const [at, picture] of picturesIn(value).entries()) {
      const part = PICTURE + at
      this.thread.picture(out, where, this.thread.partId(id, part), { ...picture, part })
    }
  }

  private answered(value: Json, id: string, out: Outcome, where: Where): void {
    const raw = asString(value.text) ?? asString(value.rawText) ?? ''
    const text = normalise(stripInjected(raw)).trim()
    const thought = isObject(value.thinking) || value.isThought === true
    const tool = isObject(value.toolFormerData) ? value.toolFormerData : null
    if (text !== '' && value.isThought !== true) this.thread.said(out, where, this.thread.partId(id, 0), text)
    if (tool) {
      const part = (at: number) => this.thread.partId(id, CALL + at)
      readBubbleTool(this.thread, tool, { out, where, part })
    }
    const error = isObject(value.errorDetails) ? value.errorDetails : null
    const said = error && normalise(asString(error.message) ?? asString(error.error) ?? '').trim()
    if (said) {
      this.thread.close(where.facts.session, 'note', out)
      const item = { kind: 'error', role: 'assistant', data: { tool: 'api' }, importance: 0.3 } as const
      this.thread.add(out, where, this.thread.partId(id, CALL - 1), { ...item, text: headTail(said, 8_000) })
    }
    because(out, thought ? 'thinking' : raw.trim() === '' ? 'empty' : 'injected')
  }
}

const titled = (title: unknown): { title?: string } =>
  typeof title === 'string' && title.trim() !== '' ? { title: normalise(title).slice(0, 200) } : {}

/** When it was said: newer versions say it, older ones when it was sent. */
function timeOf(value: Json): number | null {
  const timing = isObject(value.timingInfo) ? value.timingInfo : {}
  const sent = [timing.clientRpcSendTime, timing.clientStartTime].find(
    (at) => typeof at === 'number' && at > 1e12,
  )
  return timestampOf(value.createdAt) ?? timestampOf(sent)
}

function picturesIn(value: Json): { data: string; mediaType: unknown }[] {
  const context = isObject(value.context) ? value.context : {}
  const given = [value.images, value.selectedImages, context.selectedImages].filter(Array.isArray).flat()
  return given.slice(0, 100).flatMap((one) => pictureIn(one) ?? [])
}

function proseIn(record: unknown): string | null {
  const value = isObject(record) && isObject(record.value) ? record.value : null
  const text = value && (asString(value.text) ?? asString(value.rawText))
  return text ? normalise(stripInjected(text)).trim() : null
}

/** Cursor's conversations in its database. Opened as a store only. */
export const cursorRows: Format = {
  agent: AGENT,
  recognise: () => 0,
  open: (context, saved) => new CursorRowsReader(context, saved),
}
