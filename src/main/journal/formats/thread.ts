import type { Agent, Handle } from '../../../shared/domain'
import type { Draft, FormatContext, Outcome, Place } from '../drafts'
import { keepsGoal, wordsHash } from '../goals'
import { handleOf } from '../handles'
import { imageFacts, imageText } from '../images'
import type { ItemData } from '../item-data'
import { headTail, isObject, normalise } from '../text'
import type { CallItem } from './claude-code/calls'
import { CONCLUSION_LIMIT, outcome, PROSE_LIMIT, type Where } from './speech'

// One conversation that is read on as its file grows: people ask, agents say and do. What must be known of earlier
// records is kept as handles and places, never as text.

/** The agent's last words: the end of a turn, until something follows. */
interface Open {
  handle: Handle
  place: Place
  /** The record that told it last, if not the one at `place`. */
  toldAt: Place | null
  goal: Handle | null
  ts: number | null
  recordId: string | null
  session: string
  part: number
  draft?: Draft
}

export interface Picture {
  /** Base64. */
  data: unknown
  mediaType: unknown
  name?: string | null
  role?: string
  part?: number
}

/** Makes the drafts of one file's conversation. */
export class Thread {
  goal: Handle | null = null
  /** The goal that was set last, and the hash of its words. */
  private request: { goal: Handle; words: string } | null = null
  private open: Open | null = null

  /** `proseOf` reads an earlier record's prose again. */
  constructor(
    private readonly agent: Agent,
    private readonly context: Pick<FormatContext, 'load' | 'mask'>,
    saved: unknown,
    private readonly proseOf: (record: unknown, recordId: string | null) => string | null,
  ) {
    if (!isObject(saved)) return
    this.goal = typeof saved.goal === 'string' ? (saved.goal as Handle) : null
    this.request = isObject(saved.request)
      ? (saved.request as unknown as { goal: Handle; words: string })
      : null
    this.open = isObject(saved.open) ? (saved.open as unknown as Open) : null
  }

  state(): unknown {
    const { goal, request, open } = this
    if (!open) return { goal, request, open: null }
    const { draft: _, place, toldAt, ...rest } = open
    return {
      goal,
      request,
      open: { ...rest, place: plainPlace(place), toldAt: toldAt && plainPlace(toldAt) },
    }
  }

  /** Whether these words are the agent's last so far. */
  isOpen(handle: Handle): boolean {
    return this.open?.handle === handle
  }

  /** Identity of a part of a record whose id is unique in itself. */
  partId(recordId: string, part: number): Handle {
    return handleOf(this.agent, recordId, part)
  }

  asked(out: Outcome, where: Where, handle: Handle, text: string, data: ItemData<'goal'> = {}): void {
    this.close(where.facts.session, 'conclusion', out)
    const words = wordsHash(text)
    const again = this.goal !== null && this.request?.goal === this.goal && this.request.words === words
    const keeps = handle !== this.goal && (again || keepsGoal(text, this.goal !== null))
    if (!keeps) {
      this.goal = handle
      this.request = { goal: handle, words }
    }
    this.add(out, where, handle, {
      kind: keeps ? 'note' : 'goal',
      role: 'user',
      text: headTail(text, PROSE_LIMIT),
      data: keeps ? {} : data,
      importance: keeps ? 0.2 : data.implementsPlan ? 0.9 : 0.8,
    })
  }

  /** The agent's prose: for now its closing statement. */
  said(out: Outcome, where: Where, handle: Handle, text: string, toldAt: Place | null = null): void {
    this.close(where.facts.session, 'note', out, handle)
    const draft = this.draft(out, where, handle, this.saidItem(text))
    const { place, goal, ts, recordId, session, part } = draft
    // A record's id is foreign text; it is kept between readings.
    const id = recordId && this.context.mask(recordId)
    this.open = { handle, place, toldAt, goal, ts, recordId: id, session, part, draft }
    out.own.push({ ...asConclusion(draft), settled: false })
    out.disposition = { kind: 'used' }
  }

  private saidItem(text: string): Partial<Draft> {
    return { kind: 'note', role: 'assistant', text: headTail(text, PROSE_LIMIT), importance: 0.3 }
  }

  /** What the agent did, or what came of it. */
  did(out: Outcome, where: Where, handle: Handle, item: CallItem, tool: string, role = 'assistant'): Draft {
    this.close(where.facts.session, 'note', out)
    return this.add(out, where, handle, { ...item, text: normalise(item.text), role, tool: tool || null })
  }

  /** Anything else that neither asks nor ends a turn. */
  add(out: Outcome, where: Where, handle: Handle, item: Partial<Draft>): Draft {
    const draft = this.draft(out, where, handle, item)
    out.own.push(draft)
    out.disposition = { kind: 'used' }
    return draft
  }

  /** Settles what was said last: a turn's closing statement, or prose on the way. Not `unless` it is said again. */
  close(_session: string, kind: 'conclusion' | 'note', out: Outcome, unless: Handle | null = null): void {
    const open = this.open
    if (!open || open.handle === unless) return
    this.open = null
    const draft = open.draft ?? this.reread(open)
    if (draft) out.revises.push({ ...(kind === 'note' ? draft : asConclusion(draft)), settled: true })
  }

  private reread(open: Open): Draft | null {
    const text = this.proseOf(this.context.load(open.toldAt ?? open.place), open.recordId)
    if (text === null) return null
    const facts = { session: open.session, ts: open.ts }
    const where = { facts, place: open.place, recordId: open.recordId, closed: true }
    const draft = this.draft(outcome(null), where, open.handle, this.saidItem(text))
    return { ...draft, goal: open.goal, part: open.part }
  }

  /** Stands for a record that is too long to be read. */
  long(session: string, place: Place): Draft {
    const where = { facts: { session, ts: null }, place, recordId: null, closed: true }
    return this.draft(outcome(null), where, handleOf(this.agent, 'long', session, place.hash), {
      text: `A record of ${Math.round(place.byteLength / 1024 / 1024)} MB, too long to be read; the pointer leads to it.`,
      importance: 0.2,
    })
  }

  /** A picture that the person, or a tool, put in; nothing when it is none. */
  picture(out: Outcome, where: Where, handle: Handle, given: Picture): void {
    const facts = imageFacts(given.data, given.mediaType)
    if (!facts) return
    const name = given.name ? `: ${headTail(normalise(given.name), 500)}` : ''
    this.add(out, where, handle, {
      kind: 'image',
      role: given.role ?? 'user',
      text: `${imageText(facts)}${name}`,
      data: facts,
      importance: 0.4,
      ...(given.part === undefined ? {} : { part: given.part }),
    })
  }

  draft(out: Outcome, where: Where, handle: Handle, item: Partial<Draft>): Draft {
    const { facts, place, recordId, closed } = where
    return {
      handle,
      kind: 'note',
      session: facts.session,
      place,
      recordId,
      ts: facts.ts,
      role: null,
      tool: null,
      goal: this.goal,
      text: '',
      data: {},
      importance: 0.3,
      settled: closed,
      ...item,
      part: (where.base ?? 0) + (item.part ?? out.own.length),
    }
  }
}

const asConclusion = (draft: Draft): Draft => ({
  ...draft,
  kind: 'conclusion',
  data: {},
  importance: 0.7,
  text: headTail(draft.text, CONCLUSION_LIMIT),
})

/** A place without the record's bytes, to be kept. */
export const plainPlace = ({ line, byteOffset, byteLength, hash }: Place): Place => ({
  line,
  byteOffset,
  byteLength,
  hash,
})
