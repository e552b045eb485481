import { z } from 'zod'
import type { ItemKind } from '../../shared/domain'

// The shapes of items.data, one for each kind. Other rooms read them through these schemas.

export const GoalData = z.object({
  /** The request is "carry out this plan". */
  implementsPlan: z.boolean().optional(),
  planHash: z.string().optional(),
  command: z.string().optional(),
  /** Who spoke, where the transcript names its speakers. */
  name: z.string().optional(),
})
export const ConclusionData = z.object({})
export const NoteData = z.object({
  name: z.string().optional(),
  /** The person spoke and asked for nothing new. */
  remark: z.boolean().optional(),
})
export const ImageData = z.object({
  sha256: z.string(),
  bytes: z.number().int(),
  mediaType: z.string(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  /** 64-bit perceptual hash, 16 hex digits; pictures that could be decoded only. */
  phash: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
})
export const FileOpData = z.object({
  path: z.string(),
  op: z.enum(['read', 'write', 'edit', 'search']),
  added: z.number().int().optional(),
  removed: z.number().int().optional(),
})
export const CommandData = z.object({
  command: z.string(),
  failed: z.boolean(),
  exitCode: z.number().int().optional(),
})
export const ErrorItemData = z.object({
  tool: z.string(),
  command: z.string().optional(),
  path: z.string().optional(),
})
export const PlanData = z.object({
  gate: z.object({ toolUseId: z.string() }).optional(),
  planFile: z.string().optional(),
  planHash: z.string().optional(),
  /** The record came without the plan; this is what its file said when it was read. */
  fromFile: z.boolean().optional(),
  todo: z.boolean().optional(),
})
export const DecisionData = z.object({
  of: z.enum(['plan', 'tool', 'question']),
  toolUseId: z.string(),
  verdict: z.enum(['approve', 'refused', 'bare-stop', 'answered']),
  words: z.string(),
  edited: z.boolean().optional(),
  tool: z.string().optional(),
})

export const itemData = {
  goal: GoalData,
  conclusion: ConclusionData,
  note: NoteData,
  image: ImageData,
  file_op: FileOpData,
  command: CommandData,
  error: ErrorItemData,
  plan: PlanData,
  decision: DecisionData,
} as const satisfies Record<ItemKind, z.ZodType>

export type ItemData<K extends ItemKind = ItemKind> = z.infer<(typeof itemData)[K]>

/** Reads items.data of an item of kind `kind`. @throws ZodError when the stored value is not of that shape. */
export function parseItemData<K extends ItemKind>(kind: K, json: string): ItemData<K> {
  return itemData[kind].parse(JSON.parse(json)) as ItemData<K>
}
