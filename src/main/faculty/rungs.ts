import type { Bid, BidRung } from './types'

// How a source writes what it offers: a whole text and, when that is long, its first sentence's worth of it.

/** Characters of a sentence's worth; longer texts also offer themselves at this length. */
const SENTENCE = 240
/** Up to here a clipped text is also put on one line. */
const LINE = 160

export type Count = (text: string) => number

export const rung = (level: BidRung['level'], text: string, count: Count): BidRung => ({
  level,
  tokens: count(text),
  render: text,
})

/** A text's rungs, coarse to fine, each within a frame of words. `most`: a longer whole is not offered. */
export function ladder(
  frame: (text: string) => string,
  text: string,
  count: Count,
  most = Number.POSITIVE_INFINITY,
): BidRung[] {
  const short = clip(text, SENTENCE)
  if (short === text) return [rung('L0', frame(text), count)]
  const sentence = rung('L1', frame(short), count)
  return text.length > most ? [sentence] : [sentence, rung('L0', frame(text), count)]
}

/** As far as a word's end, and it says that it goes on. */
export function clip(text: string, length: number): string {
  const line = text
    .slice(0, length * 2)
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= length) return length <= LINE ? line : text
  const head = line.slice(0, length - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > length / 2 ? head.slice(0, space) : head).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A bid without the rungs that take more than so many tokens; its coarsest stays. */
export function within(bid: Bid, most: number): Bid {
  const fitting = bid.rungs.filter(({ tokens }, i) => i === 0 || !(tokens > most))
  return fitting.length === bid.rungs.length ? bid : { ...bid, rungs: fitting }
}
