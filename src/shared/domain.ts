import { z } from 'zod'

// The words of Fovea as schemas. One word per thing; every surface speaks these.

/** An item's stable, content-derived id: `itm_` + base32 of a sha256. */
export const Handle = z
  .string()
  .regex(/^itm_[a-z2-7]{26}$/, 'a handle looks like itm_ and 26 letters or digits')
  .brand<'Handle'>()
export type Handle = z.infer<typeof Handle>

export const SessionId = z.string().min(1).brand<'SessionId'>()
export type SessionId = z.infer<typeof SessionId>

export const ReceiptId = z
  .string()
  .regex(/^rcp_[a-z2-7]{16,26}$/, 'a receipt id looks like rcp_ and 16 to 26 letters or digits')
  .brand<'ReceiptId'>()
export type ReceiptId = z.infer<typeof ReceiptId>

export const GateId = z
  .string()
  .regex(/^gat_[a-z2-7]{16,26}$/, 'a gate id looks like gat_ and 16 to 26 letters or digits')
  .brand<'GateId'>()
export type GateId = z.infer<typeof GateId>

export const ItemKind = z.enum([
  'goal',
  'conclusion',
  'file_op',
  'command',
  'error',
  'plan',
  'decision',
  'note',
  'image',
])
export type ItemKind = z.infer<typeof ItemKind>

/** A level of detail: L0 verbatim, L1 sentence, L2 distillation, L3 skeleton. */
export const Rung = z.enum(['L0', 'L1', 'L2', 'L3'])
export type Rung = z.infer<typeof Rung>

export const Agent = z.enum([
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'copilot-cli',
  'cursor',
  'cline',
  'aider',
  'specstory',
  'markdown',
  'claude-export',
  'chatgpt-export',
  'generic',
])
export type Agent = z.infer<typeof Agent>

/** Milliseconds since 1970, UTC. */
export const Millis = z.number().int()

/** Where an item's verbatim record lies. Bytes, not characters; lines count from 1. */
export const Pointer = z.object({
  file: z.string(),
  recordId: z.string().nullable(),
  line: z.number().int(),
  byteOffset: z.number().int(),
  byteLength: z.number().int(),
})
export type Pointer = z.infer<typeof Pointer>

export const SourceStatus = z.enum(['unchanged', 'moved', 'changed', 'gone'])
export type SourceStatus = z.infer<typeof SourceStatus>

/** Which way a recall was made. Anything but `hybrid` carries a reason. */
export const RecallPath = z.enum(['hybrid', 'semantic', 'lexical', 'recency'])
export type RecallPath = z.infer<typeof RecallPath>

export const OmitReason = z.enum([
  'budget',
  'duplicate',
  'stale',
  'below-floor',
  'restricted',
  'erased',
  'never',
])
export type OmitReason = z.infer<typeof OmitReason>

export const GateState = z.enum(['INTENT_ASSERT', 'PLAN_ASSERT', 'WORK_ASSERT', 'ESCALATE'])
export type GateState = z.infer<typeof GateState>

export const TaskType = z.enum([
  'bug-fix',
  'feature',
  'refactor',
  'migration',
  'docs',
  'tests',
  'infrastructure',
  'research',
  'release',
])
export type TaskType = z.infer<typeof TaskType>

/** Did the artifact pass as it stood? */
export const Outcome = z.enum(['approve', 'correct', 'reject'])
export type Outcome = z.infer<typeof Outcome>

export const GateAction = z.enum(['approve', 'correct', 'reject', 'revise-plan', 'refine-intent'])
export type GateAction = z.infer<typeof GateAction>

export const SpeechAct = z.enum(['statement', 'request', 'question', 'none'])
export type SpeechAct = z.infer<typeof SpeechAct>
