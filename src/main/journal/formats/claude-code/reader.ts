import type { Handle } from '../../../../shared/domain'
import {
  type Draft,
  dropped,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
} from '../../drafts'
import { isAcknowledgement } from '../../goals'
import { handleOf } from '../../handles'
import { imageFacts, imageText } from '../../images'
import { stripInjected } from '../../injected'
import { headTail, isObject, normalise } from '../../text'
import { answered } from './answered'
import { type Block, blocksOf, type CallBlock, type ImageBlock, type ResultBlock } from './blocks'
import { type CallReading, readCall, TEXT_LIMIT } from './calls'
import { type Held, ReaderMemory } from './memory'
import { readPrompt } from './prompts'
import { type Chain, chainOf } from './record'
import { isInterruption } from './results'

export const AGENT = 'claude-code'
/** Parts of one record are numbered block × 16 + slot. */
const SLOTS = 16
const PROSE_LIMIT = 100_000
const CONCLUSION_LIMIT = 16_000

const SIDE_RECORDS = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'permission-mode',
  'mode',
  'pr-link',
  'agent-name',
  'agent-setting',
  'worktree-state',
  'bridge-session',
  'teleported-from',
  'progress',
  'attachment',
  'atis-latch',
])

/** Reads the records of one Claude Code file in file order. */
export class ClaudeCodeReader implements FormatReader {
  private readonly memory: ReaderMemory

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    this.memory = new ReaderMemory(saved)
  }

  state(): unknown {
    return this.memory.saved()
  }

  read(value: unknown, place: Place): Outcome {
    if (!isObject(value)) return failed('not a record')
    switch (value.type) {
      case 'user':
        return this.user(value, place)
      case 'assistant':
        return this.assistant(value, place)
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
    const session = this.memory.lastSession
    if (!session) return null
    const megabytes = Math.round(place.byteLength / 1024 / 1024)
    return {
      ...this.blank(session, place),
      handle: handleOf(AGENT, 'long', session, place.hash),
      kind: 'note',
      text: `A record of ${megabytes} MB, too long to be read; the pointer leads to it.`,
      importance: 0.2,
    }
  }

  // --- user -------------------------------------------------------------------------------------------------

  private user(record: Record<string, unknown>, place: Place): Outcome {
    const chain = this.enter(record)
    const message = isObject(record.message) ? record.message : null
    const blocks = message ? blocksOf(message.content) : null
    if (!blocks) return { ...failed('a user record without readable content'), facts: chain.facts }
    const out: Outcome = {
      disposition: { kind: 'dropped', reason: 'empty' },
      facts: chain.facts,
      own: [],
      completes: [],
      revises: [],
    }
    const results = blocks.filter((block) => block.type === 'result')
    for (const [index, block] of blocks.entries()) {
      if (block.type === 'result') this.result(block, index, record, chain, place, out)
    }
    const machine = this.machineReason(record, chain)
    if (machine && results.length === 0) return dropped(machine, chain.facts)
    if (!machine) this.speech(blocks, record, chain, place, out)
    if (out.own.length > 0) out.disposition = { kind: 'used' }
    else if (out.completes.length > 0) out.disposition = { kind: 'attached' }
    return out
  }

  /** Why a user record is not the person speaking; null when it may be. */
  private machineReason(record: Record<string, unknown>, chain: Chain): string | null {
    if (record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true)
      return 'compaction-summary'
    if (record.isMeta === true || typeof record.sourceToolUseID === 'string') return 'meta'
    if (chain.child || chain.inlineSide) return 'subagent-prompt'
    if (record.promptSource === 'system') return 'injected'
    const origin = isObject(record.origin) ? record.origin.kind : undefined
    return typeof origin === 'string' && !['human', 'user', 'typed'].includes(origin) ? 'injected' : null
  }

  private speech(
    blocks: readonly Block[],
    record: Record<string, unknown>,
    chain: Chain,
    place: Place,
    out: Outcome,
  ): void {
    const spoken: string[] = []
    let first = 0
    let data = {}
    for (const [index, block] of blocks.entries()) {
      if (block.type === 'image') this.image(block, index, chain, place, 'user', out)
      if (block.type !== 'text') continue
      const prompt = readPrompt(block.text, record.planContent)
      if (prompt.kind === 'machine') {
        if (out.disposition.kind === 'dropped') out.disposition = { kind: 'dropped', reason: prompt.reason }
        if (prompt.reason === 'interruption') this.close('note', out)
      } else if (prompt.kind === 'shell') this.shell(prompt.command, index, chain, place, out)
      else {
        if (spoken.length === 0) first = index
        spoken.push(prompt.text)
        data = { ...data, ...prompt.data }
      }
    }
    const text = spoken.join('\n').trim()
    if (text === '') return
    this.close('conclusion', out)
    const base = this.base(chain, place, first)
    const keeps = isAcknowledgement(text)
    if (!keeps) this.memory.setGoal(chain.session, base.handle)
    out.own.push({
      ...base,
      kind: keeps ? 'note' : 'goal',
      role: 'user',
      goal: this.memory.goal(chain.session),
      text: headTail(text, PROSE_LIMIT),
      data: keeps ? {} : data,
      importance: keeps ? 0.2 : 'implementsPlan' in data ? 0.9 : 0.8,
    })
  }

  private shell(command: string, index: number, chain: Chain, place: Place, out: Outcome): void {
    if (command === '') return
    out.own.push({
      ...this.base(chain, place, index),
      kind: 'command',
      role: 'user',
      text: `$ ${headTail(command, TEXT_LIMIT)}`,
      data: { command: headTail(command, TEXT_LIMIT), failed: false },
      importance: 0.4,
    })
  }

  private image(
    block: ImageBlock,
    index: number,
    chain: Chain,
    place: Place,
    role: string,
    out: Outcome,
    slot = 0,
  ): void {
    const facts = imageFacts(block.data, block.mediaType)
    if (!facts) return
    out.own.push({
      ...this.base(chain, place, index, slot),
      kind: 'image',
      role,
      text: imageText(facts),
      data: facts,
      importance: 0.4,
    })
  }

  private result(
    block: ResultBlock,
    index: number,
    record: Record<string, unknown>,
    chain: Chain,
    place: Place,
    out: Outcome,
  ): void {
    const held = this.memory.takeCall(block.callId)
    const call = held ? this.recall(held) : null
    const base = (slot: number): Draft => ({
      ...this.base(chain, place, index, slot),
      role: 'user',
      tool: call?.name ?? null,
    })
    const answer = answered({ block, call, twin: record.toolUseResult, base })
    out.own.push(...answer.own)
    if (answer.completed) out.completes.push(answer.completed)
    // A result without an item of its own still belongs to the call it answers.
    else if (answer.own.length === 0 && out.disposition.kind === 'dropped') {
      out.disposition = { kind: 'dropped', reason: call ? 'bookkeeping' : 'result-without-item' }
    }
    for (const [at, image] of block.images.entries()) {
      if (at < SLOTS - 2) this.image(image, index, chain, place, 'tool', out, 2 + at)
    }
    if (isInterruption(block.text)) this.close('note', out)
  }

  // --- assistant --------------------------------------------------------------------------------------------

  private assistant(record: Record<string, unknown>, place: Place): Outcome {
    const chain = this.enter(record)
    const message = isObject(record.message) ? record.message : null
    const blocks = message ? blocksOf(message.content) : null
    if (!message || !blocks)
      return { ...failed('an assistant record without readable content'), facts: chain.facts }
    const out: Outcome = {
      disposition: { kind: 'dropped', reason: 'empty' },
      facts: chain.facts,
      own: [],
      completes: [],
      revises: [],
    }
    if (record.isApiErrorMessage === true) return this.apiError(blocks, chain, place, out)
    for (const [index, block] of blocks.entries()) {
      if (block.type === 'text') this.said(block.text, index, message, chain, place, out)
      else if (block.type === 'call') this.call(block, index, chain, place, out)
      else if (block.type === 'thinking' && out.disposition.kind === 'dropped') {
        out.disposition = { kind: 'dropped', reason: 'thinking' }
      }
    }
    if (out.own.length > 0) out.disposition = { kind: 'used' }
    return out
  }

  private said(
    raw: string,
    index: number,
    message: Record<string, unknown>,
    chain: Chain,
    place: Place,
    out: Outcome,
  ): void {
    const text = normalise(stripInjected(raw)).trim()
    if (text === '') return
    if (message.model === '<synthetic>' && text === 'No response requested.') {
      out.disposition = { kind: 'dropped', reason: 'machine-text' }
      return
    }
    const draft = this.saidDraft(text, index, chain, place)
    if (!chain.inlineSide) {
      const id = typeof message.id === 'string' ? message.id : null
      // The blocks of one answer come as records of their own; they close the turn together.
      if (!this.memory.isOpenAnswer(id)) this.close('note', out)
      this.memory.openAnswer(id, { place, part: index, goal: draft.goal, draft })
      out.own.push({
        ...draft,
        kind: 'conclusion',
        importance: 0.7,
        text: headTail(text, CONCLUSION_LIMIT),
        settled: false,
      })
    } else out.own.push(draft)
  }

  private saidDraft(text: string, index: number, chain: Chain, place: Place): Draft {
    return {
      ...this.base(chain, place, index),
      kind: 'note',
      role: 'assistant',
      text: headTail(text, PROSE_LIMIT),
      importance: 0.3,
    }
  }

  private call(block: CallBlock, index: number, chain: Chain, place: Place, out: Outcome): void {
    if (!chain.inlineSide) this.close('note', out)
    const reading = readCall(block.name, block.input, block.id)
    const draft = this.callDraft(reading, block.name, index, chain, place)
    this.memory.holdCall(block.id, {
      place,
      part: index,
      goal: this.memory.goal(chain.session),
      name: block.name,
      draft,
    })
    if (draft) out.own.push(draft)
    else if ('skip' in reading) {
      if (out.disposition.kind === 'dropped') out.disposition = { kind: 'dropped', reason: reading.skip }
    }
    // A question waits for its answer and lives in the decision's item.
    else out.disposition = { kind: 'attached' }
  }

  private callDraft(
    reading: CallReading,
    name: string,
    index: number,
    chain: Chain,
    place: Place,
  ): Draft | null {
    if ('skip' in reading || 'held' in reading) return null
    return {
      ...this.base(chain, place, index),
      ...reading,
      text: normalise(reading.text),
      role: 'assistant',
      tool: name,
      settled: false,
    }
  }

  private apiError(blocks: readonly Block[], chain: Chain, place: Place, out: Outcome): Outcome {
    const text = blocks
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n')
      .trim()
    if (text === '') return out
    this.close('note', out)
    out.own.push({
      ...this.base(chain, place, 0),
      kind: 'error',
      role: 'assistant',
      text: headTail(normalise(text), TEXT_LIMIT),
      data: { tool: 'api' },
      importance: 0.3,
    })
    out.disposition = { kind: 'used' }
    return out
  }

  // --- the rest ---------------------------------------------------------------------------------------------

  private system(record: Record<string, unknown>): Outcome {
    const chain = this.enter(record)
    const out = dropped('system', chain.facts)
    // These two are written when a turn has ended, so what was said last was its closing statement.
    const ends = record.subtype === 'turn_duration' || record.subtype === 'stop_hook_summary'
    if (ends && !chain.inlineSide) this.close('conclusion', out)
    return out
  }

  private attachment(record: Record<string, unknown>, place: Place): Outcome {
    const attachment = isObject(record.attachment) ? record.attachment : {}
    const typed = attachment.commandMode === undefined || attachment.commandMode === 'prompt'
    if (attachment.type !== 'queued_command' || !typed) return dropped('attachment')
    // What the person typed while the agent was still working.
    return this.user({ ...record, message: { content: attachment.prompt } }, place)
  }

  private title(record: Record<string, unknown>): Outcome {
    const title = record.customTitle ?? record.aiTitle
    const session = record.sessionId
    if (typeof title !== 'string' || typeof session !== 'string') return dropped('title')
    return dropped('title', { session, ts: null, title: title.slice(0, 200) })
  }

  /** Settles what was said last in the open turn: its closing statement, or mere prose on the way. */
  private close(kind: 'conclusion' | 'note', out: Outcome): void {
    for (const held of this.memory.takeAnswer()) {
      const draft = held.draft ?? this.rereadText(held)
      if (!draft) continue
      out.revises.push(
        kind === 'note'
          ? { ...draft, settled: true }
          : { ...draft, kind, importance: 0.7, text: headTail(draft.text, CONCLUSION_LIMIT), settled: true },
      )
    }
  }

  private rereadText(held: Held): Draft | null {
    const found = this.reread(held)
    if (found?.block.type !== 'text') return null
    const text = normalise(stripInjected(found.block.text)).trim()
    return { ...this.saidDraft(text, held.part, found.chain, held.place), goal: held.goal }
  }

  private recall(held: Held): { name: string; draft: Draft | null } | null {
    if (held.draft !== undefined) return { name: held.name ?? '', draft: held.draft }
    const found = this.reread(held)
    if (found?.block.type !== 'call') return null
    const { block, chain } = found
    const draft = this.callDraft(
      readCall(block.name, block.input, block.id),
      block.name,
      held.part,
      chain,
      held.place,
    )
    return { name: block.name, draft: draft && { ...draft, goal: held.goal } }
  }

  /** A call or text of an earlier reading, from the file itself: nothing of it is kept in between. */
  private reread(held: Held): { chain: Chain; block: Block } | null {
    const record = this.context.load(held.place)
    if (!isObject(record) || !isObject(record.message)) return null
    const block = blocksOf(record.message.content)?.[held.part]
    return block ? { chain: chainOf(record, this.context.path), block } : null
  }

  private enter(record: Record<string, unknown>): Chain {
    const chain = chainOf(record, this.context.path)
    this.memory.lastSession = chain.session
    return chain
  }

  private identity(chain: Chain, place: Place, part: number): Handle {
    return chain.uuid ? handleOf(AGENT, chain.uuid, part) : handleOf(AGENT, chain.session, place.hash, part)
  }

  private base(chain: Chain, place: Place, index: number, slot = 0): Draft {
    const part = index * SLOTS + slot
    return {
      ...this.blank(chain.session, place),
      handle: this.identity(chain, place, part),
      recordId: chain.uuid,
      part,
      ts: chain.ts,
    }
  }

  private blank(session: string, place: Place): Draft {
    return {
      handle: '' as Handle,
      kind: 'note',
      session,
      place,
      recordId: null,
      part: 0,
      ts: null,
      role: null,
      tool: null,
      goal: this.memory.goal(session),
      text: '',
      data: {},
      importance: 0.3,
      settled: true,
    }
  }
}
