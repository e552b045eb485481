import type { ItemKind } from '../../shared/domain'
import { clip, SENTENCE } from './clip'
import { contentWords, IMPERATIVE, isOnlyChecks, REQUEST } from './cues'
import { frequencies } from './distil'
import { type Speaker, type Statement, statementsOf } from './statements'

/** Whose words an item of a kind holds. */
export function speakerOf(kind: ItemKind, data: Record<string, unknown> = {}): Speaker {
  if (kind === 'goal') return data.implementsPlan === true ? 'plan' : 'person'
  if (kind === 'decision') return 'verdict'
  return kind === 'plan' ? 'plan' : 'agent'
}

/**
 * The sentence that says what an item is about: for a goal what is wanted, else what was done, found or decided.
 * Null when the text has no sentence. Ties go to the earlier one.
 */
export function keySentence(text: string, kind: ItemKind, goal = ''): string | null {
  return keyStatement(text, kind, goal)?.text ?? null
}

/** The key sentence, and whether it tells anything: idle talk is chosen only where there is nothing else. */
export function keyStatement(
  text: string,
  kind: ItemKind,
  goal = '',
): { text: string; telling: boolean } | null {
  const statements = statementsOf(text, speakerOf(kind))
  const reading = { kind, centre: frequencies(statements), wanted: new Set(contentWords(goal, 60)) }
  let best: { statement: Statement; score: number } | null = null
  statements.forEach((statement, index) => {
    const value = score(statement, index, statements.length, reading)
    if (best === null || value > best.score) best = { statement, score: value }
  })
  const chosen = best as { statement: Statement; score: number } | null
  if (chosen === null) return null
  const { statement } = chosen
  const telling = !statement.idle && statement.shape !== 'heading' && statement.words.length > 1
  return { text: clip(statement.text.replace(/:$/, '.'), SENTENCE), telling }
}

interface Reading {
  kind: ItemKind
  centre: ReadonlyMap<string, number>
  wanted: ReadonlySet<string>
}

/** What a sentence does weighs most, then what the text is about (centroid), the goal, the place, a readable length. */
function score(statement: Statement, index: number, count: number, reading: Reading): number {
  const { text, shape, words, idle } = statement
  let points = actPoints(statement, reading.kind)
  if (words.length > 0) {
    const central = words.reduce((sum, word) => sum + (reading.centre.get(word) ?? 0), 0) / words.length
    const onGoal = words.filter((word) => reading.wanted.has(word)).length / Math.min(words.length, 12)
    points += 1.2 * central + 1.5 * Math.min(1, onGoal)
  }
  if (index === 0) points += reading.kind === 'goal' ? 1.2 : 0.6
  else if (index === count - 1) points += 0.3
  if (idle) points -= 4
  // That the build passes is worth less than what was built.
  if (isOnlyChecks(words)) points -= 3
  if (text.endsWith(':')) points -= 1.5
  if (shape === 'heading') points -= reading.kind === 'plan' && index === 0 ? -1.5 : 2.5
  if (shape === 'bullet') points -= 0.4
  if (text.length < 25) points -= 1
  if (text.length > 320) points -= 0.8
  return points
}

function actPoints(statement: Statement, kind: ItemKind): number {
  const { text, decision, outcome, question } = statement
  if (kind === 'goal') return (REQUEST.test(text) ? 2 : 0) + Math.min(1.5, decision / 2) + question / 4
  const asks = text.endsWith('?') ? 2.5 : question > 0 ? 1 : 0
  const makes = kind !== 'plan' && IMPERATIVE.test(text) ? 0.5 : 0
  return (
    Math.max(outcome, decision * (kind === 'plan' ? 1 : 0.9)) +
    0.3 * Math.min(outcome, decision) +
    makes -
    asks
  )
}
