import { countTokens } from '../tokens'

/** What is known of a model's own tokenizer: its tokens for one of ours, over `seen` answers. */
export interface TokenRatio {
  ratio: number
  seen: number
}

/** Where ratios outlive the process. */
export interface RatioMemory {
  ratio(model: string): TokenRatio | undefined
  keepRatio(model: string, value: TokenRatio): void
}

export function ratiosInMemory(): RatioMemory {
  const known = new Map<string, TokenRatio>()
  return { ratio: (model) => known.get(model), keepRatio: (model, value) => void known.set(model, value) }
}

/** A model that has reported nothing may count this much more than we do; one that has, this much more than it did. */
const UNKNOWN = 1.25
const MARGIN = 1.05
/** A new report weighs at least this much, so that a model that was exchanged under its name is learned again. */
const LEAST_WEIGHT = 0.1

/** Tokens of a text by our tokenizer, before the model's own ratio. */
export const countedTokens = (text: string): number => countTokens(text, 'o200k')

/** Upper estimate of a model's tokens for what our tokenizer counts as `counted`. */
export function estimate(memory: RatioMemory, model: string, counted: number): number {
  const known = memory.ratio(model)
  return Math.ceil(counted * (known ? known.ratio * MARGIN : UNKNOWN))
}

/**
 * Whether a server that reports so few tokens can have read the whole prompt. No tokenizer in use takes less than half
 * of ours, and one we know takes about what it took before.
 */
export function wasCut(
  memory: RatioMemory,
  model: string,
  counts: { counted: number; reported: number },
): boolean {
  const known = memory.ratio(model)
  const least = known && known.seen >= 3 ? known.ratio * 0.7 : 0.5
  return counts.counted > 200 && counts.reported < counts.counted * least
}

export function learn(
  memory: RatioMemory,
  model: string,
  counts: { counted: number; reported: number },
): void {
  if (counts.counted < 50) return
  const ratio = Math.min(4, Math.max(0.5, counts.reported / counts.counted))
  const { ratio: before, seen } = memory.ratio(model) ?? { ratio, seen: 0 }
  const weight = Math.max(LEAST_WEIGHT, 1 / (seen + 1))
  memory.keepRatio(model, { ratio: before + weight * (ratio - before), seen: seen + 1 })
}
