import { Handle } from '../../shared/domain'
import type { AskedFor } from '../../shared/recall'
import { hydrationSql, type ReadDb } from '../store'
import { wordsOf } from './goal-words'
import { stopWords } from './stop-words'

// "Before the release", "since the payments migration": a time that only memory can tell. The event is what was last
// done of that name: a command that does it, or a statement in the past tense.

type Within = NonNullable<AskedFor['within']>
type Side = 'since' | 'after' | 'before' | 'until'

/** An event as the goal names it. */
export interface NamedEvent {
  phrase: string
  side: Side
  /** Its words without articles; the last one says what happened. */
  words: string[]
}

interface Happening {
  /** The noun, as a goal names it. */
  noun: RegExp
  /** How a statement says that it happened. */
  past: RegExp
  /** A command that does it. */
  command: RegExp | null
  /** Words of which the full-text index must hold one; it stems. */
  look: readonly string[]
}

const happening = (noun: string, past: string, look: string, command: string | null = null): Happening => ({
  noun: new RegExp(`^(?:${noun})$`, 'i'),
  past: new RegExp(`\\b(?:${past})\\b`, 'i'),
  command: command === null ? null : new RegExp(command, 'i'),
  look: look.split(' '),
})

const HAPPENINGS: readonly Happening[] = [
  happening(
    'release|launch|publication',
    'released|shipped|published|launched|tagged',
    'release ship publish launch tag',
    '\\b(?:git tag|gh release create|(?:npm|pnpm|yarn|cargo|poetry|uv) publish|twine upload|gem push)\\b',
  ),
  happening(
    'deploy|deployment|rollout',
    'deployed|rolled out|went live|is live',
    'deploy deployment rolled live kubectl helm terraform',
    '\\b(?:deploy|kubectl apply|helm (?:install|upgrade)|terraform apply)\\b',
  ),
  happening(
    'migration',
    'migrated|migrations? (?:\\w+ )?(?:done|ran|applied|complete|completed|finished)',
    'migrate migration',
    '\\bmigrat(?:e|ion)',
  ),
  happening('merge', 'merged', 'merge', '\\b(?:git merge|gh pr merge)\\b'),
  happening('upgrade|update|bump', 'upgraded|updated|bumped', 'upgrade update bump'),
  happening('refactor|refactoring', 'refactored', 'refactor'),
  happening('rewrite', 'rewrote|rewritten', 'rewrote rewritten rewrite'),
  happening('rename|renaming', 'renamed', 'rename', '\\bgit mv\\b'),
  happening('rollback|revert|reversal', 'reverted|rolled back', 'revert rollback rolled', '\\bgit revert\\b'),
  happening(
    'outage|incident|crash|failure',
    'outage|incident|crashed|went down|failed',
    'outage incident crash down fail',
  ),
]

const NAMED =
  /\b(since|after|before|until) (?:the|our|my|we did the)(?: last| latest| previous| most recent)?((?: [\w./@-]+){1,4})/i
/** Where the name of the event ends. */
const ENDS =
  /^(?:about|in|on|of|for|with|by|to|from|at|and|or|but|was|were|is|are|did|do|does|had|has|have|we|i|you|they|it|he|she|what|which|who|how|why|when|that|this)$/i

/** A task, not a question: "finish the notes before the release" wants all that is known, of whatever time. */
const TASK =
  /^(?:please |let'?s |(?:we|you|i) (?:need|want|have|must|should|can)\b|can you |could you )?(?:to )?(?:fix|add|write|prepare|implement|update|make|create|run|put|build|change|refactor|move|remove|rename|deploy|release|merge|test|check|ensure|clean|finish|do|bump|upgrade|migrate|document|review|plan|draft|set|keep|use|need|want|stop|wait|get)\b/i

/** The first event after since, after, before or until that is of a known sort; null for none. */
export function eventIn(text: string): NamedEvent | null {
  const match = TASK.test(text) ? null : NAMED.exec(text)
  if (!match) return null
  const words: string[] = []
  for (const word of (match[2] ?? '').trim().split(' ')) {
    if (ENDS.test(word)) break
    words.push(word.replace(/[^\w]+$/, ''))
    // "before the release, what …"
    if (/[^\w]$/.test(word)) break
  }
  // The last word says what happened: "the merge button" is no merge.
  if (sortOf(words.at(-1) ?? '') === null) return null
  const head = match[0].slice(0, match[0].length - (match[2] ?? '').length)
  return {
    phrase: `${head} ${words.join(' ')}`,
    side: (match[1] ?? '').toLowerCase() as Side,
    words,
  }
}

const sortOf = (noun: string): Happening | null => HAPPENINGS.find((one) => one.noun.test(noun)) ?? null

/** So many of the newest that hold the words are looked at. */
const LOOKED_AT = 200

/**
 * When it last happened, as a condition on time with the item that tells of it.
 * @param filter what recall may draw from; nothing newer than its `asOf` is known
 * @returns null when memory does not tell
 */
export function eventWithin(db: ReadDb, event: NamedEvent, filter: hydrationSql.RecallFilter): Within | null {
  const sort = sortOf(event.words.at(-1) ?? '')
  if (!sort) return null
  const about = event.words
    .slice(0, -1)
    .flatMap(wordsOf)
    .filter((word) => !stopWords.has(word))
  const holding = hydrationSql.newestHolding(db, { all: about, any: sort.look }, LOOKED_AT, {
    ...filter,
    kinds: TELLING,
  })
  const texts = hydrationSql.textsById(
    db,
    holding.map(({ id }) => id),
  )
  const told = holding.find((item) => tells(item, texts.get(item.id) ?? '', sort))
  if (!told) return null
  const { ts, handle } = told
  const before = event.side === 'before' || event.side === 'until'
  return {
    phrase: event.phrase,
    since: before ? null : ts,
    until: before ? ts : null,
    event: { handle: Handle.parse(handle), ts },
  }
}

/** Characters of a statement that are read. */
const READ = 20_000
const TELLING = ['conclusion', 'command', 'decision'] as const
/** A sentence that speaks of what is to come, or of what did not happen. */
const NOT_YET =
  /\b(?:will|would|should|could|must|once|when|if|before|after|until|next|not|n't|never|plan|to be|todo)\b/i

function tells(item: hydrationSql.RecallItem, text: string, { past, command }: Happening): boolean {
  if (item.kind === 'command') return command?.test(item.subject ?? text.split('\n', 1)[0] ?? '') ?? false
  return text
    .slice(0, READ)
    .split(/[.!?\n]+/)
    .some((sentence) => past.test(sentence) && !NOT_YET.test(sentence))
}
