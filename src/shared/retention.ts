import { z } from 'zod'
import { Millis } from './domain'

/** Levels of detail that can be let go; the skeleton (L3) always stays. */
export const RetentionLevel = z.enum(['L0', 'L1', 'L2'])
export type RetentionLevel = z.infer<typeof RetentionLevel>

/** How many days a level is kept; null: for ever. `source` null: all sources without a rule of their own. */
export const RetentionRule = z.object({
  source: z.string().min(1).nullable(),
  level: RetentionLevel,
  days: z.number().int().min(0).max(36_500).nullable(),
})
export type RetentionRule = z.infer<typeof RetentionRule>

const Share = z.object({ items: z.number().int(), bytes: z.number().int() })
const Levels = z.object({ L0: Share, L1: Share, L2: Share })

/** What would go, or what went: items and bytes of their texts for each level. */
export const RetentionPreview = z.object({
  levels: Levels,
  /** Things whose rungs wait to be made; what is due of them goes when they are. */
  waiting: z.number().int(),
  /** The same for each source; null for items whose source is gone. */
  sources: z.array(z.object({ source: z.string().nullable(), levels: Levels })),
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

/** When rules were last followed by themselves, and how many items let each level go then. */
export const RetentionRan = z.object({
  at: Millis,
  L0: z.number().int(),
  L1: z.number().int(),
  L2: z.number().int(),
})
export type RetentionRan = z.infer<typeof RetentionRan>

export const RetentionState = z.object({
  rules: z.array(RetentionRule),
  /** Whether what is due goes by itself, once a day while Fovea is open. */
  automatic: z.boolean(),
  ran: RetentionRan.nullable(),
  /** How many items have let go of each level so far. */
  letGo: z.object({ L0: z.number().int(), L1: z.number().int(), L2: z.number().int() }),
})
export type RetentionState = z.infer<typeof RetentionState>

export const RetentionReport = RetentionPreview.extend({
  /** Bytes of the database file before and after, and how many of them nothing uses. */
  before: z.object({ bytes: z.number().int(), free: z.number().int() }),
  after: z.object({ bytes: z.number().int(), free: z.number().int() }),
  compacted: z.boolean(),
})
export type RetentionReport = z.infer<typeof RetentionReport>

/** What the verbatim text's absence is told by. */
export const LetGo = z.object({ levels: z.array(RetentionLevel), at: Millis })
