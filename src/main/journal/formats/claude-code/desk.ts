import type { Handle } from '../../../../shared/domain'
import type { Draft, FormatContext, Outcome, Place, SessionFacts } from '../../drafts'
import { handleOf } from '../../handles'
import { imageFacts, imageText } from '../../images'
import { stripInjected } from '../../injected'
import { headTail, isObject, normalise } from '../../text'
import { type Block, blocksOf, type ImageBlock } from './blocks'
import { type CallReading, readCall } from './calls'
import { type Held, ReaderMemory } from './memory'
import { type Chain, chainOf } from './record'

export const AGENT = 'claude-code'
/** Parts of one record are numbered block × 16 + slot. */
export const SLOTS = 16
export const PROSE_LIMIT = 100_000
const CONCLUSION_LIMIT = 16_000

export type Json = Record<string, unknown>

/** One record on the desk: its frame, where it lies, and what has been made of it so far. */
export interface Sheet {
  record: Json
  chain: Chain
  place: Place
  out: Outcome
}

export const fresh = (facts: SessionFacts): Outcome => ({
  disposition: { kind: 'dropped', reason: 'empty' },
  facts,
  own: [],
  completes: [],
  revises: [],
})

/** Where drafts are made: what every kind of record needs, and the memory of the records before. */
export class Desk {
  readonly memory: ReaderMemory

  constructor(
    readonly context: FormatContext,
    saved: unknown,
  ) {
    this.memory = new ReaderMemory(saved)
  }

  enter(record: Json): Chain {
    const chain = chainOf(record, this.context)
    this.memory.lastSession = chain.session
    return chain
  }

  /** The session of a sub-agent that a record names: it lies under the main session, however deep it was called. */
  childOf(record: Json, agentId: string): string {
    return chainOf({ ...record, isSidechain: true, agentId }, this.context).session
  }

  /** An empty draft for a block of a record. */
  base(chain: Chain, place: Place, index: number, slot = 0): Draft {
    const part = index * SLOTS + slot
    return {
      ...this.blank(chain.session, place),
      handle: chain.uuid
        ? handleOf(AGENT, chain.uuid, part)
        : handleOf(AGENT, chain.session, place.hash, part),
      recordId: chain.uuid,
      part,
      ts: chain.ts,
    }
  }

  blank(session: string, place: Place): Draft {
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

  image(sheet: Sheet, block: ImageBlock, index: number, role: string, slot = 0): void {
    const facts = imageFacts(block.data, block.mediaType)
    if (!facts) return
    sheet.out.own.push({
      ...this.base(sheet.chain, sheet.place, index, slot),
      kind: 'image',
      role,
      text: imageText(facts),
      data: facts,
      importance: 0.4,
    })
  }

  said(text: string, index: number, chain: Chain, place: Place): Draft {
    return {
      ...this.base(chain, place, index),
      kind: 'note',
      role: 'assistant',
      text: headTail(text, PROSE_LIMIT),
      importance: 0.3,
    }
  }

  called(reading: CallReading, name: string, index: number, chain: Chain, place: Place): Draft | null {
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

  /** Settles what was said last in the open turn: its closing statement, or mere prose on the way. */
  close(kind: 'conclusion' | 'note', out: Outcome): void {
    for (const held of this.memory.takeAnswer()) {
      const draft = held.draft ?? this.rereadText(held)
      if (draft) out.revises.push({ ...(kind === 'note' ? draft : asConclusion(draft)), settled: true })
    }
  }

  /** The call a result answers; null when its record is not in this file. */
  recall(callId: string): { name: string; draft: Draft | null } | null {
    const held = this.memory.takeCall(callId)
    if (!held) return null
    if (held.draft !== undefined) return { name: held.name ?? '', draft: held.draft }
    const found = this.reread(held)
    if (found?.block.type !== 'call') return null
    const { block, chain } = found
    const draft = this.called(
      readCall(block.name, block.input, block.id),
      block.name,
      held.part,
      chain,
      held.place,
    )
    return { name: block.name, draft: draft && { ...draft, goal: held.goal } }
  }

  private rereadText(held: Held): Draft | null {
    const found = this.reread(held)
    if (found?.block.type !== 'text') return null
    const text = normalise(stripInjected(found.block.text)).trim()
    return { ...this.said(text, held.part, found.chain, held.place), goal: held.goal }
  }

  /** A block of an earlier reading, from the file itself: nothing of it is kept in between. */
  private reread(held: Held): { chain: Chain; block: Block } | null {
    const record = this.context.load(held.place)
    if (!isObject(record) || !isObject(record.message)) return null
    const block = blocksOf(record.message.content)?.[held.part]
    return block ? { chain: chainOf(record, this.context), block } : null
  }
}

export const asConclusion = (draft: Draft): Draft => ({
  ...draft,
  kind: 'conclusion',
  importance: 0.7,
  text: headTail(draft.text, CONCLUSION_LIMIT),
})
