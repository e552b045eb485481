import type { Agent, Handle } from '../../../shared/domain'
import type { Draft, Outcome, Place } from '../drafts'
import { keepsGoal, wordsHash } from '../goals'
import { handleOf, sha256 } from '../handles'
import type { ItemData } from '../item-data'
import { headTail, isObject, normalise } from '../text'
import type { CallItem } from './claude-code/calls'
import { CONCLUSION_LIMIT, PROSE_LIMIT, type Where } from './speech'
import { plainPlace } from './thread'

// What documents have in common: people ask, agents say and do. Used by every format that is read whole, from the
// start; where a document is read on from its last record, what is kept is handles, places and hashes.

interface SessionMemory {
  goal: Handle | null
  /** Hash of the words that set it. */
  asked: string | null
  /** The agent's last words: the end of a turn, until something follows. */
  open: Draft | null
}

/** What is kept of a conversation while its document waits to grow. */
interface Kept {
  session: string
  goal: Handle | null
  asked: string | null
  open: Pick<Draft, 'handle' | 'place' | 'recordId' | 'part' | 'ts' | 'goal' | 'settled'> | null
}

/** Makes the drafts of one file's conversations. */
export class Talk {
  private readonly sessions = new Map<string, SessionMemory>()
  private readonly seen = new Map<string, number>()

  /** `reread` reads the closing words of an earlier record again. */
  constructor(
    private readonly format: Agent,
    saved?: unknown,
    reread: (place: Place) => string | null = () => null,
  ) {
    if (!isObject(saved)) return
    for (const [key, n] of Array.isArray(saved.seen) ? (saved.seen as [string, number][]) : [])
      this.seen.set(key, n)
    for (const kept of Array.isArray(saved.sessions) ? (saved.sessions as Kept[]) : []) {
      const { session, goal, asked, open } = kept
      const text = open && reread(open.place)
      const draft = open && text ? { ...UNSAID, ...open, session, ...closing(text) } : null
      this.sessions.set(session, { goal, asked, open: draft })
    }
  }

  state(): unknown {
    const sessions = [...this.sessions].map(([session, { goal, asked, open }]): Kept => {
      const kept = open && {
        handle: open.handle,
        place: plainPlace(open.place),
        recordId: open.recordId,
        part: open.part,
        ts: open.ts,
        goal: open.goal,
        settled: open.settled ?? true,
      }
      return { session, goal, asked, open: kept }
    })
    return { sessions, seen: [...this.seen] }
  }

  /** Nothing of what was told so far is told again. */
  forgetAll(): void {
    this.sessions.clear()
    this.seen.clear()
  }

  /**
   * Identity of something that has no id of its own: its content and when it was said, and which of several equal ones
   * it is. Never its place: another rendering of the session may leave out what says nothing.
   */
  contentId(session: string, ...content: readonly (string | number)[]): Handle {
    const key = sha256([session, ...content].join('\0'))
    const short = key.slice(0, 20)
    const n = this.seen.get(short) ?? 0
    this.seen.set(short, n + 1)
    return handleOf(this.format, session, key, n)
  }

  /** Identity of a part of a record whose id is unique in itself. */
  partId(recordId: string, part: number): Handle {
    return handleOf(this.format, recordId, part)
  }

  goal(session: string): Handle | null {
    return this.memory(session).goal
  }

  asked(out: Outcome, where: Where, handle: Handle, text: string, data: ItemData<'goal'> = {}): void {
    const { session } = where.facts
    const memory = this.memory(session)
    this.close(session, 'conclusion', out)
    const words = wordsHash(text)
    const keeps = words === memory.asked || keepsGoal(text, memory.goal !== null)
    if (!keeps) Object.assign(memory, { goal: handle, asked: words })
    this.add(out, where, handle, {
      kind: keeps ? 'note' : 'goal',
      role: 'user',
      text: headTail(text, PROSE_LIMIT),
      data: keeps ? {} : data,
      importance: keeps ? 0.2 : data.implementsPlan ? 0.9 : 0.8,
    })
  }

  /** The agent's prose: for now its closing statement. */
  said(out: Outcome, where: Where, handle: Handle, text: string): void {
    const { session } = where.facts
    this.close(session, 'note', out)
    const draft = this.draft(out, where, handle, closing(text))
    this.memory(session).open = draft
    out.own.push({ ...asConclusion(draft), settled: false })
    out.disposition = { kind: 'used' }
  }

  /** What the agent did, or what came of it. */
  did(out: Outcome, where: Where, handle: Handle, item: CallItem, tool: string, role = 'assistant'): void {
    this.close(where.facts.session, 'note', out)
    this.add(out, where, handle, { ...item, text: normalise(item.text), role, tool })
  }

  /** Anything else that neither asks nor ends a turn. */
  add(out: Outcome, where: Where, handle: Handle, item: Partial<Draft>): void {
    out.own.push(this.draft(out, where, handle, item))
    out.disposition = { kind: 'used' }
  }

  /** Settles what was said last: a turn's closing statement, or prose on the way. */
  close(session: string, kind: 'conclusion' | 'note', out: Outcome): void {
    const memory = this.memory(session)
    const draft = memory.open
    memory.open = null
    if (draft) out.revises.push(kind === 'note' ? draft : asConclusion(draft))
  }

  /** A conversation is told to its end; nothing of it needs to be remembered. */
  end(session: string): void {
    this.sessions.delete(session)
  }

  private draft(out: Outcome, where: Where, handle: Handle, item: Partial<Draft>): Draft {
    const { facts, place, recordId, closed } = where
    return {
      handle,
      kind: 'note',
      session: facts.session,
      ...(facts.agent ? { agent: facts.agent } : {}),
      place,
      recordId,
      part: out.own.length,
      ts: facts.ts,
      role: null,
      tool: null,
      goal: this.memory(facts.session).goal,
      text: '',
      data: {},
      importance: 0.3,
      settled: closed,
      ...item,
    }
  }

  private memory(session: string): SessionMemory {
    const known = this.sessions.get(session)
    if (known) return known
    const fresh: SessionMemory = { goal: null, asked: null, open: null }
    this.sessions.set(session, fresh)
    return fresh
  }
}

const closing = (text: string): Partial<Draft> => ({
  kind: 'note',
  role: 'assistant',
  text: headTail(text, PROSE_LIMIT),
  importance: 0.3,
})
const UNSAID = { kind: 'note', role: null, tool: null, text: '', data: {}, importance: 0.3 } as const

const asConclusion = (draft: Draft): Draft => ({
  ...draft,
  kind: 'conclusion',
  data: {},
  importance: 0.7,
  text: headTail(draft.text, CONCLUSION_LIMIT),
})
