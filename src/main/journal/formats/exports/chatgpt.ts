import type {
  Format,
  FormatContext,
  FormatReader,
  JsonRecord,
  Outcome,
  Place,
  SessionFacts,
} from '../../drafts'
import { dropped, failed } from '../../drafts'
import { stripInjected } from '../../injected'
import { asString, headTail, isObject, normalise } from '../../text'
import { timestampOf } from '../claude-code/record'
import { because, outcome, type Where } from '../speech'
import { Talk } from '../talk'
import { type Content, contentOf, type Json, messagesOf } from './chatgpt-tree'

const AGENT = 'chatgpt-export'

/** Reads the conversations of a ChatGPT export, one record each. */
class ChatGptExportReader implements FormatReader {
  private readonly talk = new Talk(AGENT)

  constructor(private readonly context: FormatContext) {}

  state(): unknown {
    return {}
  }

  stub(): null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const { part, value: conversation } = value as JsonRecord
    if (part === 'members') return dropped('header')
    if (!isObject(conversation)) return failed('a conversation that is no object')
    const id = asString(conversation.conversation_id) ?? asString(conversation.id)
    if (!id || !isObject(conversation.mapping)) return failed('a conversation without an id or messages')
    const title = asString(conversation.title)
    const facts: SessionFacts = {
      session: this.context.mask(id),
      ts: timestampOf(conversation.create_time),
      until: timestampOf(conversation.update_time) ?? 0,
      ...(title ? { title: normalise(title).slice(0, 200) } : {}),
    }
    const out = outcome(facts)
    for (const { message, current } of messagesOf(conversation)) {
      const recordId = asString(message.id)
      if (!recordId) continue
      const ts = timestampOf(message.create_time) ?? facts.ts
      this.message(out, { facts: { ...facts, ts }, place, recordId, closed: true }, message, current)
    }
    this.talk.end(facts.session)
    return out
  }

  private message(out: Outcome, where: Where, message: Json, current: boolean): void {
    const role = isObject(message.author) ? asString(message.author.role) : null
    const metadata = isObject(message.metadata) ? message.metadata : {}
    const content = contentOf(message)
    const text = normalise(stripInjected(content.text)).trim()
    if (metadata.is_visually_hidden_from_conversation === true) because(out, 'injected')
    else if (text === '') because(out, content.reason)
    else if (role === 'user' || role === 'assistant')
      this.speech(out, where, role, content, text, message, current)
    else if (role === 'tool' && content.kind === 'output') this.output(out, where, text, message)
    else because(out, role === 'system' ? 'system' : 'bookkeeping')
  }

  private speech(
    out: Outcome,
    where: Where,
    role: 'user' | 'assistant',
    content: Content,
    text: string,
    message: Json,
    current: boolean,
  ): void {
    const { talk } = this
    const handle = talk.partId(where.recordId ?? '', 0)
    const to = asString(message.recipient) ?? 'all'
    if (role === 'assistant' && (to !== 'all' || content.kind === 'code')) {
      const tool = to === 'all' ? 'code' : to
      const call = {
        kind: 'note' as const,
        text: headTail(`${tool}\n${text}`, 8_000),
        data: {},
        importance: 0.25,
      }
      if (current) talk.did(out, where, handle, call, tool)
      else talk.add(out, where, handle, { ...call, role, tool })
    } else if (!current) {
      // A branch that was left: kept, but neither a goal nor a closing statement.
      talk.add(out, where, handle, { kind: 'note', role, text: headTail(text, 100_000), importance: 0.15 })
    } else if (role === 'user') talk.asked(out, where, handle, text)
    else talk.said(out, where, handle, text)
  }

  private output(out: Outcome, where: Where, text: string, message: Json): void {
    const tool = (isObject(message.author) && asString(message.author.name)) || 'tool'
    this.talk.add(out, where, this.talk.partId(where.recordId ?? '', 0), {
      kind: 'note',
      role: 'tool',
      tool,
      text: headTail(text, 1_600),
      importance: 0.2,
    })
  }
}

/** ChatGPT's export: `conversations.json`, now in numbered parts. */
export const chatgptExport: Format = {
  agent: AGENT,
  framing: { kind: 'json', streamed: ['conversations'] },
  recognise: ({ text }) =>
    /^\s*[[{]/.test(text) &&
    /"mapping"\s*:\s*\{/.test(text) &&
    /"(?:children|parent|current_node)"\s*:/.test(text)
      ? 1
      : 0,
  open: (context) => new ChatGptExportReader(context),
}
