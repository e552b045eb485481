import { AppError } from '../../shared/errors'
import type { Bid, BidRung } from './types'

const isShare = (value: number | undefined): boolean => value === undefined || (value >= 0 && value <= 1)

const noShare = (term: keyof Bid['terms'], value: number | undefined): string =>
  `its ${term} is ${value}, which is not a number from 0 to 1`

/** A sentence on what is wrong with a bid, or null. */
export function faultOf(bid: Bid): string | null {
  const { relevance, recency, importance, surprise, interrupt } = bid.terms
  if (!isShare(relevance)) return noShare('relevance', relevance)
  if (!isShare(recency)) return noShare('recency', recency)
  if (!isShare(importance)) return noShare('importance', importance)
  if (!isShare(surprise)) return noShare('surprise', surprise)
  if (!isShare(interrupt)) return noShare('interrupt', interrupt)
  if (bid.at !== undefined && !Number.isFinite(bid.at)) return `its time is ${bid.at}`
  if (bid.order !== undefined && !Number.isFinite(bid.order)) return `its place is ${bid.order}`
  if (bid.rank !== undefined && !Number.isFinite(bid.rank)) return `its rank is ${bid.rank}`
  if (bid.rungs.length === 0) return 'it offers nothing to show'
  for (const { level, tokens } of bid.rungs) {
    if (!(tokens > 0 && Number.isFinite(tokens))) return `its ${level} says it costs ${tokens} tokens`
  }
  return null
}

/** Sound terms can still weigh to nonsense. */
export const salienceFault = (salience: number): string | null =>
  salience >= 0 && salience < Number.POSITIVE_INFINITY ? null : `its salience comes to ${salience}`

/** @throws AppError for a budget that nothing could be held against */
export function checkBudget(budget: number): void {
  if (!(budget >= 0 && budget < Number.POSITIVE_INFINITY))
    throw new AppError('bad-input', `A budget of ${budget} tokens is none.`)
}

/** Rungs that a finer one undercuts are of no use: what is left gets dearer with each step. */
export function usefulRungs(rungs: readonly BidRung[]): readonly BidRung[] {
  if (dearerEach(rungs)) return rungs
  let cheapest = Number.POSITIVE_INFINITY
  const kept: BidRung[] = []
  for (const rung of rungs.toReversed()) {
    if (rung.tokens >= cheapest) continue
    cheapest = rung.tokens
    kept.push(rung)
  }
  return kept.reverse()
}

function dearerEach(rungs: readonly BidRung[]): boolean {
  let before = 0
  for (const { tokens } of rungs) {
    if (tokens <= before) return false
    before = tokens
  }
  return true
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
