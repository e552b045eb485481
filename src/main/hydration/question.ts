import type { ItemKind } from '../../shared/domain'
import type { AskedFor } from '../../shared/recall'
import { wordsOf } from './goal-words'
import { timesIn } from './times'

// What the words of a goal ask for, by rules, in English. Pure: the moment is an argument. What is found shows in the
// receipt (request.filters). A goal is read up to this length; what stands further back is text, not a question.
const READ = 1000

/** @param asOf milliseconds UTC; "last week" is the week before it. */
export function askedFor(goal: string, asOf: number): AskedFor {
  const text = goal.slice(0, READ).replace(/\s+/g, ' ')
  const { within, times } = timesIn(text, asOf)
  const paths = pathsIn(text)
  const kinds = kindsIn(text)
  return {
    ...(within ? { within } : {}),
    ...(times.length > 0 ? { times } : {}),
    ...(paths.length > 0 ? { paths } : {}),
    ...(kinds.length > 0 ? { kinds } : {}),
    ...(isBroad(text) ? { broad: true } : {}),
  }
}

const PATH = /^(?:[\w@.-]+\/)+[\w@.-]+$|^[\w@-][\w@.-]*\.[A-Za-z][A-Za-z0-9]{0,4}$/
const NO_FILE =
  /^(?:e\.g|i\.e|etc|vs)\.?$|^\d|^[A-Z]\.|^(?:and|or|his|her|he|she|his|him|either|on|off|in|out)\/\w+$/i

/** Names of files and paths, as given, at most five: `src/a.ts`, `reset.go`. */
function pathsIn(text: string): string[] {
  const found = text
    .split(' ')
    .map((word) => word.replace(/^[^\w@./~-]+/, '').replace(/[^\w)]+$/, ''))
    .map((word) => word.replace(/^(?:\.{1,2}|~)?\//, ''))
    .filter((word) => word.length < 200 && PATH.test(word) && !NO_FILE.test(word))
  return [...new Set(found)].slice(0, 5)
}

const KINDS: readonly [RegExp, readonly ItemKind[]][] = [
  [/\b(?:which|what|where|in which)\b.{0,30}\b(?:file|page|module|script)s?\b/i, ['file_op']],
  [/\b(?:errors?|fail(?:s|ed|ure)?|exceptions?|traceback|crash(?:es|ed)?)\b/i, ['error']],
  [/\b(?:decided?|decisions?|agreed?|chose|choose|approved?|rejected?)\b/i, ['decision']],
  [/\b(?:plans?|planned)\b/i, ['plan']],
  [/\bcommands?\b/i, ['command']],
]

/** Kinds of things the goal speaks of. */
function kindsIn(text: string): ItemKind[] {
  return [...new Set(KINDS.flatMap(([pattern, kinds]) => (pattern.test(text) ? kinds : [])))]
}

const MANY = /\b(?:both|each|all (?:the|of)|how many|how often|in common|every|list)\b/i
const SORTS = /\b(?:what|which)\s+(?:\w+\s+){0,2}(?:kinds?|types?|sorts?|forms?)\s+of\b/i
/** "Which cities has …", "What musical artists have …", "what are some changes …" */
const PLURAL =
  /\b(?:what|which)\s+(?:(?:are|were)\s+(?:some\s+|the\s+)?)?(?:[\w/+-]+\s+){0,2}[\w-]{2,}s(?<!ss|us|is|does|has|was)\s+(?:has|have|had|do|does|did|are|were|can|will|should|we|I|in|of|for|about)\b/i
const PERFECT = /\b(?:what|which|where|who|whom)\b[^.?!]{0,40}\b(?:has|have)\b/i
/** A habit: "What does Ada do to …", "What do they like?" */
const HABIT = /\bwhat (?:do|does)\b[^.?!]{0,30}\b(?:do|like|enjoy|love)\b/i

/** Whether it asks for many things or after more than one occasion. */
function isBroad(text: string): boolean {
  return [MANY, SORTS, PLURAL, PERFECT, HABIT].some((pattern) => pattern.test(text))
}

/** Of those who speak here, whom the goal names. */
export function namedAmong(speakers: Iterable<string>, goal: ReadonlySet<string>): string[] {
  return [...new Set(speakers)]
    .filter((name) => {
      const words = wordsOf(name)
      return words.length > 0 && words.every((word) => goal.has(word))
    })
    .sort()
}
