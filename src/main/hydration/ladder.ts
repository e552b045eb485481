import type { Rung } from '../../shared/domain'
import { withoutControls } from '../../shared/plain-text'
import { distillationText } from '../curator'
import { excerpt, type Telling } from './excerpt'
import { wordsOf } from './goal-words'
import { stopWords } from './stop-words'

/** One way a candidate can be shown. */
export interface Shown {
  level: Rung
  text: string
  /** Of L0: not the whole text, only its passages that answer the goal. */
  part?: true
}

export interface LadderSource {
  kind: string
  tool: string | null
  subject: string | null
  text: string
  /** What the curator made; what is missing is derived here. */
  rungs: ReadonlyMap<string, string>
}

/** What a goal asks for, and how long the excerpts may be that say it. */
export interface Wanted {
  telling: Telling
  /** Characters, short to long. */
  lengths: readonly number[]
}

/** A text this short is shown whole or not at all: its summary would cost about as much. */
const SHORT = 480
const SENTENCE = 200
/** The tokenizers take time in the square of an unbroken run; a text with a longer one is not shown whole. */
const MAX_RUN = 1000

/**
 * The rungs of one item, coarse to fine. A missing L1 is its first sentence, a missing L3 its kind and first telling
 * words; the level says what the text is, not where it came from. Between the sentence and the whole come the passages
 * that answer the goal. `maxChars`: a verbatim text longer than that cannot fit and is left out.
 */
export function ladderOf(source: LadderSource, maxChars: number, wanted?: Wanted): Shown[] {
  const text = tidy(source.text)
  if (isShownWhole(text)) return [{ level: 'L0', text }]
  const ladder: Shown[] = [{ level: 'L3', text: tidy(source.rungs.get('L3') ?? skeleton(source, text)) }]
  const distilled = source.rungs.get('L2')
  if (distilled) ladder.push({ level: 'L2', text: tidy(distillationText(distilled)) })
  const sentence = tidy(source.rungs.get('L1') ?? firstSentence(text))
  if (sentence !== '') ladder.push({ level: 'L1', text: sentence })
  for (const length of wanted?.lengths ?? []) {
    const passages = length <= maxChars ? excerpt(text, wanted?.telling ?? new Map(), length) : null
    if (passages && passages !== ladder.at(-1)?.text && !hasLongRun(passages))
      ladder.push({ level: 'L0', text: passages, part: true })
  }
  if (text !== '' && text.length <= maxChars && !hasLongRun(text)) ladder.push({ level: 'L0', text })
  return ladder.filter((rung) => rung.text !== '')
}

/** Whether a text stands for itself alone, so that its rungs need not be read. */
export const isShownWhole = (text: string): boolean => text.length <= SHORT && tidy(text) !== ''

export const tidy = (text: string): string => withoutControls(text).trim()

/** The first sentence, or as much of it as fits a line. */
export function firstSentence(text: string): string {
  const head = text
    .slice(0, SENTENCE * 2)
    .replace(/\s+/g, ' ')
    .trim()
  const end = head.search(/[.!?](?:\s|$)/)
  if (end > 20 && end < SENTENCE) return head.slice(0, end + 1)
  return cut(head, SENTENCE)
}

/** Cuts at a word's end and says so. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const head = text.slice(0, length - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > length / 2 ? head.slice(0, space) : head).replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}

function skeleton({ kind, tool, subject }: LadderSource, text: string): string {
  const telling = new Set(
    wordsOf(text.slice(0, 600)).filter((word) => word.length > 3 && !stopWords.has(word)),
  )
  const about = subject ? cut(subject.replace(/\s+/g, ' '), 60) : [...telling].slice(0, 6).join(' ')
  return [kind, tool, about].filter((part) => part).join(' · ')
}

function hasLongRun(text: string): boolean {
  let run = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Space, tab, newline; letters of scripts without spaces never merge into runs the tokenizer struggles with.
    run = code <= 32 || code > 0x2e80 ? 0 : run + 1
    if (run > MAX_RUN) return true
  }
  return false
}
