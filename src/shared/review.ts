import { z } from 'zod'
import { Agent, GateAction, GateId, GateState, Millis, Outcome, Pointer, SpeechAct, TaskType } from './domain'

/** A distribution over the three outcomes; the three numbers sum to 1. */
export const Distribution = z.object({
  approve: z.number(),
  correct: z.number(),
  reject: z.number(),
  /** The probability of the winner. */
  confidence: z.number(),
  /** Why, in a person's voice. */
  reason: z.string(),
})
export type Distribution = z.infer<typeof Distribution>

/** One thing in an artifact that a reviewer may attend to. `evidence` is a line of the artifact, or what is missing. */
export const Percept = z.object({
  phrase: z.string(),
  /** How it is said of this artifact, where the phrase itself is not true of it. */
  name: z.string().optional(),
  evidence: z.string(),
  line: z.number().int().nullable(),
  present: z.boolean(),
  logRatio: z.number(),
})
export type Percept = z.infer<typeof Percept>

export const Prediction = z.object({
  prior: Distribution,
  posterior: Distribution,
  surprise: z.object({
    fired: z.boolean(),
    tv: z.number(),
    klBits: z.number(),
    confidenceShift: z.number(),
  }),
  percepts: z.array(Percept),
  /** One sentence on what in the artifact moved the prediction; empty when nothing did. */
  salience: z.string(),
  engine: z.enum(['case', 'model']),
  /** Why this engine and not the other, when it matters. */
  engineReason: z.string().nullable(),
  receipts: z.object({ prior: z.string().nullable(), posterior: z.string().nullable() }),
  /** How many remembered gates stood behind it. */
  cases: z.number().int(),
})
export type Prediction = z.infer<typeof Prediction>

/** What a person may see of a prediction now: its seal always, its numbers only when revealed. */
export const PredictionView = z.object({
  seal: z.string(),
  sealedAt: Millis,
  peeked: z.boolean(),
  revealed: Prediction.nullable(),
  /** Set once decided: the salt, so that anyone can compute the seal again, and whether it still holds. */
  salt: z.string().optional(),
  intact: z.boolean().optional(),
})
export type PredictionView = z.infer<typeof PredictionView>

export const Decision = z.object({
  action: GateAction,
  outcome: Outcome,
  speechAct: SpeechAct,
  notes: z.string(),
  decidedAt: Millis,
  /** Where the decision came from: this app, or a transcript. */
  via: z.enum(['app', 'cli', 'transcript']),
  /** Surprise of the decision itself, −log2 p¹(outcome); null without a prediction. */
  surpriseBits: z.number().nullable(),
  pointer: Pointer.nullable(),
})
export type Decision = z.infer<typeof Decision>

export const GateLine = z.object({
  id: GateId,
  title: z.string(),
  state: GateState,
  taskType: TaskType,
  project: z.string().nullable(),
  agent: Agent.nullable(),
  round: z.number().int(),
  origin: z.enum(['transcript', 'cli', 'app', 'hook', 'mcp']),
  createdAt: Millis,
  status: z.enum(['open', 'decided', 'ended']),
  outcome: Outcome.nullable(),
  /** Whether the sealed posterior foresaw the outcome; null when there was none. */
  foreseen: z.boolean().nullable(),
})
export type GateLine = z.infer<typeof GateLine>

export const ArtifactVersion = z.object({
  version: z.number().int(),
  text: z.string(),
  createdAt: Millis,
  sha256: z.string(),
  empty: z.boolean(),
})
export type ArtifactVersion = z.infer<typeof ArtifactVersion>

export const AttentionLine = z.object({
  phrase: z.string(),
  salient: z.number().int(),
  present: z.number().int(),
  /** Gates at which the person's own words pointed at it. */
  named: z.number().int(),
  /** Share of gates with this percept that were not approved. */
  rate: z.number(),
  listed: z.boolean(),
  ignored: z.boolean(),
})
export type AttentionLine = z.infer<typeof AttentionLine>

export const GateDetail = GateLine.extend({
  lineage: z.string(),
  question: z.string(),
  upstream: z.array(z.object({ name: z.string(), text: z.string() })),
  versions: z.array(ArtifactVersion),
  notes: z.array(z.object({ version: z.number().int(), text: z.string(), ts: Millis })),
  draft: z.string(),
  prediction: PredictionView.nullable(),
  decision: Decision.nullable(),
  pointer: Pointer.nullable(),
  attention: z.array(AttentionLine),
  similar: z.array(
    z.object({
      id: GateId,
      title: z.string(),
      round: z.number().int(),
      /** Null while this gate is open and its prediction sealed: how its neighbours ended would tell too much. */
      outcome: Outcome.nullable(),
      ts: Millis,
      similarity: z.number(),
    }),
  ),
})
export type GateDetail = z.infer<typeof GateDetail>

export const GateImportReport = z.object({
  found: z.number().int(),
  imported: z.number().int(),
  approve: z.number().int(),
  correct: z.number().int(),
  reject: z.number().int(),
  pending: z.number().int(),
  gates: z.array(
    z.object({
      id: GateId,
      pointer: z.object({ file: z.string(), line: z.number().int(), recordId: z.string().nullable() }),
      outcome: z.union([Outcome, z.literal('pending'), z.literal('ended')]),
      speechAct: SpeechAct,
      words: z.string(),
    }),
  ),
})
export type GateImportReport = z.infer<typeof GateImportReport>

const PassScores = z.object({ prior: z.number().nullable(), posterior: z.number().nullable() })
export const Metrics = z.object({
  n: z.number().int(),
  accuracy: PassScores,
  brier: PassScores,
  logLoss: PassScores,
  skill: z.object({ baseRate: z.number().nullable(), alwaysApprove: z.number().nullable() }),
  surpriseRate: z.number().nullable(),
  priorOverturned: z.number().nullable(),
  remembered: z.number().int(),
  attention: z.array(AttentionLine),
})
export type Metrics = z.infer<typeof Metrics>
