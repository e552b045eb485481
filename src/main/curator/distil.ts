import { clip, SENTENCE } from './clip'
import { type Speaker, type Statement, statementsOf } from './statements'

export interface Distillation {
  entities: string[]
  decisions: string[]
  constraints: string[]
  outcomes: string[]
  open_questions: string[]
}

/** A text with whose words it is. */
export interface Said {
  text: string
  speaker: Speaker
}

type List = 'decisions' | 'constraints' | 'outcomes' | 'open_questions'

/** Most sentences of each list. */
const MOST: Record<List, number> = { decisions: 5, constraints: 4, outcomes: 8, open_questions: 4 }
/** Below this a sentence decides or reports too little to stand for a text. */
const LEAST: Record<List, number> = { decisions: 1.5, constraints: 1, outcomes: 1.1, open_questions: 1 }
/** Share of the smaller sentence's words that makes two the same. */
const SAME = 0.7

interface Pick {
  statement: Statement
  list: List
  weight: number
  order: number
}

/**
 * L2 without its entities: the sentences that decide, bind, report and ask, each in one list, in the order they were
 * said. Of sentences that say the same the strongest stands; a list that is full keeps its strongest.
 */
export function distil(said: readonly Said[]): Omit<Distillation, 'entities'> {
  const statements = said.flatMap(({ text, speaker }) => statementsOf(text, speaker))
  const centre = frequencies(statements)
  const picks = statements
    .flatMap((statement, order) => pick(statement, order, order / Math.max(1, statements.length), centre))
    .sort((a, b) => b.weight - a.weight || b.order - a.order)
  const kept: Pick[] = []
  const counts = { decisions: 0, constraints: 0, outcomes: 0, open_questions: 0 }
  for (const one of picks) {
    if (counts[one.list] >= MOST[one.list] || kept.some((other) => repeats(one, other))) continue
    counts[one.list] += 1
    kept.push(one)
  }
  const listed = (list: List): string[] =>
    kept
      .filter((one) => one.list === list)
      .sort((a, b) => a.order - b.order)
      .map((one) => clip(one.statement.text.replace(/:$/, '.'), SENTENCE))
  return {
    decisions: listed('decisions'),
    constraints: listed('constraints'),
    outcomes: listed('outcomes'),
    open_questions: listed('open_questions'),
  }
}

function pick(
  statement: Statement,
  order: number,
  place: number,
  centre: ReadonlyMap<string, number>,
): Pick[] {
  if (statement.idle || statement.text.length < 12) return []
  const { list, weight } = listOf(statement)
  if (list === null || weight < LEAST[list]) return []
  const { words } = statement
  const central =
    words.length === 0 ? 0 : words.reduce((sum, word) => sum + (centre.get(word) ?? 0), 0) / words.length
  // What is said last has been found out by then.
  return [{ statement, list, order, weight: weight + 0.8 * central + 0.4 * place }]
}

function listOf({ decision, outcome, constraint, question }: Statement): {
  list: List | null
  weight: number
} {
  if (question > 1 && decision === 0) return { list: 'open_questions', weight: question }
  if (decision >= outcome && decision >= LEAST.decisions) return { list: 'decisions', weight: decision }
  if (outcome >= LEAST.outcomes) return { list: 'outcomes', weight: outcome }
  if (question > 0) return { list: 'open_questions', weight: question }
  if (constraint > 0) return { list: 'constraints', weight: constraint }
  return { list: null, weight: 0 }
}

function repeats(a: Pick, b: Pick): boolean {
  const [one, two] = [new Set(a.statement.words), new Set(b.statement.words)]
  if (one.size === 0 || two.size === 0) return a.statement.text === b.statement.text
  let both = 0
  for (const word of one) if (two.has(word)) both++
  return both / Math.min(one.size, two.size) >= SAME && both / Math.max(one.size, two.size) >= 0.5
}

/** How often a text uses each of its words, the most used one being 1; empty when none comes twice. */
export function frequencies(statements: readonly { words: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { words } of statements)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const most = Math.max(1, ...counts.values())
  if (most === 1) return new Map()
  for (const [word, count] of counts) counts.set(word, count / most)
  return counts
}
