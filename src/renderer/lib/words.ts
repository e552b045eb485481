import type {
  Agent,
  GateAction,
  GateState,
  ItemKind,
  OmitReason,
  Outcome,
  RecallPath,
  Rung,
  SourceStatus,
  TaskType,
} from '@shared/domain'
import type { Attempt, ReceiptFact } from '@shared/recall'

// The words of the contract as a person reads them.

export type Tone = 'plain' | 'iris' | 'green' | 'amber' | 'red'

export const agentName: Record<Agent, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  opencode: 'opencode',
  'copilot-cli': 'Copilot CLI',
  cursor: 'Cursor',
  cline: 'Cline',
  aider: 'Aider',
  specstory: 'SpecStory',
  markdown: 'Markdown',
  'claude-export': 'claude.ai export',
  'chatgpt-export': 'ChatGPT export',
  generic: 'generic JSONL',
}

export const kindName: Record<ItemKind, string> = {
  goal: 'goal',
  conclusion: 'conclusion',
  file_op: 'file',
  command: 'command',
  error: 'error',
  plan: 'plan',
  decision: 'decision',
  note: 'note',
  image: 'picture',
}

export const kindTone: Record<ItemKind, Tone> = {
  goal: 'iris',
  conclusion: 'green',
  file_op: 'plain',
  command: 'plain',
  error: 'red',
  plan: 'plain',
  decision: 'amber',
  note: 'plain',
  image: 'plain',
}

/** At which rung a timeline shows a kind: what the person said in full, what came of it in a sentence, work as a skeleton. */
export const kindRung: Record<ItemKind, Rung> = {
  goal: 'L0',
  decision: 'L0',
  conclusion: 'L1',
  plan: 'L1',
  error: 'L1',
  note: 'L2',
  image: 'L2',
  command: 'L3',
  file_op: 'L3',
}

/** Kinds whose text is prose; a command, a file's content and an error are shown to the letter. */
export const isProse: Record<ItemKind, boolean> = {
  goal: true,
  decision: true,
  conclusion: true,
  plan: true,
  note: true,
  error: false,
  image: false,
  command: false,
  file_op: false,
}

export const rungs = ['L0', 'L1', 'L2', 'L3'] as const satisfies readonly Rung[]

export const rungName: Record<Rung, string> = {
  L0: 'verbatim',
  L1: 'one sentence',
  L2: 'distillation',
  L3: 'skeleton',
}

export const outcomeName: Record<Outcome, string> = {
  approve: 'approved',
  correct: 'corrected',
  reject: 'rejected',
}

export const outcomeTone: Record<Outcome, Tone> = { approve: 'green', correct: 'amber', reject: 'red' }

export const actionName: Record<GateAction, string> = {
  approve: 'Approve',
  correct: 'Send correction',
  reject: 'Reject',
  'revise-plan': 'Revise plan',
  'refine-intent': 'Refine intent',
}

export const stateName: Record<GateState, string> = {
  INTENT_ASSERT: 'intent',
  PLAN_ASSERT: 'plan',
  WORK_ASSERT: 'work',
  ESCALATE: 'question',
}

export const taskName: Record<TaskType, string> = {
  'bug-fix': 'bug fix',
  feature: 'feature',
  refactor: 'refactor',
  migration: 'migration',
  docs: 'docs',
  tests: 'tests',
  infrastructure: 'infrastructure',
  research: 'research',
  release: 'release',
}

export const statusName: Record<SourceStatus, string> = {
  unchanged: 'source unchanged',
  moved: 'source moved',
  changed: 'source changed',
  gone: 'source gone',
}

export const statusTone: Record<SourceStatus, Tone> = {
  unchanged: 'green',
  moved: 'amber',
  changed: 'amber',
  gone: 'red',
}

export const omitName: Record<OmitReason, string> = {
  budget: 'over budget',
  duplicate: 'duplicate',
  stale: 'stale',
  'below-floor': 'too far',
  restricted: 'restricted',
  erased: 'erased',
  never: 'never again',
}

export const omitTone = (reason: OmitReason): Tone =>
  reason === 'restricted' || reason === 'erased' ? 'red' : 'plain'

export const pathTone = (path: RecallPath): Tone => (path === 'hybrid' ? 'green' : 'amber')

export const attemptOutcome: Record<Attempt['outcome'], string> = {
  concluded: 'it was concluded',
  refused: 'you refused it',
  stopped: 'you stopped it',
  failed: 'it failed',
  open: 'it was left open',
}

export const attemptTone: Record<Attempt['outcome'], Tone> = {
  concluded: 'green',
  refused: 'red',
  stopped: 'amber',
  failed: 'red',
  open: 'plain',
}

const seedWords: Record<ReceiptFact['seededBy'][number], string> = {
  lexical: 'by its words',
  semantic: 'by its meaning',
  goal: 'by the goal it was made for',
  recency: 'because it is recent',
  neighbour: 'because it lies next to something that was found',
  entity: 'by a file or a name it shares with what was found',
  word: 'by rare words it shares with what was found',
  near: 'because it is near in meaning to what was found',
  arc: 'because it opened or closed the work something found belongs to',
  cell: 'because it stands in the same cell as something found, or in one beside it',
  tension: 'because it later changed what was found',
  pin: 'because you pinned it',
}

/** How a fact was found, as one sentence. */
export function seededInWords(fact: Pick<ReceiptFact, 'seededBy' | 'hop'>): string {
  const ways = fact.seededBy.map((way) => seedWords[way])
  const steps =
    fact.hop === 1 ? 'one step away from a direct hit' : `${fact.hop} steps away from a direct hit`
  if (ways.length === 0) return fact.hop > 0 ? `Reached ${steps}.` : 'Kept because the plane asks for it.'
  const last = ways[ways.length - 1] ?? ''
  const list = ways.length > 1 ? `${ways.slice(0, -1).join(', ')} and ${last}` : last
  return fact.hop > 0 ? `Found ${list}, ${steps}.` : `Found ${list}.`
}
