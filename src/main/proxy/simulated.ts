import type { Outcome, TaskType } from '../../shared/domain'
import type { PastGate } from './replay'

// Reviewers with planted rules, to see whether the engine finds what is known to be there. Seeded throughout.

export type Reviewer = 'rollback-on-migrations' | 'tests-always' | 'rubber-stamp'
export const REVIEWERS: readonly Reviewer[] = ['rollback-on-migrations', 'tests-always', 'rubber-stamp']

/** A small seeded generator (mulberry32), uniform in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const TASKS = ['migration', 'feature', 'bug-fix', 'docs'] as const satisfies readonly TaskType[]
const SUBJECTS = ['invoices', 'sessions', 'search index', 'webhooks', 'user profiles', 'exports', 'reports']

interface Plan {
  task: (typeof TASKS)[number]
  subject: string
  rollback: boolean
  tests: boolean
  untidy: boolean
}

/** `count` gates of one reviewer. Five in a hundred answers are against the rule; formatting never matters. */
export function simulate(reviewer: Reviewer, count: number, seed: number): PastGate[] {
  const random = seeded(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const plan: Plan = {
      task: pick(TASKS),
      subject: pick(SUBJECTS),
      rollback: random() < 0.5,
      tests: random() < 0.6,
      untidy: random() < 0.5,
    }
    const { outcome, words } = answer(reviewer, plan, random)
    return {
      id: `sim-${String(index).padStart(5, '0')}`,
      title: `${plan.task}: ${plan.subject}`,
      situation: {
        state: 'PLAN_ASSERT',
        taskType: plan.task,
        project: pick(['shop', 'portal']),
        agent: 'claude-code',
        round: 1,
        last: null,
      },
      stimulus: `Please plan the ${plan.task} of ${plan.subject}`,
      artifact: write(plan),
      upstream: [],
      outcome,
      words,
    }
  })
}

function answer(reviewer: Reviewer, plan: Plan, random: () => number): { outcome: Outcome; words: string } {
  const slip = random() < 0.05
  const draw = random()
  const objects =
    reviewer === 'rollback-on-migrations'
      ? plan.task === 'migration' && !plan.rollback
      : reviewer === 'tests-always'
        ? !plan.tests && plan.task !== 'docs'
        : draw < 0.15
  if (objects === slip) return { outcome: 'approve', words: '' }
  if (reviewer === 'rollback-on-migrations')
    return { outcome: 'correct', words: 'Add a rollback strategy, how do we go back?' }
  if (reviewer === 'tests-always') return { outcome: 'correct', words: 'Which tests cover this? Add them.' }
  return { outcome: 'correct', words: 'Not quite, have another look.' }
}

function write({ task, subject, rollback, tests, untidy }: Plan): string {
  const change =
    task === 'migration'
      ? `Migrate the ${subject} table to the new schema.`
      : `Work on ${subject} in src/${task}.ts.`
  return [
    `# Plan: ${task} of ${subject}`,
    '## Steps',
    `1. Read how ${subject} are handled today.`,
    `2. ${change}`,
    ...(untidy ? ['#### Notes', 'Keep the names.'] : ['### Notes', 'Keep the names.']),
    ...(rollback ? ['## Rollback', 'Keep the old path behind a switch and revert by flipping it.'] : []),
    ...(tests ? ['## Tests', `Add unit tests for ${subject}.`] : []),
  ].join('\n')
}
