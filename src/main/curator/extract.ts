import type { ItemKind } from '../../shared/domain'
import {
  CONSTRAINT,
  contentWords,
  DECISION,
  DONE,
  FILLER,
  HYPOTHESIS,
  IMPERATIVE,
  OUTCOME,
  QUESTION,
  REQUEST,
} from './cues'
import { type Sentence, sentencesOf } from './sentences'

/** A sentence of a rung is no longer than this; a longer one is cut at a word. */
export const SENTENCE = 240

/**
 * The sentence that says what an item is about: for a goal what is wanted, else what was done, found or decided.
 * Null when the text has no sentence. Ties go to the earlier one.
 */
export function keySentence(text: string, kind: ItemKind, goal = ''): string | null {
  const sentences = sentencesOf(text)
  const best = ranked(sentences, kind, goal)[0]
  return best === undefined ? null : clip(best.text, SENTENCE)
}

function ranked(sentences: readonly Sentence[], kind: ItemKind, goal: string): Sentence[] {
  const centre = frequencies(sentences)
  const wanted = new Set(contentWords(goal, 60))
  return sentences
    .map((sentence, index) => ({
      sentence,
      index,
      score: score(sentence, index, sentences.length, { kind, centre, wanted }),
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ sentence }) => sentence)
}

interface Reading {
  kind: ItemKind
  centre: Map<string, number>
  wanted: ReadonlySet<string>
}

/** Cues weigh most, then what the text as a whole is about (centroid), the goal, the place, and a readable length. */
function score(sentence: Sentence, index: number, count: number, reading: Reading): number {
  const { text, shape } = sentence
  const words = contentWords(text, 80)
  let points = cuePoints(text, reading.kind)
  if (words.length > 0) {
    const central = words.reduce((sum, word) => sum + (reading.centre.get(word) ?? 0), 0) / words.length
    const onGoal = words.filter((word) => reading.wanted.has(word)).length / Math.min(words.length, 12)
    points += 1.2 * central + 1.5 * Math.min(1, onGoal)
  }
  if (index === 0) points += reading.kind === 'goal' ? 1.2 : 0.6
  else if (index === count - 1) points += 0.3
  if (FILLER.test(text)) points -= 2.5
  if (text.endsWith(':')) points -= 1.5
  if (shape === 'heading') points -= reading.kind === 'plan' && index === 0 ? -1.5 : 1.2
  if (shape === 'bullet') points -= 0.4
  if (text.length < 25) points -= 1
  if (text.length > 320) points -= 0.8
  return points
}

function cuePoints(text: string, kind: ItemKind): number {
  if (kind === 'goal') return (REQUEST.test(text) ? 2 : 0) + (QUESTION.test(text) ? 0.5 : 0)
  let points = 0
  if (HYPOTHESIS.test(text)) points -= 2
  if (kind !== 'plan' && IMPERATIVE.test(text)) points += 1
  if (DECISION.test(text)) points += kind === 'plan' || kind === 'decision' ? 2 : 1.6
  if (DONE.test(text)) points += kind === 'plan' ? 0.2 : 1.8
  if (OUTCOME.test(text)) points += 1.2
  if (CONSTRAINT.test(text)) points += 0.2
  if (QUESTION.test(text)) points -= text.endsWith('?') ? 2.5 : 1
  return points
}

/** How often a text uses each of its words, the most used one being 1. */
function frequencies(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of sentences)
    for (const word of new Set(contentWords(text, 80))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const most = Math.max(1, ...counts.values())
  if (most > 1) for (const [word, count] of counts) counts.set(word, count / most)
  else counts.clear()
  return counts
}

export interface Distillation {
  entities: string[]
  decisions: string[]
  constraints: string[]
  outcomes: string[]
  open_questions: string[]
}

const EACH = 5

/** L2 without its entities: the sentences that decide, bind, report and ask, each in one list, in order. */
export function distil(texts: readonly string[]): Omit<Distillation, 'entities'> {
  const lists = { decisions: [], constraints: [], outcomes: [], open_questions: [] } as Record<
    string,
    string[]
  >
  const seen = new Set<string>()
  for (const { text, shape } of texts.flatMap(sentencesOf)) {
    if (shape === 'heading' || text.length < 12 || FILLER.test(text) || text.endsWith(':')) continue
    const list = lists[listOf(text)]
    const key = text.toLowerCase()
    if (!list || seen.has(key)) continue
    seen.add(key)
    list.push(clip(text, SENTENCE))
  }
  const kept = (name: string): string[] => (lists[name] ?? []).slice(-EACH)
  return {
    decisions: kept('decisions'),
    constraints: kept('constraints'),
    outcomes: kept('outcomes'),
    open_questions: kept('open_questions'),
  }
}

function listOf(text: string): string {
  if (QUESTION.test(text)) return 'open_questions'
  if (DECISION.test(text)) return 'decisions'
  if (DONE.test(text) || OUTCOME.test(text)) return 'outcomes'
  return CONSTRAINT.test(text) ? 'constraints' : ''
}

/** At most `length` characters, cut at a word, with `…` when cut. */
export function clip(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= length) return flat
  const cut = flat.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  const at = space > length * 0.6 ? space : cut.length
  return `${cut
    .slice(0, at)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[,;:\s]+$/, '')}…`
}
