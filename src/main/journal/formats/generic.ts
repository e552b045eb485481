import { basename } from 'node:path'
import type { Handle } from '../../../shared/domain'
import {
  type Draft,
  dropped,
  type Format,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
  plainPlace,
  type SessionFacts,
} from '../drafts'
import { keepsGoal, wordsHash } from '../goals'
import { handleOf, sha256 } from '../handles'
import { imageFacts, imageText, pictureIn } from '../images'
import { stripInjected } from '../injected'
import { headTail, isObject, normalise } from '../text'
import { timestampOf } from './claude-code/record'

// One record a line: {id?, session, ts?, role: user|assistant|tool|system, name?, text, goal?, project?, images?}

const AGENT = 'generic'
const ROLES = new Set(['user', 'assistant', 'tool', 'system'])
const TEXT_LIMIT = 100_000

interface SessionMemory {
  ordinal: number
  goal: Handle | null
  /** Hash of the explicit goal that was named last. */
  explicit: string | null
  /** Hash of the person's words that set the goal, where their words did. */
  asked: string | null
  /** Hashes of the speakers' names, at most two: more than one makes it a conversation between named people. */
  names: string[]
  /** Last words of the assistant in the open turn: handle and place. */
  open: { draft?: Draft; place: Place; goal: Handle | null; ordinal: number } | null
}

