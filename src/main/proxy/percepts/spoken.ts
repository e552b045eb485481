import { type ArtifactView, clip, firstLine, type Sighting } from './artifact-view'
import { isLearned, unquoted } from './learned'
import { RULES } from './rules'
import { UNADDRESSED, UNCOVERED } from './upstream'

// How a percept is said to a person. A phrase is a key and names what a rule saw; when the rule saw nothing, the same
// words would say the opposite of what is meant.

/** What is true of an artifact in which the rule saw nothing, and what it then has nothing about. */
const OTHERWISE: Record<string, readonly [name: string, topic: string]> = {
  'no rollback': ['rollback is covered', 'a rollback'],
  'no tests': ['tests are covered', 'tests'],
  'no migration path': ['migration is covered', 'migration'],
  'no security note': ['security is covered', 'security'],
  'no acceptance criteria': ['acceptance criteria are given', 'acceptance criteria'],
  'no risks named': ['risks are named', 'risks'],
  'no limits of scope': ['limits of scope are given', 'limits of scope'],
  'no steps': ['steps are given', 'steps'],
  'destructive step': ['no destructive step', 'deleting or dropping anything'],
  'touches production': ['production is not mentioned', 'production'],
  'handles credentials': ['credentials are not mentioned', 'credentials'],
  'changes authentication': ['authentication is not mentioned', 'authentication'],
  'changes a public interface': ['no public interface is mentioned', 'a public interface'],
  'adds a dependency': ['no new dependency', 'a new dependency'],
  'changes data': ['no change of data', 'changing data'],
  'open questions': ['no open questions', 'open questions'],
  'asks something': ['nothing is asked', 'a question to you'],
  'unfinished parts': ['no unfinished parts', 'unfinished parts'],
  'several alternatives': ['no alternatives', 'alternatives'],
  'asks for confirmation': ['no confirmation is asked for', 'a confirmation'],
  'code in the text': ['no code in the text', ''],
  'untidy formatting': ['tidy formatting', ''],
  empty: ['not empty', ''],
  'very short': ['not very short', ''],
  short: ['not of a short plan’s length', ''],
  long: ['not of a long plan’s length', ''],
  'very long': ['not very long', ''],
  'no files named': ['files are named', ''],
  'many files': ['few files are named', ''],
  [UNCOVERED]: ['no point of the intent is left out', ''],
  [UNADDRESSED]: ['no question of the intent is left open', ''],
}

/** What may be missing without a loss, where nothing in the artifact asks for it. */
const UNASKED: Record<string, string> = {
  'no rollback': 'nothing in it asks for a rollback',
  'no migration path': 'nothing in it asks for a migration',
  'no security note': 'nothing in it asks for a security note',
}

/** A percept as it is said: `name` reads inside a sentence, `evidence` is a line of the artifact or what is missing. */
export interface Spoken extends Sighting {
  name: string
}

/** How a rule that saw nothing is said, with the line that covers the point where there is one. */
export function unseenRule(view: ArtifactView, phrase: string): Spoken {
  const [name = phrase, topic = ''] = OTHERWISE[phrase] ?? []
  const pattern = RULES.find((rule) => rule.phrase === phrase)?.covered
  const covered = pattern ? firstLine(view, pattern) : null
  if (covered) return { name, ...covered }
  const evidence = topic === '' ? '' : `nothing in the plan about ${topic}`
  return { name: UNASKED[phrase] ?? name, evidence, line: null }
}

/** A learned phrase, there or not. */
export const spokenLearned = (phrase: string, isPresent: boolean): string =>
  isPresent ? `it speaks of ${phrase}` : `nothing about ${phrase}`

/** What a percept is about, for a sentence that cannot know whether it was there: “rollback”. */
export function topicOf(phrase: string): string {
  if (isLearned(phrase)) return phrase
  return `“${clip(phrase.replace(/^no /, ''), 80)}”`
}

/** A phrase without the quotation marks of its key, for a text that sets its own. */
export const bare = unquoted
