import { AppError } from '../../shared/errors'
import type { Bid, BidRung } from './types'

const TERMS = ['relevance', 'recency', 'importance', 'surprise', 'interrupt'] as const

/** A sentence on what is wrong with a bid, or null. */
export function faultOf(bid: Bid): string | null {
  for (const term of TERMS) {
    const value = bid.terms[term]
    if (value !== undefined && !(value >= 0 && value <= 1)) {
      return `its ${term} is ${value}, which is not a number from 0 to 1`
    }
  }
  if (bid.at !== undefined && !Number.isFinite(bid.at)) return `its time is ${bid.at}`
  if (bid.order !== undefined && !Number.isFinite(bid.order)) return `its place is ${bid.order}`
  if (bid.rank !== undefined && !Number.isFinite(bid.rank)) return `its rank is ${bid.rank}`
  if (bid.rungs.length === 0) return 'it offers nothing to show'
  for (const { level, tokens } of bid.rungs) {
    if (!(tokens > 0 && Number.isFinite(tokens))) return `its ${level} says it costs ${tokens} tokens`
  }
  return null
}

/** Rungs that a finer one undercuts are of no use: what is left gets dearer with each step. */
export function usefulRungs(rungs: readonly BidRung[]): readonly BidRung[] {
  if (rungs.length === 1) return rungs
  let cheapest = Number.POSITIVE_INFINITY
  const kept: BidRung[] = []
  for (const rung of rungs.toReversed()) {
    if (rung.tokens >= cheapest) continue
    cheapest = rung.tokens
    kept.push(rung)
  }
  return kept.reverse()
}

/** Ids that more than one bid carries. */
export function doubledIds(bids: readonly Bid[]): Set<string> {
  const seen = new Set<string>()
  const doubled = new Set<string>()
  for (const { id } of bids) {
    if (seen.has(id)) doubled.add(id)
    seen.add(id)
  }
  return doubled
}

/** A pin cannot be left out quietly, so what is wrong with it stops the assembly. */
export const brokenPin = (id: string, fault: string): AppError =>
  new AppError('bad-input', `The pinned part “${id}” cannot stand in the context: ${fault}.`)

export function pinsOverBudget(ids: readonly string[], needed: number, budget: number): AppError {
  return new AppError(
    'bad-input',
    `The pinned parts alone need ${needed} tokens and the budget is ${budget}: ${ids.join(', ')}.`,
  )
}
