import { z } from 'zod'

// The hook through which an agent is given memory, as every surface speaks of it.

export const HookScope = z.enum(['user', 'project'])
export type HookScope = z.infer<typeof HookScope>

/** One settings file of an agent. `other`: a hook of another copy of Fovea, another data folder, or only half of it. */
export const HookPlace = z.object({
  scope: HookScope,
  file: z.string(),
  state: z.enum(['absent', 'installed', 'other', 'unreadable']),
})
export type HookPlace = z.infer<typeof HookPlace>

export const HookSettings = z.object({
  /** Tokens a prompt is given at most. An agent shows no more than 10,000 characters of a hook's answer. */
  budget: z.number().int().min(200).max(1500).catch(800),
  /** Only a prompt that holds one of these is given memory; none: every prompt. */
  phrases: z.array(z.string().trim().min(1).max(200)).max(50).catch([]),
})
export type HookSettings = z.infer<typeof HookSettings>

const folder = z.string().min(1).max(4096).optional()
const place = z.object({ place: HookPlace })

export const hookCalls = {
  /** Of the person's own settings and, with a folder, of that project's. */
  'hooks.status': { input: z.object({ folder }), output: z.object({ places: z.array(HookPlace) }) },
  'hooks.install': { input: z.object({ scope: HookScope, folder }), output: place },
  'hooks.remove': { input: z.object({ scope: HookScope, folder }), output: place },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
