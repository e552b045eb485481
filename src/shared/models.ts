import { z } from 'zod'
import { Millis } from './domain'

// Language models: what the person chose, and what they do and cost.

const Name = z.string().trim().min(1).max(200)
/** A plain HTTP server on this machine; no other is ever called. */
const Host = z
  .string()
  .regex(
    /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?\/?$/,
    'must be an http address on this machine, such as http://127.0.0.1:11434',
  )

const fields = {
  /** The model that writes summaries; null: none, and rules write them. */
  curator: Name.nullable(),
  /** The model the proxy predicts with; null: none. */
  proxy: Name.nullable(),
  host: Host,
  /** Models that send text out to a network and are allowed all the same, each by its full name. */
  allowCloud: z.array(Name).max(50),
  /** The window asked for, in tokens: one for each model. */
  window: z.number().int().min(2_048).max(262_144),
  /** Tokens that summaries may take on one day, prompt and answer; the next day goes on. */
  dailyTokens: z.number().int().min(1_000).max(1_000_000_000),
  /** Paused by hand. */
  paused: z.boolean(),
  pauseOnBattery: z.boolean(),
  /** While a gate is open, when summaries and the proxy use the same model. */
  pauseForGates: z.boolean(),
}

/** As they are stored: what is missing or damaged takes its default, the others stay. */
export const ModelSettings = z.object({
  curator: fields.curator.catch(null),
  proxy: fields.proxy.catch(null),
  host: fields.host.catch('http://127.0.0.1:11434'),
  allowCloud: fields.allowCloud.catch([]),
  window: fields.window.catch(8_192),
  dailyTokens: fields.dailyTokens.catch(500_000),
  paused: fields.paused.catch(false),
  pauseOnBattery: fields.pauseOnBattery.catch(true),
  pauseForGates: fields.pauseForGates.catch(true),
})
export type ModelSettings = z.infer<typeof ModelSettings>

/** What the person changes: only what is named. */
export const ModelSettingsChange = z.object(fields).partial()
export type ModelSettingsChange = z.infer<typeof ModelSettingsChange>

const Count = z.number().int()

/**
 * What summaries by a model are doing. off: none is chosen; idle: nothing is ready; waiting: the server failed and is
 * asked again; elsewhere: another process of Fovea does it.
 */
export const CuratorState = z.enum([
  'off',
  'working',
  'idle',
  'paused',
  'battery',
  'gate',
  'budget',
  'waiting',
  'elsewhere',
])
export type CuratorState = z.infer<typeof CuratorState>

export const CuratorStatus = z.object({
  state: CuratorState,
  /** A plain sentence where the state alone does not say it. */
  reason: z.string().nullable(),
  /** When it goes on by itself; null when that is not known. */
  resumesAt: Millis.nullable(),
  model: z.string().nullable(),
  /** What still waits; `tokens` is estimated from what it took so far. */
  left: z.object({ arcs: Count, rollups: Count, cells: Count, items: Count, tokens: Count }),
  today: z.object({
    calls: Count,
    /** Times the model was asked: a call asks twice where the first answer was of no use. */
    requests: Count,
    failed: Count,
    promptTokens: Count,
    answerTokens: Count,
    ms: Count,
    budget: Count,
  }),
  total: z.object({ calls: Count, requests: Count, promptTokens: Count, answerTokens: Count, ms: Count }),
  /** Subjects with a summary by the model. */
  made: Count,
  /** Subjects whose summary rules made, by reason. */
  kept: z.array(
    z.object({ reason: z.string(), n: Count, /** Another answer may be sound. */ again: z.boolean() }),
  ),
})
export type CuratorStatus = z.infer<typeof CuratorStatus>

/** What a model would have to read if it were chosen now, everything that is worth it. */
export const CuratorEstimate = z.object({
  subjects: z.array(z.object({ kind: z.enum(['item', 'arc', 'cell', 'session']), n: Count, tokens: Count })),
  tokens: Count,
})
export type CuratorEstimate = z.infer<typeof CuratorEstimate>

/** What is installed on this machine. */
export const InstalledModels = z.object({
  reachable: z.boolean(),
  models: z.array(z.string()),
  /** Names that send text out to a network. */
  refused: z.array(z.string()),
  reason: z.string().nullable(),
})
export type InstalledModels = z.infer<typeof InstalledModels>
