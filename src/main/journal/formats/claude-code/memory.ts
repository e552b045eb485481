import type { Handle } from '../../../../shared/domain'
import type { Draft, Place } from '../../drafts'
import { sha256 } from '../../handles'
import { isObject } from '../../text'

/** A block of an earlier record that a later one may complete. `draft` is there while this process remembers it. */
export interface Held {
  place: Place
  part: number
  goal: Handle | null
  name?: string
  draft?: Draft | null
}

/** A typed turn: what it follows, and the goal that was active before it. */
type Turn = [follows: string, handle: Handle, goalBefore: Handle | null]

const MAX_TURNS = 2_000
const MAX_MACHINE = 200
/** Calls that never got a result must not pile up. */
const MAX_CALLS = 400

/** What the reader must know of the records before. Saved as ids, handles and places, never as text. */
export class ReaderMemory {
  lastSession: string | null = null
  private readonly goals = new Map<string, Handle>()
  /** Hash of the last request's words in each session. */
  private readonly requests = new Map<string, string>()
  /** The turns of each session's branch, in order. */
  private readonly turns = new Map<string, Turn[]>()
  /** What a machine's record follows: prompts hang on such records, and both count as one place. */
  private readonly machine = new Map<string, string>()
  private readonly calls = new Map<string, Held>()
  private answerId: string | null = null
  private answer: Held[] = []

  constructor(saved: unknown) {
    if (!isObject(saved)) return
    this.lastSession = typeof saved.last === 'string' ? saved.last : null
    for (const [session, goal] of entries(saved.goals)) this.goals.set(session, goal as Handle)
    for (const [session, said] of entries(saved.requests)) this.requests.set(session, String(said))
    for (const [session, turns] of entries(saved.turns)) {
      if (Array.isArray(turns)) this.turns.set(session, turns as Turn[])
    }
    for (const [id, follows] of entries(saved.machine)) this.machine.set(id, String(follows))
    for (const [id, held] of entries(saved.calls)) {
      const restored = restore(held)
      if (restored) this.calls.set(id, restored)
    }
    this.answerId = typeof saved.answerId === 'string' ? saved.answerId : null
    this.answer = Array.isArray(saved.answer) ? saved.answer.flatMap((held) => restore(held) ?? []) : []
  }

  saved(): unknown {
    return {
      last: this.lastSession,
      goals: Object.fromEntries(this.goals),
      requests: Object.fromEntries(this.requests),
      turns: Object.fromEntries(this.turns),
      machine: Object.fromEntries(this.machine),
      calls: Object.fromEntries([...this.calls].map(([id, held]) => [id, compact(held)])),
      answerId: this.answerId,
      answer: this.answer.map(compact),
    }
  }

  goal(session: string): Handle | null {
    return this.goals.get(session) ?? null
  }

  setGoal(session: string, goal: Handle, said: string): void {
    this.goals.set(session, goal)
    this.requests.set(session, said)
  }

  isLastRequest(session: string, said: string): boolean {
    return this.goals.has(session) && this.requests.get(session) === said
  }

  /** A record of the program itself stands between what it follows and what follows it. */
  passed(uuid: string | null, parent: string | null): void {
    if (uuid === null || parent === null) return
    if (this.machine.size >= MAX_MACHINE) {
      const oldest = this.machine.keys().next().value
      if (oldest !== undefined) this.machine.delete(oldest)
    }
    this.machine.set(shortKey(uuid), this.placeOf(parent))
  }

  private placeOf(parent: string): string {
    const key = shortKey(parent)
    return this.machine.get(key) ?? key
  }

  /**
   * Takes a typed turn into its session's branch. Answers the first turn that it takes the place of, when the person
   * went back to before that one; the goal is then the one that was active there. A turn that follows nothing known
   * (a cleared context, a resumed file) replaces nobody.
   */
  turn(session: string, parent: string | null, handle: Handle): Handle | null {
    const turns = this.turns.get(session) ?? []
    this.turns.set(session, turns)
    // Appended once more by the program: an old record, no new turn.
    if (turns.some(([, known]) => known === handle)) return null
    const follows = parent === null ? '' : this.placeOf(parent)
    const at = follows === '' ? -1 : turns.findIndex(([place]) => place === follows)
    const left = at === -1 ? undefined : turns[at]
    if (left) {
      turns.length = at
      this.requests.delete(session)
      if (left[2] === null) this.goals.delete(session)
      else this.goals.set(session, left[2])
    }
    turns.push([follows, handle, this.goal(session)])
    if (turns.length > MAX_TURNS) turns.shift()
    return left?.[1] ?? null
  }

  holdCall(callId: string, held: Held): void {
    const id = keyOf(callId)
    if (this.calls.size >= MAX_CALLS) {
      const oldest = this.calls.keys().next().value
      if (oldest !== undefined) this.calls.delete(oldest)
    }
    this.calls.set(id, held)
  }

  takeCall(callId: string): Held | null {
    const id = keyOf(callId)
    const held = this.calls.get(id)
    this.calls.delete(id)
    return held ?? null
  }

  isOpenAnswer(id: string | null): boolean {
    return this.answer.length > 0 && id !== null && keyOf(id) === this.answerId
  }

  openAnswer(id: string | null, held: Held): void {
    this.answerId = id === null ? null : keyOf(id)
    this.answer.push(held)
  }

  takeAnswer(): Held[] {
    const answer = this.answer
    this.answer = []
    this.answerId = null
    return answer
  }
}

const shortKey = (id: string): string => sha256(id).slice(0, 12)

/** Ids are foreign text: only their hash is kept between readings. */
const keyOf = (id: string): string => sha256(id).slice(0, 20)

const entries = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

type Compact = [line: number, offset: number, length: number, hash: string, part: number, goal: string | null]

const compact = (held: Held): Compact => [
  held.place.line,
  held.place.byteOffset,
  held.place.byteLength,
  held.place.hash,
  held.part,
  held.goal,
]

function restore(value: unknown): Held | null {
  if (!Array.isArray(value) || value.length < 6) return null
  const [line, byteOffset, byteLength, hash, part, goal] = value as Compact
  return { place: { line, byteOffset, byteLength, hash }, part, goal: goal as Handle | null }
}
