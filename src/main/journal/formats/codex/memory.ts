import type { Handle } from '../../../../shared/domain'
import type { Draft, Place } from '../../drafts'
import { sha256 } from '../../handles'
import { isObject } from '../../text'
import { freshLineage, type LineageState } from './lineage'

/** Who tells a piece of speech. The same words are told by up to three of them. */
export type Teller = 'event' | 'item' | 'response'

/** A record that a later one completes or replaces. `draft` is there while this process remembers it. */
export interface Held {
  place: Place
  goal: Handle | null
  /** The parent's, told again in a copy. */
  copied: boolean
  handle: Handle | null
  ts: number | null
  /** What held when it was read: a head line behind it may give the session another name. */
  session: string
  scope: string
  mode: string | null
  exit?: number
  drafts?: Draft[]
  /** Of a call that is no item of its own: a question, or one that is skipped. */
  payload?: Record<string, unknown>
}

/** A prompt the model was given that no event has claimed yet. */
export interface Waiting {
  place: Place
  words: string
  ts: number | null
  copied: boolean
  text?: string
}

/** A plan that waits for the person's decision. */
export interface OpenPlan {
  handle: Handle
  hash: string
  place: Place
  title?: string
}

const MAX_CALLS = 400
const MAX_TOLD = 2_000
const MAX_ASKED = 100

/** What the reader must know of the records before. Saved as ids, hashes, handles and places, never as text. */
export class CodexMemory {
  lineage: LineageState = freshLineage()
  turn: string | null = null
  /** Prompts so far: the turn's name where turns have no id. */
  prompts = 0
  mode: string | null = null
  goal: Handle | null = null
  /** The plan that waits for the person's decision. */
  plan: OpenPlan | null = null
  answer: Held | null = null
  waiting: Waiting[] = []
  /** The last turns the person began, and the first of those taken back until the next one begins. */
  asked: { handle: Handle; goal: Handle | null }[] = []
  rewound: Handle | null = null
  unknown: string[] = []
  private calls = new Map<string, Held>()
  /** How often each teller told the same words in the open turn. */
  private told = new Map<string, Partial<Record<Teller, number>>>()

  constructor(saved: unknown) {
    if (!isObject(saved)) return
    const it = saved as unknown as Saved
    this.lineage = { ...this.lineage, ...it.lineage }
    this.turn = it.turn ?? null
    this.prompts = it.prompts ?? 0
    this.mode = it.mode ?? null
    this.goal = it.goal ?? null
    this.plan = it.plan ?? null
    this.answer = it.answer ?? null
    this.waiting = it.waiting ?? []
    this.asked = it.asked ?? []
    this.rewound = it.rewound ?? null
    this.unknown = it.unknown ?? []
    this.calls = new Map(it.calls ?? [])
    this.told = new Map(it.told ?? [])
  }

  saved(): Saved {
    const { lineage, turn, prompts, mode, goal, plan, unknown, asked, rewound } = this
    return {
      lineage,
      turn,
      prompts,
      mode,
      goal,
      asked,
      rewound,
      plan: plan && { handle: plan.handle, hash: plan.hash, place: plain(plan.place) },
      unknown,
      answer: this.answer && bare(this.answer),
      waiting: this.waiting.map(({ text: _, place, ...rest }) => ({ ...rest, place: plain(place) })),
      calls: [...this.calls].map(([id, held]) => [id, bare(held)]),
      told: [...this.told],
    }
  }

  /** What makes the words of one turn different from the same words in another. */
  scope(session: string): string {
    return this.turn ?? `${session}#${this.prompts}`
  }

  enterTurn(id: string): void {
    if (id === this.turn) return
    this.turn = id
    this.told.clear()
  }

  leaveTurns(): void {
    this.turn = null
    this.told.clear()
  }

  prompted(): void {
    this.prompts++
    if (this.turn === null) this.told.clear()
  }

  /** A turn of the person's begins. Answers the first of the turns taken back before it, if any. */
  ask(handle: Handle): Handle | null {
    const from = this.rewound
    this.rewound = null
    this.asked = [...this.asked, { handle, goal: this.goal }].slice(-MAX_ASKED)
    return from
  }

  /** The person takes their last `turns` turns back. */
  rollBack(turns: number): void {
    const from = this.asked.at(-turns)
    if (!from) return
    this.asked = this.asked.slice(0, -turns)
    this.rewound = from.handle
    this.goal = from.goal
  }

  /** Counts one telling. `again` when another teller already told it. */
  tell(kind: string, words: string, teller: Teller): { nth: number; again: boolean } {
    const key = `${kind}:${words}`
    const again = this.isTold(kind, words, teller)
    const counts = this.told.get(key) ?? {}
    const nth = (counts[teller] ?? 0) + 1
    if (this.told.size < MAX_TOLD || this.told.has(key)) this.told.set(key, { ...counts, [teller]: nth })
    return { nth, again }
  }

  /** Whether another teller already told what this one tells now. */
  isTold(kind: string, words: string, teller: Teller): boolean {
    const counts = this.told.get(`${kind}:${words}`) ?? {}
    const nth = (counts[teller] ?? 0) + 1
    return Object.values(counts).some((n) => n >= nth)
  }

  holdCall(callId: string, held: Held): void {
    if (this.calls.size >= MAX_CALLS) {
      const oldest = this.calls.keys().next().value
      if (oldest !== undefined) this.calls.delete(oldest)
    }
    this.calls.set(keyOf(callId), held)
  }

  call(callId: string): Held | null {
    return this.calls.get(keyOf(callId)) ?? null
  }

  takeCall(callId: string): Held | null {
    const held = this.call(callId)
    this.calls.delete(keyOf(callId))
    return held
  }
}

interface Saved {
  lineage: LineageState
  turn: string | null
  prompts: number
  mode: string | null
  goal: Handle | null
  plan: OpenPlan | null
  answer: Held | null
  waiting: Waiting[]
  asked: { handle: Handle; goal: Handle | null }[]
  rewound: Handle | null
  unknown: string[]
  calls: [string, Held][]
  told: [string, Partial<Record<Teller, number>>][]
}

/** Ids are foreign text: only their hash is kept between readings. */
const keyOf = (id: string): string => sha256(id).slice(0, 20)

/** What is left of words to compare them by. */
export const wordsOf = (text: string): string => sha256(text.replace(/\s+/g, ' ').trim()).slice(0, 16)

const plain = ({ line, byteOffset, byteLength, hash }: Place): Place => ({
  line,
  byteOffset,
  byteLength,
  hash,
})

const bare = ({ drafts: _, payload: __, place, ...rest }: Held): Held => ({ ...rest, place: plain(place) })
