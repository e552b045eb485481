import {
  type Draft,
  dropped,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
} from '../../drafts'
import { handleOf } from '../../handles'
import { asString, isObject } from '../../text'
import { readAssistant } from './assistant-record'
import { AGENT, Desk, type Json } from './desk'
import { readUser } from './user-record'

/** Records beside the conversation. Any other type is counted as unknown: new ones come every month. */
const SIDE_RECORDS = new Set([
  'agent-name',
  'agent-setting',
  'atis-latch',
  'attachment',
  'bridge-session',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'summary',
  'teleported-from',
  'worktree-state',
])

/** Reads the records of one Claude Code file in file order. */
export class ClaudeCodeReader implements FormatReader {
  private readonly desk: Desk

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    this.desk = new Desk(context, saved)
  }

  state(): unknown {
    return this.desk.memory.saved()
  }

  read(value: unknown, place: Place): Outcome {
    if (!isObject(value)) return failed('not a record')
    switch (value.type) {
      case 'user':
        return readUser(this.desk, value, place)
      case 'assistant':
        return readAssistant(this.desk, value, place)
      case 'system':
        return this.system(value)
      case 'attachment':
        return this.attachment(value, place)
      case 'ai-title':
      case 'custom-title':
        return this.title(value)
      default: {
        const type = typeof value.type === 'string' ? value.type : ''
        return dropped(SIDE_RECORDS.has(type) ? type : 'unknown-record')
      }
    }
  }

  stub(place: Place): Draft | null {
    const session = this.desk.memory.lastSession
    if (!session) return null
    const megabytes = Math.round(place.byteLength / 1024 / 1024)
    return {
      ...this.desk.blank(session, place),
      handle: handleOf(AGENT, 'long', session, place.hash),
      text: `A record of ${megabytes} MB, too long to be read; the pointer leads to it.`,
      importance: 0.2,
    }
  }

  private system(record: Json): Outcome {
    const chain = this.desk.enter(record)
    if (!chain.inlineSide) this.desk.memory.passed(chain.uuid, chain.follows)
    const out = dropped('system', chain.facts)
    // These two are written when a turn has ended, so what was said last was its closing statement.
    const ends = record.subtype === 'turn_duration' || record.subtype === 'stop_hook_summary'
    if (ends && !chain.inlineSide) this.desk.close('conclusion', out)
    return out
  }

  private attachment(record: Json, place: Place): Outcome {
    const attachment = isObject(record.attachment) ? record.attachment : {}
    const typed = attachment.commandMode === undefined || attachment.commandMode === 'prompt'
    if (attachment.type !== 'queued_command' || !typed) {
      this.desk.memory.passed(asString(record.uuid), asString(record.parentUuid))
      return dropped('attachment')
    }
    // What the person typed while the agent was still working.
    return readUser(this.desk, { ...record, message: { content: attachment.prompt } }, place)
  }

  private title(record: Json): Outcome {
    const text = record.customTitle ?? record.aiTitle
    if (typeof text !== 'string' || typeof record.sessionId !== 'string') return dropped('title')
    const session = this.context.mask(record.sessionId)
    return dropped('title', { session, ts: null, title: text.slice(0, 200) })
  }
}
