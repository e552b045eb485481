import {
  type Draft,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
} from '../../drafts'
import { handleOf } from '../../handles'
import { asString, headTail, isObject, normalise } from '../../text'
import { unknownReason } from '../unknown'
import { AGENT, Desk, type Sheet, wordsOf } from './desk'
import { type Entry, entryOf, type Json } from './envelope'
import { meet } from './lineage'
import { textOf } from './prompts'
import { given, heard, proposed, said, typed } from './talk'
import { called, ended, returned, spawned } from './work'

/** Response items and events that say nothing of their own, by the reason they are counted under. */
const QUIET: Record<string, string> = {
  reasoning: 'thinking',
  agent_reasoning: 'thinking',
  agent_reasoning_raw_content: 'thinking',
  agent_reasoning_section_break: 'thinking',
  token_count: 'token-count',
  compaction: 'compaction-summary',
  compaction_summary: 'compaction-summary',
  context_compaction: 'compaction-summary',
  context_compacted: 'compaction-summary',
  ghost_snapshot: 'snapshot',
  turn_diff: 'snapshot',
}
const BOOKKEEPING = new Set(
  `background_event exec_command_begin exec_command_output_delta patch_apply_begin patch_apply_end plan_update
  mcp_tool_call_begin mcp_tool_call_end mcp_startup_update mcp_startup_complete web_search_begin web_search_end
  view_image_tool_call image_generation_begin image_generation_end item_started item_updated thread_settings_applied
  thread_goal_updated entered_review_mode exited_review_mode stream_error warning undo_started
  undo_completed shutdown_complete deprecation_notice model_reroute hook_started hook_completed session_configured
  dynamic_tool_call_request dynamic_tool_call_response tool_search_call tool_search_output image_generation_call
  terminal_interaction user_shell_command_end guardian_assessment`.split(/\s+/),
)
const TURN_STARTS = new Set(['task_started', 'turn_started'])
const TURN_ENDS = new Set(['task_complete', 'turn_complete'])
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call'])
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output', 'local_shell_call_output'])

/** Reads the records of one rollout in file order. */
export class CodexReader implements FormatReader {
  private readonly desk: Desk

  constructor(context: FormatContext, saved: unknown) {
    this.desk = new Desk(context, saved)
  }

  state(): unknown {
    return this.desk.memory.saved()
  }

  read(value: unknown, place: Place): Outcome {
    if (!isObject(value)) return failed('not a record')
    const entry = entryOf(value)
    const { desk } = this
    if (entry.type === 'session_meta') return this.head(entry, place)
    const sheet = desk.enter(entry, place, turnOf(entry))
    this.modeIn(entry)
    if (entry.type === 'response_item') this.item(sheet, entry.payload)
    else if (entry.type === 'event_msg') this.event(sheet, entry.payload)
    else desk.reason(sheet.out, this.otherReason(sheet, entry))
    return sheet.out
  }

  stub(place: Place): Draft {
    const { desk } = this
    const megabytes = Math.round(place.byteLength / 1024 / 1024)
    return {
      ...desk.blank(place, false, null),
      handle: handleOf(AGENT, 'long', desk.session, place.hash),
      text: `A record of ${megabytes} MB, too long to be read; the pointer leads to it.`,
      importance: 0.2,
    }
  }

  private head(entry: Entry, place: Place): Outcome {
    const { desk } = this
    const facts = meet(desk.memory.lineage, entry, desk.context)
    const sheet = desk.enter(entry, place, null)
    const { out } = sheet
    if (facts.session !== desk.session) out.also = [{ session: desk.session, ts: entry.ts }]
    else delete out.also
    out.facts = facts
    out.disposition = { kind: 'dropped', reason: 'session-meta' }
    return out
  }

  private otherReason(sheet: Sheet, entry: Entry): string {
    const { desk } = this
    if (entry.type === 'compacted') return 'compaction-summary'
    if (entry.type === 'turn_context') {
      const cwd = asString(entry.payload.cwd)
      if (cwd && !sheet.copied && sheet.out.facts) sheet.out.facts.cwd = cwd
      return 'turn-context'
    }
    if (entry.name === 'state' || entry.name === 'world_state') return 'settings'
    return unknownReason(desk.memory.unknown, entry.name, desk.mask)
  }

  /** Plan mode is told at the beginning of a turn. */
  private modeIn({ type, payload }: Entry): void {
    const told = payload.collaboration_mode ?? payload.collaboration_mode_kind
    const mode = isObject(told) ? asString(told.mode) : asString(told)
    const begins = type === 'turn_context' || TURN_STARTS.has(String(payload.type))
    if (begins && mode !== null && /^[a-z_-]{1,24}$/i.test(mode)) this.desk.memory.mode = mode
  }

