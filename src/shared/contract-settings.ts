import { z } from 'zod'
import { FacultySettings } from './attention'
import { HookSettings } from './hooks'
import { ModelSettings, ModelSettingsChange } from './models'

// The person's settings, as `contract.ts` takes them up.

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output })
const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  blind: z.boolean(),
  faculty: FacultySettings,
  models: ModelSettings,
  hooks: HookSettings,
})

export const settingsCalls = {
  'settings.get': call(z.object({}), Settings),
  'settings.set': call(
    z.object({
      theme: Settings.shape.theme.optional(),
      blind: z.boolean().optional(),
      /** Only the switches named change. */
      faculty: z
        .object({
          adaptive: z.boolean(),
          salience: z.boolean(),
          sceneGate: z.boolean(),
          interrupts: z.boolean(),
          adaptiveDepth: z.boolean(),
        })
        .partial()
        .optional(),
      models: ModelSettingsChange.optional(),
      hooks: z
        .object({
          budget: z.number().int().min(200).max(1500),
          phrases: z.array(z.string().trim().min(1).max(200)).max(50),
        })
        .partial()
        .optional(),
    }),
    Settings,
  ),
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
