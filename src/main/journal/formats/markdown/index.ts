import { basename } from 'node:path'
import {
  type Draft,
  dropped,
  type Format,
  type FormatContext,
  type FormatReader,
  type Outcome,
  type Place,
  type SessionFacts,
  type TextRecord,
} from '../../drafts'
import { sha256 } from '../../handles'
import { stripInjected } from '../../injected'
import { headTail, normalise } from '../../text'
import { because, outcome, type Where } from '../speech'
import { Talk } from '../talk'
import { RoleCutter, type RoleLine, roleLine, surenessOf } from './roles'

const AGENT = 'markdown'

/** Reads the turns of a conversation somebody kept as Markdown. */
class MarkdownReader implements FormatReader {
  private readonly talk = new Talk(AGENT)
  private session: string | null = null
  private readonly stem: string

  constructor(context: FormatContext) {
    this.stem = context.mask(basename(context.path).replace(/\.[a-z]+$/i, ''))
  }

  state(): unknown {
    return {}
  }

  stub(): Draft | null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const record = value as TextRecord
    const end = record.text.indexOf('\n')
    const line = end === -1 ? record.text : record.text.slice(0, end)
    const head = roleLine(line.trimEnd())
    if (!head) return dropped('preamble')
    const body = `${head.rest}${end === -1 ? '' : record.text.slice(end)}`
    const text = normalise(stripInjected(body.replace(/\n(?:---|\*\*\*)\s*$/, ''))).trim()
    return this.turn(head, text, place, record.closed)
  }

  private turn(head: RoleLine, text: string, place: Place, closed: boolean): Outcome {
    // A document has no id: its name and its first words stand in, so that it may lie anywhere.
    this.session ??= `${this.stem}-${sha256(text).slice(0, 8)}`
    const facts: SessionFacts = { session: this.session, ts: head.ts, title: this.stem }
    const turn = this.talk.contentId(facts.session, 'turn').slice(4, 20)
    const where: Where = { facts, place, recordId: turn, closed }
    const out = { ...outcome(facts), turn }
    if (head.role === 'system') because(out, 'system')
    if (text === '' || head.role === 'system') return out
    const handle = this.talk.contentId(facts.session, head.role, head.ts ?? '', text)
    if (head.role === 'user') this.talk.asked(out, where, handle, text)
    else if (head.role === 'assistant') this.talk.said(out, where, handle, text)
    else this.talk.add(out, where, handle, { kind: 'note', role: 'tool', text: headTail(text, 8_000) })
    return out
  }
}

/** Conversations kept as Markdown, with a heading or a bold word for each speaker. */
export const markdown: Format = {
  agent: AGENT,
  framing: { kind: 'text', cutter: () => new RoleCutter() },
  recognise: ({ text }) => (text.trimStart().startsWith('{') ? 0 : surenessOf(text)),
  open: (context) => new MarkdownReader(context),
}
