import { z } from 'zod'
import { GateId, Handle, Millis, ReceiptId, Rung } from './domain'

// What the faculty decides and why, as every surface speaks it.

/** How alert a faculty is. Only events raise it; quiet lowers it. */
export const Zone = z.enum(['green', 'amber', 'red'])
export type Zone = z.infer<typeof Zone>

export const BidSource = z.enum([
  'safety',
  'identity',
  'situation',
  'session-history',
  'working-memory',
  'recall',
  'attention-map',
  'artifact',
  'upstream',
  'percepts',
  'signal',
  'telemetry',
  'dispatch',
  'group-activity',
  'visual-scene',
  'oracle',
])
export type BidSource = z.infer<typeof BidSource>

export const Modality = z.enum(['endogenous', 'exogenous'])
export type Modality = z.infer<typeof Modality>

/** Each is 0 to 1. `spread` is what activation along the entity graph brought; relevance holds it already. */
export const SalienceTerms = z.object({
  relevance: z.number(),
  spread: z.number(),
  recency: z.number(),
  importance: z.number(),
  surprise: z.number(),
  interrupt: z.number(),
})
export type SalienceTerms = z.infer<typeof SalienceTerms>

/**
 * Why a bid is not there, or not as it wanted to be. budget: no room; zone: not while so alert; floor: too little
 * salience; duplicate: it is shown elsewhere; scene: a picture that changed nothing; faded: working memory let it go;
 * invalid: a term or a cost
 * that is no number; render-failed: its text could not be made; cost: its text was dearer than it said.
 */
export const TraceReason = z.enum([
  'budget',
  'zone',
  'floor',
  'duplicate',
  'scene',
  'faded',
  'invalid',
  'render-failed',
  'cost',
])
export type TraceReason = z.infer<typeof TraceReason>

export const TraceRow = z.object({
  bid: z.string(),
  source: BidSource,
  modality: Modality,
  title: z.string(),
  terms: SalienceTerms,
  salience: z.number(),
  pin: z.boolean(),
  verdict: z.enum(['kept', 'compressed', 'dropped']),
  /** The rung it stands at; null when dropped. */
  level: Rung.nullable(),
  /** Its finest rung, what it wanted. */
  wanted: Rung.nullable(),
  reason: TraceReason.nullable(),
  /** What the reason alone does not say: which other bid, what was wrong. */
  detail: z.string(),
  /** Tokens of the rung it stands at, or of its cheapest when dropped. */
  tokens: z.number(),
  /** Whether any of its texts was made. */
  rendered: z.boolean(),
  /** Its place in the context, from 0; null when dropped. */
  place: z.number().int().nullable(),
  /** The items it was made from. */
  handles: z.array(Handle),
})
export type TraceRow = z.infer<typeof TraceRow>

export const ZoneChange = z.object({ from: Zone, to: Zone, at: Millis, cause: z.string() })
export type ZoneChange = z.infer<typeof ZoneChange>

export const Trace = z.object({
  mode: z.enum(['fixed', 'adaptive']),
  /** Whether salience was scored, or the catalogue's order stood in for it. */
  scored: z.boolean(),
  zone: Zone,
  transitions: z.array(ZoneChange),
  /** What was asked for, and what the zone left of it. */
  asked: z.number(),
  budget: z.number(),
  spent: z.number(),
  weights: z.record(z.string(), z.number()),
  rows: z.array(TraceRow),
})
export type Trace = z.infer<typeof Trace>

export const TraceId = z
  .string()
  .regex(/^trc_[a-z2-7]{16,26}$/, 'a trace id looks like trc_ and 16 to 26 letters or digits')
  .brand<'TraceId'>()
export type TraceId = z.infer<typeof TraceId>

/** A trace as it is kept: whose attention it was, and what it was for. */
export const StoredTrace = z.object({
  id: TraceId,
  faculty: z.string(),
  receipt: ReceiptId.nullable(),
  gate: GateId.nullable(),
  /** Which assembly of the gate it was: `prior` or `posterior`, or another word. */
  purpose: z.string(),
  goal: z.string(),
  createdAt: Millis,
  trace: Trace,
})
export type StoredTrace = z.infer<typeof StoredTrace>

export const TraceLine = z.object({
  id: TraceId,
  faculty: z.string(),
  receipt: ReceiptId.nullable(),
  gate: GateId.nullable(),
  purpose: z.string(),
  goal: z.string(),
  mode: z.enum(['fixed', 'adaptive']),
  zone: Zone,
  budget: z.number(),
  spent: z.number(),
  bids: z.number().int(),
  kept: z.number().int(),
  createdAt: Millis,
})
export type TraceLine = z.infer<typeof TraceLine>

/** How one bid fared in one trace. */
const Fate = z.object({
  verdict: TraceRow.shape.verdict,
  level: Rung.nullable(),
  reason: TraceReason.nullable(),
  detail: z.string(),
  salience: z.number(),
  tokens: z.number(),
})

/** One bid in two traces. `null`: it did not bid there. */
export const TraceDifference = z.object({
  bid: z.string(),
  source: BidSource,
  title: z.string(),
  before: Fate.nullable(),
  after: Fate.nullable(),
  /** Terms that differ, where it bid in both; what differs most comes first. */
  moved: z.array(z.object({ name: z.string(), from: z.number(), to: z.number() })),
})
export type TraceDifference = z.infer<typeof TraceDifference>

/** Each part of adaptive attention by itself; all off unless the person turned them on. */
export const FacultySettings = z.object({
  /** Select, compress and order instead of concatenating in the catalogue's order. */
  adaptive: z.boolean().catch(false),
  /** Score by relevance, recency and importance; off, the catalogue's priority stands in. */
  salience: z.boolean().catch(false),
  sceneGate: z.boolean().catch(false),
  /** Signals raise the zone and bid. */
  interrupts: z.boolean().catch(false),
  /** The question's shape moves the budget between sources. */
  adaptiveDepth: z.boolean().catch(false),
})
export type FacultySettings = z.infer<typeof FacultySettings>
