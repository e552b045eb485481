import { z } from 'zod'
import { FacultySettings } from './attention'
import { ModelSettings, ModelSettingsChange } from './models'

// The person's settings, as `contract.ts` takes them up.

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output })
const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  blind: z.boolean(),
  faculty: FacultySettings,
  models: ModelSettings,
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
    }),
    Settings,
  ),
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
