import type { TaskType } from '../../shared/domain'

/** The more specific kinds first: they win when two have equally many signs. */
const SIGNS: readonly [TaskType, RegExp][] = [
  [
    'migration',
    /\b(?:migrat\w*|backfill\w*|schema change\w*|cut-?over|port (?:to|from)|upgrade (?:to|from))\b/gi,
  ],
  [
    'release',
    /\b(?:releas\w*|changelog|version bump|bump version|publish\w*|goreleaser|homebrew|tag v\d)\b/gi,
  ],
  [
    'bug-fix',
    /\b(?:bugs?|fix(?:es|ed|ing)?|broken|crash\w*|regression|wrong(?:ly)?|fails?|failing|incorrect\w*)\b/gi,
  ],
  [
    'refactor',
    /\b(?:refactor\w*|clean ?up|simplif\w*|extract\w*|dedup\w*|restructur\w*|rename|complexity)\b/gi,
  ],
  ['tests', /\b(?:tests?|testing|coverage|e2e|test suite|integration tests?|unit tests?)\b/gi],
  [
    'docs',
    /\b(?:docs?|documentation|readme|docstring\w*|guide|changelog entry|write (?:this|the) plan down)\b/gi,
  ],
  [
    'infrastructure',
    /\b(?:ci|cd|pipeline|docker\w*|terraform|kubernetes|k8s|deploy\w*|github actions?|workflow file|lint(?:er|ing)? (?:config|rule)\w*)\b/gi,
  ],
  ['research', /\b(?:research|investigat\w*|explor\w*|spike|compare|evaluat\w*|find out|analy[sz]e)\b/gi],
  [
    'feature',
    /\b(?:add(?:s|ing)?|implement\w*|new|support(?:s|ing)?|introduc\w*|build|creat(?:e|es|ing)|feature)\b/gi,
  ],
]

/** What is read of a text: a long plan says early what it is about. */
const HEAD = 3000

/**
 * The kind of task, by the words of what was asked: the kind with the most signs, where a sign in the first line
 * counts three times. Null when there is none.
 */
export function readTaskType(text: string): TaskType | null {
  const head = text.slice(0, HEAD)
  const first = head.trimStart().split('\n', 1)[0] ?? ''
  let best: { type: TaskType; signs: number } | null = null
  for (const [type, pattern] of SIGNS) {
    const signs = count(head, pattern) + 2 * count(first, pattern)
    if (signs > 0 && (best === null || signs > best.signs)) best = { type, signs }
  }
  return best?.type ?? null
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Where a gate's task type came from. What only the artifact told is kept from the prior. */
export type TaskFrom = 'person' | 'context' | 'artifact'

/** The person's word first, then what brought the gate up, then the artifact, else a feature. */
export function taskTypeOf(
  given: TaskType | undefined,
  context: string,
  artifact: string,
): { taskType: TaskType; from: TaskFrom } {
  if (given) return { taskType: given, from: 'person' }
  const fromContext = readTaskType(context)
  if (fromContext) return { taskType: fromContext, from: 'context' }
  return { taskType: readTaskType(artifact) ?? 'feature', from: 'artifact' }
}