class GenericReader implements FormatReader {
  private readonly sessions = new Map<string, SessionMemory>()
  private last: string | null = null
  private readonly stem: string

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    this.stem = basename(context.path).replace(/\.[a-z]+$/i, '')
    if (!isObject(saved) || !isObject(saved.sessions)) return
    this.last = typeof saved.last === 'string' ? saved.last : null
    for (const [name, value] of Object.entries(saved.sessions)) {
      if (isObject(value))
        this.sessions.set(name, {
          ...(value as unknown as SessionMemory),
          asked: (value.asked as string | undefined) ?? null,
        })
    }
  }

  state(): unknown {
    const sessions = [...this.sessions].map(([name, memory]) => {
      const open = memory.open && {
        place: plainPlace(memory.open.place),
        goal: memory.open.goal,
        ordinal: memory.open.ordinal,
      }
      return [name, { ...memory, open }]
    })
    return { last: this.last, sessions: Object.fromEntries(sessions) }
  }

  read(value: unknown, place: Place): Outcome {
    if (!isObject(value)) return failed('not a record')
    const role = typeof value.role === 'string' && ROLES.has(value.role) ? value.role : null
    if (!role)
      return 'text' in value || 'role' in value
        ? failed('role is none of user, assistant, tool, system')
        : dropped('unknown-record')
    if (value.text !== undefined && value.text !== null && typeof value.text !== 'string')
      return failed('text is not a string')
    const session = this.context.mask(sessionName(value.session) ?? this.stem)
    const memory = this.memory(session)
    const ordinal = memory.ordinal++
    const facts: SessionFacts = { session, ts: timestampOf(value.ts) }
    if (typeof value.project === 'string' && value.project !== '') facts.project = value.project
    if (role === 'system') return dropped('system', facts)
    const raw = typeof value.text === 'string' ? value.text : ''
    const text = normalise(stripInjected(raw)).trim()
    const out: Outcome = { disposition: { kind: 'used' }, facts, own: [], completes: [], revises: [] }
    this.explicitGoal(value, session, memory, facts, place, out)
    const base = this.base(value, session, ordinal, memory, facts, place, raw)
    this.images(value.images, base, role, out)
    if (text !== '') this.speech(value, role, text, base, memory, out)
    if (out.own.length > 0) return out
    return { ...dropped(raw.trim() === '' ? 'empty' : 'injected', facts), revises: out.revises }
  }

  stub(place: Place): Draft | null {
    if (!this.last) return null
    const megabytes = Math.round(place.byteLength / 1024 / 1024)
    return {
      ...this.blank(this.last, this.memory(this.last), { session: this.last, ts: null }, place),
      handle: handleOf(AGENT, 'long', this.last, place.hash),
      text: `A record of ${megabytes} MB, too long to be read; the pointer leads to it.`,
      importance: 0.2,
    }
  }

  private memory(session: string): SessionMemory {
    this.last = session
    const known = this.sessions.get(session)
    if (known) return known
    const fresh: SessionMemory = {
      ordinal: 0,
      goal: null,
      explicit: null,
      asked: null,
      names: [],
      open: null,
    }
    this.sessions.set(session, fresh)
    return fresh
  }

  /** A goal that a record names wins over what its words suggest. */
  private explicitGoal(
    value: Record<string, unknown>,
    session: string,
    memory: SessionMemory,
    facts: SessionFacts,
    place: Place,
    out: Outcome,
  ): void {
    const goal = explicitGoalOf(value)
    if (goal === '') return
    const hash = sha256(goal).slice(0, 16)
    memory.goal = handleOf(AGENT, session, 'goal', goal)
    memory.asked = null
    if (memory.explicit === hash) return
    memory.explicit = hash
    out.own.push({
      ...this.blank(session, memory, facts, place),
      handle: memory.goal,
      kind: 'goal',
      recordId: recordId(value.id),
      goal: memory.goal,
      role: 'user',
      text: headTail(goal, TEXT_LIMIT),
      importance: 0.8,
      part: 1000,
    })
  }

  private speech(
    value: Record<string, unknown>,
    role: string,
    text: string,
    base: Draft,
    memory: SessionMemory,
    out: Outcome,
  ): void {
    const name =
      typeof value.name === 'string' && value.name !== '' ? normalise(value.name).slice(0, 200) : null
    const talk = this.isConversation(name, memory)
    const kept = headTail(text, TEXT_LIMIT)
    if (role === 'assistant') {
      this.close(memory, 'note', out)
      const draft: Draft = { ...base, role, text: kept, data: name ? { name } : {} }
      if (talk) out.own.push(draft)
      else {
        memory.open = { draft, place: base.place, goal: base.goal, ordinal: memory.ordinal - 1 }
        out.own.push({ ...asConclusion(draft), settled: false })
      }
      return
    }
    this.close(memory, role === 'user' ? 'conclusion' : 'note', out)
    const words = wordsHash(text)
    const keeps =
      talk || explicitGoalOf(value) !== '' || words === memory.asked || keepsGoal(text, memory.goal !== null)
    const isGoal = role === 'user' && !keeps
    if (isGoal) Object.assign(memory, { goal: base.handle, asked: words })
    out.own.push({
      ...base,
      kind: isGoal ? 'goal' : 'note',
      goal: memory.goal,
      role,
      text: kept,
      data: name ? { name } : {},
      importance: isGoal ? 0.8 : 0.3,
    })
  }

  /** Two named speakers make a conversation between people: what they say are notes, not requests. */
  private isConversation(name: string | null, memory: SessionMemory): boolean {
    if (name === null) return false
    const hash = sha256(name).slice(0, 8)
    if (memory.names.length < 2 && !memory.names.includes(hash)) memory.names.push(hash)
    return memory.names.length > 1
  }

  private images(value: unknown, base: Draft, role: string, out: Outcome): void {
    if (!Array.isArray(value)) return
    for (const [at, image] of value.slice(0, 200).entries()) {
      const found = pictureIn(image)
      const facts = found && imageFacts(found.data, found.mediaType)
      if (!facts) continue
      out.own.push({
        ...base,
        handle: handleOf(AGENT, base.handle, 'image', at),
        kind: 'image',
        role,
        text: `${imageText(facts)}${found.alt ? `: ${headTail(normalise(found.alt), 500)}` : ''}`,
        data: facts,
        importance: 0.4,
        part: at + 1,
      })
    }
  }

  /** Settles the assistant's last words: the end of a turn, or prose on the way. */
  private close(memory: SessionMemory, kind: 'conclusion' | 'note', out: Outcome): void {
    const open = memory.open
    memory.open = null
    const draft = open && (open.draft ?? this.reread(open.place, open.goal, open.ordinal))
    if (draft) out.revises.push(kind === 'note' ? draft : asConclusion(draft))
  }

  private reread(place: Place, goal: Handle | null, ordinal: number): Draft | null {
    const value = this.context.load(place)
    if (!isObject(value) || typeof value.text !== 'string') return null
    const session = this.context.mask(sessionName(value.session) ?? this.stem)
    const memory = this.memory(session)
    const base = this.base(
      value,
      session,
      ordinal,
      memory,
      { session, ts: timestampOf(value.ts) },
      place,
      value.text,
    )
    const name =
      typeof value.name === 'string' && value.name !== '' ? { name: normalise(value.name).slice(0, 200) } : {}
    const text = headTail(normalise(stripInjected(value.text)).trim(), TEXT_LIMIT)
    return { ...base, goal, role: 'assistant', text, data: name }
  }

  private base(
    value: Record<string, unknown>,
    session: string,
    ordinal: number,
    memory: SessionMemory,
    facts: SessionFacts,
    place: Place,
    raw: string,
  ): Draft {
    const id = recordId(value.id)
    return {
      ...this.blank(session, memory, facts, place),
      // Ids come from anywhere: two records under one id that say different things are two, whichever is read first.
      // Without an id, place in the session and content identify it.
      handle: id
        ? handleOf(AGENT, session, 'id', id, String(value.role), sha256(raw), 0)
        : handleOf(AGENT, session, ordinal, String(value.role), String(value.ts ?? ''), sha256(raw), 0),
      recordId: id,
    }
  }

  private blank(session: string, memory: SessionMemory, facts: SessionFacts, place: Place): Draft {
    return {
      handle: '' as Handle,
      kind: 'note',
      session,
      place,
      recordId: null,
      part: 0,
      ts: facts.ts,
      role: null,
      tool: null,
      goal: memory.goal,
      ...(facts.project ? { project: facts.project } : {}),
      text: '',
      data: {},
      importance: 0.3,
      settled: true,
    }
  }
}

const explicitGoalOf = ({ goal }: Record<string, unknown>): string =>
  typeof goal === 'string' ? normalise(stripInjected(goal)).trim() : ''

const asConclusion = (draft: Draft): Draft => ({
  ...draft,
  kind: 'conclusion',
  data: {},
  importance: 0.7,
  text: headTail(draft.text, 16_000),
})

const recordId = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

const sessionName = (value: unknown): string | null => recordId(value)

/** Fovea's own documented JSONL. */
export const generic: Format = {
  agent: AGENT,
  recognise({ records }) {
    let best = 0
    for (const record of records) {
      if (!isObject(record) || typeof record.role !== 'string' || !ROLES.has(record.role)) continue
      best = Math.max(best, 'session' in record && 'text' in record ? 0.95 : 'text' in record ? 0.6 : 0)
    }
    return best
  },
  open: (context, saved) => new GenericReader(context, saved),
}
