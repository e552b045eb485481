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
import { asString, isObject, normalise } from '../../text'
import { because, outcome, type Where } from '../speech'
import { Thread } from '../thread'
import { unknownReason } from '../unknown'
import { type Json, readCursorCalls } from './calls'
import { readPrompt } from './prompt'

const AGENT = 'cursor'
/** Parts of a message: its prose, then its pictures, then its calls. */
const PICTURE = 1
const CALL = 200

interface Header {
  id: string
  title: unknown
  cwd: string | null
  createdAt: number | null
  /** The conversation that started this one. */
  parent?: string | null
}

/** Reads the messages of one of the conversations that Cursor's agent in the terminal keeps: `{role, content}`. */
export class CursorChatReader implements FormatReader {
  private readonly thread: Thread
  private readonly unknown: string[]
  private facts: SessionFacts = { session: '', ts: null }
  private cwd: string | null
  /** When the person last spoke, as far as the editor says; nothing else has a time. */
  private spokenAt: number | null

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    this.thread = new Thread(AGENT, context, it.thread, proseIn)
    this.unknown = Array.isArray(it.unknown) ? (it.unknown as string[]) : []
    this.cwd = null
    this.spokenAt = typeof it.spokenAt === 'number' ? it.spokenAt : null
  }

  state(): unknown {
    return { thread: this.thread.state(), unknown: this.unknown, spokenAt: this.spokenAt }
  }

  stub(place: Place): Draft | null {
    const { session } = this.facts
    return session === '' ? null : this.thread.long(session, place)
  }

  read(given: unknown, place: Place): Outcome {
    const { key, header, value } = given as StoredValue
    if (!isObject(value)) return failed('not a record')
    const { id, title, cwd, createdAt, parent } = header as Header
    const blocks = blocksIn(value.content)
    const raw = textOf(blocks)
    const prompt = value.role === 'user' ? readPrompt(raw) : null
    // A folder's name is foreign text: it is not kept between readings, and the next prompt tells it again.
    this.cwd = cwd ?? prompt?.cwd ?? this.cwd
    this.spokenAt = prompt?.ts ?? this.spokenAt
    this.facts = {
      session: this.context.mask(id),
      ts: this.spokenAt ?? createdAt,
      ...(this.cwd ? { cwd: this.cwd } : {}),
      ...(parent ? { parent: this.context.mask(parent) } : {}),
      ...(typeof title === 'string' && title.trim() !== '' ? { title: normalise(title).slice(0, 200) } : {}),
    }
    const out = outcome(this.facts)
    const where = { facts: this.facts, place, recordId: key, closed: true }
    // The hash is that of the content: two conversations may hold the same words.
    const part = (at: number) => this.thread.partId(`${id}:${key}`, at)
    if (prompt) this.asked(prompt.text, raw, blocks, { out, where, part })
    else if (value.role === 'assistant') this.answered(blocks, { out, where, part })
    else if (value.role === 'system') because(out, 'system')
    else if (value.role === 'tool') because(out, 'tool-result')
    else because(out, unknownReason(this.unknown, asString(value.role) ?? '', this.context.mask))
    return out
  }

  private asked(text: string, raw: string, blocks: readonly Json[], { out, where, part }: Told): void {
    if (where.facts.parent) because(out, 'subagent-prompt')
    else if (text !== '') this.thread.asked(out, where, part(0), text)
    else because(out, raw.trim() === '' ? 'empty' : 'injected')
    for (const [at, block] of blocks.entries()) {
      const picture = /^(?:image|file)$/.test(String(block.type)) ? pictureIn(block) : null
      if (picture) this.thread.picture(out, where, part(PICTURE + at), { ...picture, part: PICTURE + at })
    }
  }

  private answered(blocks: readonly Json[], { out, where, part }: Told): void {
    const text = proseOf(blocks)
    const lastText = blocks.findLastIndex((block) => block.type === 'text')
    const callsAfter = blocks.slice(lastText + 1).some((block) => block.type === 'tool-call')
    if (text !== '' && callsAfter) this.thread.said(out, where, part(0), text)
    for (const [at, block] of blocks.entries())
      if (block.type === 'tool-call') this.called(block, { out, where, part }, CALL + at * 20)
    if (text !== '' && !callsAfter) this.thread.said(out, where, part(0), text)
    const thought = blocks.some((block) => /reasoning/.test(String(block.type)))
    because(out, thought ? 'thinking' : 'empty')
  }

  private called(block: Json, { out, where, part }: Told, from: number): void {
    const name = asString(block.toolName) ?? ''
    const id = asString(block.toolCallId) ?? ''
    for (const [at, reading] of readCursorCalls(name, block.args ?? block.input, id)
      .slice(0, 20)
      .entries()) {
      if ('skip' in reading) because(out, reading.skip)
      else if ('held' in reading) because(out, 'question')
      else this.thread.did(out, where, part(from + at), reading, name)
    }
  }
}

interface Told {
  out: Outcome
  where: Where
  part: (at: number) => Draft['handle']
}

const blocksIn = (content: unknown): Json[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content.filter(isObject)
      : []

const textOf = (blocks: readonly Json[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [asString(block.text) ?? ''] : [])).join('\n')

const proseOf = (blocks: readonly Json[]): string => normalise(stripInjected(textOf(blocks))).trim()

function proseIn(record: unknown): string | null {
  const value = isObject(record) && isObject(record.value) ? record.value : null
  return value ? proseOf(blocksIn(value.content)) || null : null
}

/** The conversations of Cursor's agent in the terminal. Opened as stores only. */
export const cursorChats: Format = {
  agent: AGENT,
  recognise: () => 0,
  open: (context, saved) => new CursorChatReader(context, saved),
}
