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
import { readCall } from '../claude-code/calls'
import { timestampOf } from '../claude-code/record'
import { because, outcome, type Where } from '../speech'
import { Talk } from '../talk'

const AGENT = 'claude-export'
/** Parts of a message: its prose, its attachments, its calls. */
const PARTS = { prose: 0, attachment: 1, block: 100 } as const

type Json = Record<string, unknown>

/** Reads the conversations of a claude.ai export, one record each. */
class ClaudeExportReader implements FormatReader {
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
    const id = asString(conversation.uuid)
    if (!id || !Array.isArray(conversation.chat_messages))
      return failed('a conversation without an id or messages')
    const title = asString(conversation.name)
    const facts: SessionFacts = {
      session: this.context.mask(id),
      ts: timestampOf(conversation.created_at),
      until: timestampOf(conversation.updated_at) ?? 0,
      ...(title ? { title: normalise(title).slice(0, 200) } : {}),
    }
    const out = outcome(facts)
    for (const message of conversation.chat_messages)
      if (isObject(message)) this.message(out, facts, place, message)
    this.talk.end(facts.session)
    return out
  }

  private message(out: Outcome, facts: SessionFacts, place: Place, message: Json): void {
    const id = asString(message.uuid)
    if (!id) return
    const where: Where = {
      facts: { ...facts, ts: timestampOf(message.created_at) ?? facts.ts },
      place,
      recordId: id,
      closed: true,
    }
    const text = normalise(stripInjected(textOf(message))).trim()
    const human = message.sender === 'human'
    if (human) this.attachments(out, where, id, message.attachments)
    if (text !== '' && human) this.talk.asked(out, where, this.talk.partId(id, PARTS.prose), text)
    if (!human) this.blocks(out, where, id, message.content)
    if (text !== '' && !human) this.talk.said(out, where, this.talk.partId(id, PARTS.prose), text)
    if (text === '') because(out, 'empty')
  }

  private attachments(out: Outcome, where: Where, id: string, attachments: unknown): void {
    if (!Array.isArray(attachments)) return
    for (const [at, file] of attachments.slice(0, 50).entries()) {
      if (!isObject(file)) continue
      const content = normalise(stripInjected(asString(file.extracted_content) ?? '')).trim()
      if (content === '') continue
      this.talk.add(out, where, this.talk.partId(id, PARTS.attachment + at), {
        kind: 'note',
        role: 'user',
        text: headTail(`Attached ${asString(file.file_name) ?? 'a text'}\n${content}`, 12_000),
        importance: 0.3,
      })
    }
  }

  private blocks(out: Outcome, where: Where, id: string, content: unknown): void {
    if (!Array.isArray(content)) return
    for (const [at, block] of content.entries()) {
      if (!isObject(block) || block.type !== 'tool_use' || typeof block.name !== 'string') continue
      const reading = readCall(block.name, block.input, asString(block.id) ?? `${id}-${at}`)
      if ('kind' in reading)
        this.talk.did(out, where, this.talk.partId(id, PARTS.block + at), reading, block.name)
    }
  }
}

/** The message's words: its text blocks, in older exports the flat `text`. */
function textOf(message: Json): string {
  const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : []
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (asString(block.text) ?? []) : []))
  return texts.length > 0 ? texts.join('\n\n') : (asString(message.text) ?? '')
}

/** claude.ai's export: `conversations.json`. */
export const claudeExport: Format = {
  agent: AGENT,
  framing: { kind: 'json', streamed: ['conversations'] },
  recognise: ({ text }) =>
    /^\s*[[{]/.test(text) && /"chat_messages"\s*:\s*\[/.test(text) && /"uuid"\s*:/.test(text) ? 1 : 0,
  open: (context) => new ClaudeExportReader(context),
}
