import type { Modality, SalienceTerms } from '../../shared/attention'
import { reachedBy } from './spreading'
import type { Bid, CatalogueEntry, Weights } from './types'

/** exp(−age/τ); the future counts as now. */
export function recency(age: number, tau: number): number {
  return Math.exp(-Math.max(0, age) / tau)
}

/** A source's own weights over those of the request. */
export const weightsOf = (entry: CatalogueEntry, weights: Weights): Weights =>
  Object.keys(entry.weights).length === 0 ? weights : { ...weights, ...entry.weights }

export const modalityOf = (bid: Bid, entry: CatalogueEntry): Modality => bid.modality ?? entry.modality

/** Every term of a bid. Relevance is the stronger of what the source found and what activation brought. */
export function termsOf(
  bid: Bid,
  entry: CatalogueEntry,
  world: { now: number; active: ReadonlyMap<string, number> },
): SalienceTerms {
  const { relevance = 0, importance = 0, surprise = 0, interrupt = 0 } = bid.terms
  const reached = world.active.size === 0 ? 0 : reachedBy(bid.about, world.active)
  const fresh = bid.terms.recency ?? (bid.at === undefined ? 0 : recency(world.now - bid.at, entry.tau))
  return {
    relevance: Math.max(relevance, reached),
    spread: reached,
    recency: fresh,
    importance,
    surprise,
    interrupt,
  }
}

/**
 * (w·relevance + w·recency + w·importance) / Σw, plus w·surprise + w·interrupt for exogenous bids. The product that
 * biased competition is often written as would let one zero silence everything else.
 */
export function salienceOf(terms: SalienceTerms, modality: Modality, weights: Weights): number {
  const sum = weights.relevance + weights.recency + weights.importance
  const own =
    weights.relevance * terms.relevance +
    weights.recency * terms.recency +
    weights.importance * terms.importance
  const goal = sum > 0 ? own / sum : 0
  if (modality === 'endogenous') return goal
  return goal + weights.surprise * terms.surprise + weights.interrupt * terms.interrupt
}
