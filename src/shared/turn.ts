import { z } from 'zod'
import { TraceId, Zone } from './attention'
import { Receipt, Tokenizer } from './recall'

// The context for an agent's next turn, as every surface asks for it.

/** How a turn reaches an agent's window: beside a prompt, or anew after the window was emptied. */
export const Given = z.enum(['prompt', 'anew'])
export type Given = z.infer<typeof Given>

export const TurnRequest = z.object({
  /** A session by Fovea's id, the agent's own, or the beginning of one; the one at work last when not given. */
  session: z.string().trim().min(1).max(300).optional(),
  /** What is asked now; the session's newest request when not given. */
  goal: z.string().trim().min(1, 'the goal is empty').max(100_000).optional(),
  project: z.string().optional(),
  /** Where the agent works: its project, as long as memory has not met the session. */
  folder: z.string().min(1).max(4096).optional(),
  plane: z.string().default('garnish'),
  budget: z
    .number()
    .int()
    .min(200, 'a turn needs at least 200 tokens')
    .max(200_000, 'a budget is at most 200,000 tokens')
    .default(1000),
  tokenizer: Tokenizer.default('o200k'),
  viewer: z.string().max(80).default('agent'),
  /** The agent still has its session before it, so that nothing of it is told again. */
  inWindow: z.boolean().default(false),
  /** Nothing is recalled for a goal that nothing in memory comes near. */
  onlyNear: z.boolean().default(false),
  /** Milliseconds to wait for the goal's vector; past them recall goes on by words. Not given: as long as it takes. */
  patience: z.number().int().min(1).max(60_000).optional(),
  /** Given, what it tells whole is not told again by the turns that follow with the agent's window. */
  given: Given.optional(),
})
export type TurnRequest = z.infer<typeof TurnRequest>

export const TurnResult = z.object({
  /** In its envelope. */
  frame: z.string(),
  receipt: Receipt,
  trace: TraceId,
  /** The session it is for; null when memory has not met it. */
  session: z.string().nullable(),
  zone: Zone,
  /** Ambient or engaged: an output of the zone. */
  mode: z.enum(['ambient', 'engaged']),
})
export type TurnResult = z.infer<typeof TurnResult>