  private item(sheet: Sheet, payload: Json): void {
    const { desk } = this
    const type = asString(payload.type) ?? ''
    if (CALLS.has(type)) called(desk, sheet, payload)
    else if (OUTPUTS.has(type)) returned(desk, sheet, payload)
    else if (type !== 'message') desk.reason(sheet.out, this.quiet(type, 'response_item'))
    else if (payload.role === 'user') given(desk, sheet, payload)
    else if (payload.role !== 'assistant') desk.reason(sheet.out, 'developer')
    else if (payload.channel === 'analysis') desk.reason(sheet.out, 'thinking')
    else said(desk, sheet, textOf(payload.content), 'response', payload.phase)
  }

  private event(sheet: Sheet, payload: Json): void {
    const { desk } = this
    const type = asString(payload.type) ?? ''
    if (type === 'user_message') this.userMessage(sheet, payload)
    else if (type === 'agent_message')
      said(desk, sheet, asString(payload.message) ?? '', 'event', payload.phase)
    else if (type === 'item_completed') this.completedItem(sheet, payload)
    else if (type === 'exec_command_end') ended(desk, sheet, payload)
    else if (type === 'error') this.error(sheet, payload)
    else if (type === 'thread_name_updated') this.named(sheet, payload)
    else if (TURN_ENDS.has(type)) this.turnEnded(sheet, 'conclusion', 'turn')
    else if (type === 'thread_rolled_back') this.rolledBack(sheet, payload)
    else if (type === 'collab_agent_spawn_end') spawned(desk, sheet, payload)
    else if (type === 'turn_aborted') this.turnEnded(sheet, 'note', 'interruption')
    else if (TURN_STARTS.has(type)) desk.reason(sheet.out, 'turn')
    else desk.reason(sheet.out, this.quiet(type, 'event_msg'))
  }

  private quiet(type: string, envelope: string): string {
    if (Object.hasOwn(QUIET, type)) return QUIET[type] ?? ''
    if (BOOKKEEPING.has(type) || type.startsWith('collab_')) return 'bookkeeping'
    return unknownReason(this.desk.memory.unknown, `${envelope}/${type}`, this.desk.mask)
  }

  private userMessage(sheet: Sheet, payload: Json): void {
    // Older versions told machine text as an event of another kind.
    if (typeof payload.kind === 'string' && payload.kind !== 'plain') {
      this.desk.reason(sheet.out, 'machine-text')
      return
    }
    const images = Array.isArray(payload.images) ? payload.images : []
    typed(this.desk, sheet, asString(payload.message) ?? '', 'event', images)
  }

  private completedItem(sheet: Sheet, payload: Json): void {
    const { desk } = this
    const item = isObject(payload.item) ? payload.item : {}
    const type = (asString(item.type) ?? '').toLowerCase()
    if (type === 'plan') {
      const plan = normalise(asString(item.text) ?? '').trim()
      if (plan !== '') proposed(desk, sheet, plan, 'item')
    } else if (type === 'usermessage') {
      typed(desk, sheet, textOf(item.content), 'item', Array.isArray(item.content) ? item.content : [])
    } else if (type === 'agentmessage' && item.channel !== 'analysis') {
      said(desk, sheet, asString(item.text) ?? textOf(item.content), 'item', item.phase)
    } else desk.reason(sheet.out, type.includes('reasoning') ? 'thinking' : 'bookkeeping')
  }

  private turnEnded(sheet: Sheet, kind: 'conclusion' | 'note', reason: string): void {
    heard(this.desk, sheet.out)
    this.desk.close(kind, sheet.out)
    this.desk.reason(sheet.out, reason)
  }

  private rolledBack(sheet: Sheet, payload: Json): void {
    const { desk } = this
    desk.close('note', sheet.out)
    const turns = payload.num_turns
    if (typeof turns === 'number' && turns > 0 && !sheet.copied) desk.memory.rollBack(Math.trunc(turns))
    desk.memory.plan = null
    desk.reason(sheet.out, 'rewind')
  }

  private error(sheet: Sheet, payload: Json): void {
    const text = normalise(asString(payload.message) ?? '').trim()
    if (text === '') return
    const { desk } = this
    heard(desk, sheet.out)
    desk.close('note', sheet.out)
    const words = wordsOf(text)
    const { nth } = desk.memory.tell('error', words, 'event')
    desk.own(sheet, {
      ...desk.base(sheet),
      handle: desk.wordsHandle(sheet.copied, 'error', words, nth),
      kind: 'error',
      role: 'assistant',
      text: headTail(text, 8_000),
      data: { tool: 'api' },
      importance: 0.3,
    })
  }

  private named(sheet: Sheet, payload: Json): void {
    const title = asString(payload.thread_name) ?? asString(payload.name)
    if (title && !sheet.copied && sheet.out.facts) sheet.out.facts.title = normalise(title).slice(0, 200)
    this.desk.reason(sheet.out, 'title')
  }
}

/** The turn a record says it belongs to. */
function turnOf({ type, payload }: Entry): string | null {
  if (type === 'turn_context') return asString(payload.turn_id)
  if (type === 'event_msg') return asString(payload.turn_id)
  const meta = payload.internal_chat_message_metadata_passthrough
  return isObject(meta) ? asString(meta.turn_id) : null
}
