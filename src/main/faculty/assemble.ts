import type { Trace } from '../../shared/attention'
import { WEIGHTS } from './catalogue'
import { checkBudget } from './check'
import { closeByFloor, closeByZone, type Entrant, entrantsOf } from './entrants'
import { edgesFirst, inSlots } from './order'
import { realise } from './realise'
import { selectAdaptive, selectFixed, zoneBudget } from './select'
import { traceRow } from './trace'
import type { AssembleRequest, Assembly, Bid, CatalogueEntry, Weights } from './types'

/** What stands between two parts of a context. */
export const SEPARATOR = '\n\n'

/**
 * One cycle of attention: the bids compete for the budget and what wins becomes the context. Pure: the same bids, in
 * whatever order, make the same context and the same trace, and nothing that loses is rendered.
 * `fixed`: every bid's finest rung in the catalogue's order; the budget drops from the end of the priority list.
 * `adaptive`: by salience, compressed before dropped, the most salient at both edges.
 * @throws AppError `bad-input` that names the pins that do not fit, or cannot be shown; for a budget that is none
 */
export function assemble(bids: readonly Bid[], request: AssembleRequest): Assembly {
  checkBudget(request.budget)
  const entrants = entrantsOf(bids, request)
  const separator = request.count(SEPARATOR)
  const adaptive = request.mode === 'adaptive'
  if (adaptive) {
    closeByZone(entrants, request)
    closeByFloor(entrants)
  }
  const budget = adaptive ? zoneBudget(entrants, request, separator) : request.budget
  if (adaptive) selectAdaptive(entrants, request, { budget, separator })
  else selectFixed(entrants, { budget, separator }, request.shares)
  const winners = entrants.filter(({ out }) => !out)
  realise(winners, request.count)
  const { context, spent, standing } = join(winners, adaptive, { budget, count: request.count })
  for (const [place, one] of standing.entries()) one.place = place
  const trace: Trace = {
    mode: request.mode,
    scored: request.scored,
    zone: request.zone,
    transitions: [...(request.transitions ?? [])],
    asked: request.budget,
    budget,
    spent,
    weights: weightsTold(entrants, request.weights ?? WEIGHTS),
    rows: entrants.map(traceRow),
  }
  return { context, trace }
}

/** The weights, and those of a source that has its own, as `source.term`. */
function weightsTold(entrants: readonly Entrant[], weights: Weights): Record<string, number> {
  const entries = new Set<CatalogueEntry>()
  for (const { entry } of entrants) entries.add(entry)
  const told = [...entries].flatMap(({ source, weights: own }) =>
    Object.entries(own).map(([term, weight]) => [`${source}.${term}`, weight] as const),
  )
  return { ...weights, ...Object.fromEntries(told.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/**
 * Parts counted one by one sum to at least what the whole costs, with every tokenizer we know; should one ever differ,
 * the least salient part goes until the whole fits.
 */
function join(
  winners: readonly Entrant[],
  adaptive: boolean,
  { budget, count }: { budget: number; count: (text: string) => number },
): { context: string; spent: number; standing: Entrant[] } {
  for (;;) {
    const kept = winners.filter(({ out }) => !out)
    const standing = adaptive ? edgesFirst(kept) : inSlots(kept)
    const context = standing.map(({ text }) => text ?? '').join(SEPARATOR)
    const spent = context === '' ? 0 : count(context)
    const least = kept
      .filter(({ pin }) => !pin)
      .sort((a, b) => a.salience - b.salience || (a.id < b.id ? 1 : -1))[0]
    if (spent <= budget || !least) return { context, spent, standing }
    least.out = { reason: 'budget', detail: 'the parts together took more than each by itself' }
  }
}
