import type { Handle } from '../../../../shared/domain'
import type { Draft, FormatContext, Outcome, Place } from '../../drafts'
import { handleOf } from '../../handles'
import { imageFacts, imageText } from '../../images'
import { headTail, normalise } from '../../text'
import type { Entry } from './envelope'
import { isCopied, nameOf } from './lineage'
import { CodexMemory, type Held, wordsOf } from './memory'
import { splitAnswer, textOfRecord } from './spoken'

export const AGENT = 'codex'
export const PROSE_LIMIT = 100_000
const CONCLUSION_LIMIT = 16_000
/** Any other id is foreign text, of which only a hash is kept. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** One record on the desk: what it says, where it lies, and what has been made of it so far. */
export interface Sheet {
  entry: Entry
  place: Place
  /** It repeats the parent's history. */
  copied: boolean
  out: Outcome
}

/** Where drafts are made: what every kind of record needs, and the memory of the records before. */
export class Desk {
  readonly memory: CodexMemory
  readonly mask: (name: string) => string

  constructor(
    readonly context: FormatContext,
    saved: unknown,
  ) {
    this.memory = new CodexMemory(saved)
    this.mask = context.mask
  }

  get session(): string {
    return this.memory.lineage.own ?? this.mask(nameOf(this.context.path))
  }

  /** Puts a record on the desk: whose it is, which turn it belongs to. */
  enter(entry: Entry, place: Place, turnId: string | null): Sheet {
    const { memory } = this
    const { lineage } = memory
    const was = lineage.copying
    const copied = isCopied(lineage, entry, turnId)
    if (was && !copied) this.beginOwn()
    if (turnId !== null) memory.enterTurn(UUID.test(turnId) ? turnId : wordsOf(turnId))
    const own = { session: this.session, ts: entry.ts }
    const parent = copied ? lineage.parent : null
    const out: Outcome = {
      disposition: { kind: 'dropped', reason: 'empty' },
      facts: parent === null ? own : { session: parent, ts: lineage.turnMs ?? lineage.bornMs },
      own: [],
      completes: [],
      revises: [],
      ...(parent === null ? {} : { also: [own] }),
    }
    return { entry, place, copied: parent !== null, out }
  }

  /** The copy of the parent's history ends here. */
  private beginOwn(): void {
    const { memory } = this
    memory.leaveTurns()
    memory.prompts = 0
    memory.answer = null
    memory.waiting = []
    // What a sub-agent is for is its parent's goal, found when both are known.
    if (!memory.lineage.child) return
    memory.goal = null
    memory.plan = null
  }

  /** Names the words of one turn. */
  scope(copied: boolean): string {
    return this.memory.scope((copied ? this.memory.lineage.parent : null) ?? this.session)
  }

  blank(place: Place, copied: boolean, ts: number | null): Draft {
    const { lineage } = this.memory
    return {
      handle: '' as Handle,
      kind: 'note',
      session: this.session,
      place,
      recordId: null,
      part: 0,
      ts: copied ? (lineage.turnMs ?? ts) : ts,
      role: null,
      tool: null,
      goal: this.memory.goal,
      text: '',
      data: {},
      importance: 0.3,
      settled: true,
    }
  }

  /** What is remembered of a record, so that read again it says what it said. */
  hold({ place, copied }: Sheet, base: Draft): Omit<Held, 'handle' | 'drafts'> {
    const { session, ts, goal } = base
    return { place, goal, copied, ts, session, scope: this.scope(copied), mode: this.memory.mode }
  }

  /** The blank of a record that is read again. */
  held({ place, ts, session, goal }: Held): Draft {
    return { ...this.blank(place, false, ts), session, goal }
  }

  base({ place, copied, entry }: Sheet): Draft {
    return this.blank(place, copied, entry.ts)
  }

  /**
   * Adds a draft to the outcome. A copy belongs to the parent's session and is held by this one too; the original,
   * when it is there, knows better.
   */
  put(list: Draft[], draft: Draft, copied: boolean): void {
    list.push(copied ? { ...draft, settled: false } : draft)
    const parent = copied ? this.memory.lineage.parent : null
    if (parent !== null) list.push({ ...draft, session: parent, settled: false })
  }

  own(sheet: Sheet, draft: Draft): void {
    this.put(sheet.out.own, draft, sheet.copied)
    sheet.out.disposition = { kind: 'used' }
  }

  reason(out: Outcome, why: string): void {
    if (out.disposition.kind === 'dropped') out.disposition = { kind: 'dropped', reason: why }
  }

  image(sheet: Sheet, picture: { data: string; mediaType: string }, part: number, role: string): void {
    const facts = imageFacts(picture.data, picture.mediaType)
    if (!facts) return
    const owner = (sheet.copied ? this.memory.lineage.parent : null) ?? this.session
    this.own(sheet, {
      ...this.base(sheet),
      handle: handleOf(AGENT, this.memory.turn ?? owner, 'image', facts.sha256),
      kind: 'image',
      part,
      role,
      text: imageText(facts),
      data: facts,
      importance: 0.4,
    })
  }

  /** Settles what was said last in the open turn: its closing statement, or mere prose on the way. */
  close(kind: 'conclusion' | 'note', out: Outcome): void {
    const held = this.memory.answer
    this.memory.answer = null
    const draft = held && (held.drafts?.[0] ?? this.rereadAnswer(held))
    if (!held || !draft) return
    const said = { ...(kind === 'note' ? draft : asConclusion(draft)), settled: true }
    this.put(out.revises, said, held.copied)
  }

  private rereadAnswer(held: Held): Draft | null {
    const text = textOfRecord(this.context.load(held.place))
    if (text === null || held.handle === null) return null
    const { prose } = splitAnswer(text, held.mode)
    return this.saidDraft(this.held(held), held.handle, prose)
  }

  saidDraft(base: Draft, handle: Handle, prose: string): Draft {
    return { ...base, handle, role: 'assistant', text: headTail(normalise(prose), PROSE_LIMIT) }
  }

  /** The handle of words told in the open turn. */
  wordsHandle(copied: boolean, kind: string, words: string, nth: number): Handle {
    return handleOf(AGENT, this.scope(copied), kind, words, nth)
  }
}

export const asConclusion = (draft: Draft): Draft => ({
  ...draft,
  kind: 'conclusion',
  importance: 0.7,
  text: headTail(draft.text, CONCLUSION_LIMIT),
})

export { wordsOf }
