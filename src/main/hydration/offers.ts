import type { Tokenizer } from '../../shared/recall'
import type { Candidate } from '../faculty'
import type { Contender } from './candidates'
import { groupOf, headingText, type Line, lineText, shortHandles } from './frame'
import { cut } from './ladder'
import type { CountTokens } from './ports'

/** A line and its price in tokens; an estimate until it is `exact`. */
export interface PricedLine {
  line: Line
  cost: number
  exact: boolean
  /** How much it says of what the goal asks for, 0 to 1. */
  says: number
}

/** A contender with each line it could stand as, coarse to fine. */
export interface Offer {
  contender: Contender
  lines: PricedLine[]
}

/** Counting the tokens of every long text would take longer than all the rest, so most are only guessed at. */
const COUNTED = 120
const CHARS_PER_TOKEN = 3.6

/** A line's price with its line break. Quarters of a character are rounded up for the whole only, not line by line. */
export function costWith(countTokens: CountTokens, tokenizer: Tokenizer): (text: string) => number {
  if (tokenizer === 'chars4') return (text) => (text.length + 1) / 4
  return (text) => countTokens(`${text}\n`, tokenizer)
}

export function offersOf(
  contenders: readonly Contender[],
  tokenizer: Tokenizer,
  cost: (text: string) => number,
): Map<string, Offer> {
  const counted = tokenizer === 'chars4' ? Number.POSITIVE_INFINITY : COUNTED
  const short = shortHandles(contenders.map((contender) => contender.seed.item.handle))
  return new Map(
    contenders.map((contender) => {
      const { handle, kind, name, session, position, ts, project } = contender.seed.item
      const { utility } = contender
      const base = {
        handle,
        kind,
        name,
        session,
        position,
        ts,
        project,
        utility,
        short: short.get(handle) ?? handle,
      }
      const lines = contender.ladder.map(({ level, text, part }, i) => {
        const line: Line = { ...base, level, text, ...(part ? { part } : {}) }
        const says = contender.says[i] ?? 1
        const exact = text.length <= counted
        return { line, cost: exact ? cost(lineText(line)) : text.length / CHARS_PER_TOKEN, exact, says }
      })
      return [handle, { contender, lines: worthwhile(lines) }]
    }),
  )
}

/** Counts the guessed lines among those chosen. False when there was nothing left to count. */
export function countChosen(
  offers: ReadonlyMap<string, Offer>,
  chosen: ReadonlyMap<string, number>,
  cost: (text: string) => number,
): boolean {
  let counted = false
  for (const [handle, rung] of chosen) {
    const priced = offers.get(handle)?.lines[rung]
    if (!priced || priced.exact) continue
    priced.cost = cost(lineText(priced.line))
    priced.exact = true
    counted = true
  }
  return counted
}

/** A coarser rung must save a good part of the next finer one's price, or it only says less. */
const SAVING = 0.7

function worthwhile<T extends { cost: number }>(lines: readonly T[]): T[] {
  const kept: T[] = []
  for (const line of lines.toReversed()) {
    const finer = kept.at(-1)
    if (!finer || line.cost <= finer.cost * SAVING) kept.push(line)
  }
  return kept.reverse()
}

/** A skeleton is worth a little more than its words: it tells that there is something. */
const SKELETON_WORTH = 1.15
const SKELETON_FULL = 30

/**
 * What so much about one thing is worth, in tokens: all of it up to `depth`, then depth · ln: the more is said of one
 * thing the less the next word adds. Without the straight beginning the long would be dear to the short; without the
 * curve one long text takes the whole frame.
 */
export const worthOf = (cost: number, depth: number): number =>
  cost <= depth ? cost : depth * (1 + Math.log(cost / depth))

export interface Detail {
  depth: number
  fit: number
  focus: number
}

/**
 * What each rung is worth: utility to the power of `focus` × worth of its length × how much of it hangs on saying what
 * was asked. (The allocator takes the best value per token.)
 */
export function candidateOf({ contender, lines }: Offer, { depth, fit, focus }: Detail): Candidate {
  const { utility, seed, segment } = contender
  const worth = Math.max(0, utility) ** focus
  return {
    id: seed.item.handle,
    segment,
    group: groupOf(seed.item),
    rungs: lines.map(({ line, cost, says }) => ({
      cost,
      value:
        worth *
        (1 - fit + fit * says) *
        (line.level === 'L3' ? SKELETON_WORTH * Math.min(cost, SKELETON_FULL) : worthOf(cost, depth)),
    })),
  }
}

const TITLE = 48

/** The heading of each group of lines. Titles are of sessions. */
export function headingsOf(
  contenders: readonly Contender[],
  titles: ReadonlyMap<string, string>,
  withProject: boolean,
): Map<string, string> {
  const headings = new Map<string, string>()
  for (const { seed } of contenders) {
    const group = groupOf(seed.item)
    if (headings.has(group)) continue
    const title = titles.get(seed.item.session)?.replace(/\s+/g, ' ')
    headings.set(
      group,
      headingText(seed.item, title === undefined ? undefined : cut(title, TITLE), withProject),
    )
  }
  return headings
}
