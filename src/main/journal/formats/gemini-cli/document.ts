import { basename } from 'node:path'
import {
  type Draft,
  dropped,
  type Format,
  type FormatContext,
  type FormatReader,
  failed,
  type JsonRecord,
  type Outcome,
  type Place,
  type SessionFacts,
} from '../../drafts'
import { isLines } from '../../reading/sniff'
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import { outcome } from '../speech'
import { Talk } from '../talk'
import { readMessage } from './message'
import { projectRoot } from './root'

const AGENT = 'gemini-cli'

/** Reads a session that is one JSON object: `{sessionId, projectHash, startTime, messages: […]}`. */
class GeminiDocumentReader implements FormatReader {
  private readonly talk = new Talk(AGENT)
  private session: string

  constructor(private readonly context: FormatContext) {
    this.session = context.mask(basename(context.path).replace(/\.json$/i, ''))
  }

  state(): unknown {
    return {}
  }

  stub(): Draft | null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const record = value as JsonRecord
    if (!isObject(record.value)) return failed('a message that is no object')
    if (record.part === 'members') return this.header(record.value)
    const message = record.value
    const id = asString(message.id)
    const facts: SessionFacts = { session: this.session, ts: timestampOf(message.timestamp) }
    const out = outcome(facts)
    const recordId = id ?? this.talk.contentId(this.session, 'message').slice(4)
    readMessage(this.talk, out, { facts, place, recordId, closed: true }, message)
    return out
  }

  private header(members: Record<string, unknown>): Outcome {
    const id = asString(members.sessionId)
    if (id) this.session = this.context.mask(id)
    const cwd = projectRoot(this.context, false)
    return dropped('header', { session: this.session, ts: timestampOf(members.startTime), ...cwd })
  }
}

/** Gemini CLI's sessions up to April 2026: one object, rewritten whole at each turn. */
export const geminiDocument: Format = {
  agent: AGENT,
  framing: { kind: 'json', streamed: ['messages'] },
  recognise({ text, records, path }) {
    // A growing session begins with the same head line.
    if (!/^\s*\{/.test(text) || records.length > 1 || isLines(path)) return 0
    const start = text.slice(0, 4_000)
    const own = /"sessionId"\s*:/.test(start) && /"(?:projectHash|startTime|lastUpdated)"\s*:/.test(start)
    return own && /"messages"\s*:\s*\[/.test(start) ? 1 : 0
  },
  open: (context) => new GeminiDocumentReader(context),
}
