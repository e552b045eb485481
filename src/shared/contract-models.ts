import { z } from 'zod'
import { CurateReport } from './journal'
import { CuratorEstimate, CuratorStatus, InstalledModels } from './models'

// The calls about what the curator makes, with and without a language model, as `contract.ts` takes them up.

const nothing = z.object({})

export const modelCalls = {
  /** Works on what waits until nothing does, or for up to a minute. */
  'curate.run': { input: z.object({ untilIdle: z.boolean().default(false) }), output: CurateReport },
  /** What is installed on this machine. */
  'models.list': { input: nothing, output: InstalledModels },
  /** What the model does, did, cost, and has left. */
  'curator.status': { input: nothing, output: CuratorStatus },
  /** Asks the model once more about what rules had the last word on although another answer may be sound. */
  'curator.retry': { input: nothing, output: z.object({ again: z.number().int() }) },
  /** What all that is worth a model's summary would take. */
  'curator.estimate': { input: nothing, output: CuratorEstimate },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
