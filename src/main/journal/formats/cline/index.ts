import { basename, dirname } from 'node:path'
import {
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
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import { readApiMessage } from './api'
import { Task } from './task'
import { readUiMessage } from './ui'

/** Reads one of the two files of a task; both tell the same conversation, and each word of it counts once. */
class ClineReader implements FormatReader {
  private readonly task = new Task()
  private readonly session: string
  private started: number | null

  constructor(context: FormatContext) {
    const folder = basename(dirname(context.path))
    const own = /^(?:\d{10,14}|[0-9a-f-]{36})$/i.test(folder)
      ? folder
      : basename(context.path).replace(/\.json$/i, '')
    this.session = context.mask(own)
    // The folder's name is the moment the task began.
    this.started = /^\d{13}$/.test(own) ? Number(own) : null
  }

  state(): unknown {
    return {}
  }

  stub(): null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const { part, value: message } = value as JsonRecord
    if (part === 'members') return dropped('header')
    if (!isObject(message)) return failed('a message that is no object')
    const facts: SessionFacts = { session: this.session, ts: timestampOf(message.ts) ?? this.started }
    this.started = null
    const where = { facts, place, recordId: null, closed: true }
    if (asString(message.role) !== null) return readApiMessage(this.task, where, message)
    return readUiMessage(this.task, where, message)
  }
}

/** Cline and Roo Code: `api_conversation_history.json` and `ui_messages.json`, arrays rewritten at each step. */
export const cline: Format = {
  agent: 'cline',
  framing: { kind: 'json', streamed: [] },
  recognise({ text, path }) {
    if (!/^\s*\[\s*\{/.test(text)) return 0
    const start = text.slice(0, 4_000)
    const api = /"role"\s*:\s*"(?:user|assistant)"/.test(start) && /"content"\s*:/.test(start)
    const ui = /"ts"\s*:\s*\d/.test(start) && /"type"\s*:\s*"(?:say|ask)"/.test(start)
    if (!api && !ui) return 0
    const named = /(?:api_conversation_history|ui_messages|claude_messages)\.json$/.test(path)
    const own = ui || /<task>|environment_details/.test(start)
    return named ? 1 : own ? 0.8 : 0
  },
  open: (context) => new ClineReader(context),
}
