import type { BidSource } from '../../shared/attention'

// How much recall bids, and how budget moves, by the question's shape. Rules over its words, nothing learned.

export type Shape = 'broad' | 'plain' | 'precise'

const BROAD =
  /\b(?:overview|summar(?:y|ise|ize)|everything|anything|all (?:of|the|our)|history|so far|which|list|compare|differences?|trends?|usually|generally|in general|lessons?|decisions|what (?:have|did|do) (?:we|you|they)|how (?:often|many))\b/i
/** A path, an identifier, a number, an error code, a quotation: somebody who says this wants that one thing. */
const PRECISE =
  /(?:[\w-]+\/[\w./-]+|\b[\w-]+\.(?:tsx?|jsx?|mjs|py|go|rs|java|md|json|ya?ml|sql|css|html)\b|\b[a-z]+[A-Z]\w+|\b\w+_\w+\b|#\d+|\b[A-Z]{2,}[-_]?\d+\b|["“'`][^"”'`]{3,80}["”'`]|\b(?:when|where|who|exact(?:ly)?|what (?:date|day|time|name|number))\b)/

/** The shape of a question, read off its first 2,000 characters. What is both names a thing, so it is precise. */
export function shapeOf(question: string): Shape {
  const text = question.slice(0, 2000)
  if (PRECISE.test(text) || PRECISE.test(text.slice(0, 1).toLowerCase() + text.slice(1))) return 'precise'
  return BROAD.test(text) ? 'broad' : 'plain'
}

export interface Depth {
  /** How many recalled items bid. */
  bids: number
  /** The coarsest of a wide recall; a narrow one offers only whole texts. */
  ladder: 'coarse' | 'whole' | 'both'
  shares: Partial<Record<BidSource, number>>
}

const DEPTHS: Record<Shape, Depth> = {
  broad: { bids: 80, ladder: 'both', shares: { recall: 0.6, 'session-history': 0.1, 'working-memory': 0.1 } },
  plain: { bids: 40, ladder: 'both', shares: {} },
  precise: {
    bids: 16,
    ladder: 'whole',
    shares: { recall: 0.35, 'session-history': 0.2, 'working-memory': 0.2 },
  },
}

/** The depth that every question gets while adaptive depth is off. */
export const FIXED_DEPTH: Depth = DEPTHS.plain

export const depthFor = (question: string): Depth => DEPTHS[shapeOf(question)]
