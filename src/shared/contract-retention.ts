import { z } from 'zod'
import { RetentionPreview, RetentionReport, RetentionRule, RetentionState } from './retention'

const rules = z.array(RetentionRule).max(1000)

/** How long each level of detail is kept, and letting go what is older. */
export const retentionCalls = {
  'retention.get': { input: z.object({}), output: RetentionState },
  /** The rules in place of those that stood; whether they are followed by themselves stays when it is left out. */
  'retention.set': { input: z.object({ rules, automatic: z.boolean().optional() }), output: RetentionState },
  /** What would go by the rules that stand, or by these. */
  'retention.preview': { input: z.object({ rules: rules.optional() }), output: RetentionPreview },
  /** Lets go what the rules say; with `compact` the file is written anew without the room that became free. */
  'retention.run': { input: z.object({ compact: z.boolean().default(false) }), output: RetentionReport },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
