import { CATALOGUE, WEIGHTS } from './catalogue'
import { salienceOf, termsOf, weightsOf } from './salience'
import { spread } from './spreading'
import type { Bid, EntityGraph } from './types'

export interface Recollection {
  /** Tokens of the finest rungs, in all. */
  capacity: number
  now: number
  goal: { about: readonly string[] }
  graph?: EntityGraph
}

const size = ({ rungs }: Bid): number => rungs.at(-1)?.tokens ?? 0

/**
 * Working memory holds so many tokens. What is over goes by salience, the faintest first, however old it is; the order
 * of what stays is kept.
 */
export function evict(entries: readonly Bid[], memory: Recollection): { kept: Bid[]; evicted: Bid[] } {
  const entry = CATALOGUE['working-memory']
  const world = { now: memory.now, active: spread(memory.goal.about, memory.graph) }
  const ranked = entries
    .map((bid) => ({
      bid,
      salience: salienceOf(termsOf(bid, entry, world), 'endogenous', weightsOf(entry, WEIGHTS)),
    }))
    .sort((a, b) => a.salience - b.salience || (a.bid.id < b.bid.id ? -1 : 1))
  let held = entries.reduce((sum, bid) => sum + size(bid), 0)
  const gone = new Set<string>()
  for (const { bid } of ranked) {
    if (held <= memory.capacity) break
    held -= size(bid)
    gone.add(bid.id)
  }
  return {
    kept: entries.filter(({ id }) => !gone.has(id)),
    evicted: entries.filter(({ id }) => gone.has(id)),
  }
}
