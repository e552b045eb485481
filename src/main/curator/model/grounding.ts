import { stemmer } from 'stemmer'
import { clip, SENTENCE } from '../clip'
import { contentWords } from '../cues'
import type { Distillation } from '../distil'
import { extractEntities } from '../entities'
import type { Summary } from './answer'
import { givesOrders } from './orders'

// What a model wrote about a text is kept only as far as the text bears it: every name in it stands there, and so do
// most of its words. What it names or says from elsewhere falls away.

/** Why a summary, or a part of it, was not kept. */
export type Ungrounded = 'ungrounded' | 'answer-orders' | 'quoted' | 'empty'

export interface Grounded {
  sentence: string | null
  distillation: Distillation | null
  /** Why the sentence was not kept; null when it was. */
  reason: Ungrounded | null
  /** Statements and names that fell away. */
  dropped: number
}

/** Share of a statement's words that the text must hold. A summary joins and shortens; it does not bring new subjects. */
const LEAST = 0.6
const LISTS = ['decisions', 'constraints', 'outcomes', 'open_questions'] as const
const MOST = { entities: 12, decisions: 5, constraints: 4, outcomes: 8, open_questions: 4 } as const

export function ground(summary: Summary, source: string): Grounded {
  const text = new SourceText(source)
  let dropped = 0
  const kept = (statements: readonly string[], most: number): string[] => {
    const own = new Set<string>()
    for (const raw of statements) {
      const one = clip(raw, SENTENCE)
      if (one === '') continue
      if (text.bears(one) === null) own.add(one)
      else dropped += 1
    }
    return [...own].slice(0, most)
  }
  const sentence = clip(summary.sentence, SENTENCE)
  const reason = sentence === '' ? 'empty' : text.bears(sentence)
  const names = summary.entities.map((name) => name.trim()).filter((name) => name !== '')
  const entities = [...new Set(names.filter((name) => text.names(name)))].slice(0, MOST.entities)
  dropped += new Set(names).size - entities.length
  const lists = Object.fromEntries(LISTS.map((list) => [list, kept(summary[list], MOST[list])])) as Omit<
    Distillation,
    'entities'
  >
  const told = LISTS.some((list) => lists[list].length > 0)
  return {
    sentence: reason === null ? sentence : null,
    distillation: told ? { entities, ...lists } : null,
    reason,
    dropped,
  }
}

class SourceText {
  readonly #plain: string
  readonly #stems: Set<string>
  readonly #letters: string
  readonly #quoted: readonly string[]

  constructor(source: string) {
    this.#plain = flat(source)
    this.#letters = letters(source)
    this.#quoted = (source.match(QUOTED) ?? []).map(flat)
    this.#stems = new Set(contentWords(source, 20_000).flatMap(stems))
  }

  /** Null when the text bears a statement, else why not. */
  bears(statement: string): Ungrounded | null {
    if (givesOrders(statement)) return 'answer-orders'
    // What stands there in quotation marks is somebody's words, not what was done: an order quotes what it wants.
    if (this.#quoted.some((quote) => quote.includes(flat(statement)))) return 'quoted'
    if (!extractEntities(statement).every(({ value }) => this.names(value))) return 'ungrounded'
    if (!figures(statement).every((figure) => this.#plain.includes(figure))) return 'ungrounded'
    const unspaced = UNSPACED.test(statement)
    const units = unspaced ? pairs(statement) : contentWords(statement, 80).flatMap(stems)
    // One word is a name or an echo, not a summary.
    if (units.length < 2) return 'ungrounded'
    const found = units.filter((unit) => (unspaced ? this.#letters.includes(unit) : this.#stems.has(unit)))
    return found.length / units.length >= LEAST ? null : 'ungrounded'
  }

  /** Whether a name stands in the text; a path also by its last parts, as it is told within its project. */
  names(name: string): boolean {
    const plain = flat(name).replace(/^\.\//, '')
    if (plain.length < 2) return false
    return this.#plain.includes(plain)
  }
}

/** Quoted spans within a paragraph, in the marks of several languages. */
const QUOTED =
  /"[^"\n]{12,600}"|“[^”\n]{12,600}”|«[^»\n]{12,600}»|„[^“\n]{12,600}“|`[^`\n]{12,600}`|「[^」\n]{6,600}」/gu

const flat = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Numbers of two digits or more, and with a fraction: those that claim something. */
const figures = (text: string): string[] => flat(text).match(/\d+(?:[.,]\d+)+|\d{2,}/g) ?? []

/** A compound counts as its parts. */
const stems = (word: string): string[] =>
  word
    .split(/[-_]/)
    .filter((part) => part.length > 2)
    .map(stemmer)

/** Writing without spaces between words, where characters are compared in pairs. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const letters = (text: string): string => flat(text).replace(/[^\p{L}\p{N}]/gu, '')

function pairs(text: string): string[] {
  const all = [...letters(text)]
  return all.slice(1).map((letter, i) => `${all[i] ?? ''}${letter}`)
}
