import type { FieldWeights } from './plane-policy'

// Fusion of the ways of looking. Reciprocal ranks with k = 10 (Cormack et al. 2009 use 60 for thousands of documents;
// frames need the top right), the lexical part by its BM25 score over the best one's, which kept the gaps between the
// top hits and found 3 to 6 points more evidence at small budgets than its rank.

const K = 10

/** What a rank is worth, the best being 0. */
export const atRank = (rank: number): number => 1 / (K + rank + 1)

/** What each way of looking found: scores of the lexical hits, and the items of the semantic ones, best first. */
export interface Found {
  lexical: readonly { id: number; score: number }[]
  item: readonly number[]
  context: readonly number[]
}

/** Σ over the ways of looking. Summed in a fixed order, so that equal inputs give equal bits. */
export function fuse(found: Found, weights: FieldWeights): Map<number, number> {
  const scores = new Map<number, number>()
  const add = (id: number, amount: number): void => void scores.set(id, (scores.get(id) ?? 0) + amount)
  const best = found.lexical[0]?.score ?? 0
  for (const { id, score } of found.lexical) add(id, best > 0 ? (weights.lexical * score) / best : 0)
  found.item.forEach((id, rank) => void add(id, weights.item * atRank(rank)))
  found.context.forEach((id, rank) => void add(id, weights.context * atRank(rank)))
  return scores
}

/** What a session lends to each of its items, by the rank of its five best items' summed scores. */
export function sessionPriors(
  items: readonly { session: string; score: number }[],
  weight: number,
): Map<string, number> {
  const bySession = new Map<string, number[]>()
  for (const { session, score } of items) {
    const scores = bySession.get(session)
    if (scores) scores.push(score)
    else bySession.set(session, [score])
  }
  const ranked = [...bySession].map(([session, scores]) => ({ session, sum: topSum(scores, 5) }))
  ranked.sort((a, b) => b.sum - a.sum || (a.session < b.session ? -1 : 1))
  return new Map(ranked.map(({ session }, rank) => [session, weight * atRank(rank)]))
}

function topSum(scores: readonly number[], count: number): number {
  return [...scores]
    .sort((a, b) => b - a)
    .slice(0, count)
    .reduce((sum, score) => sum + score, 0)
}

/** The weights of a goal that asks for many things: wide over sessions, by whom it names, less beside each hit. */
export function widened(weights: FieldWeights): FieldWeights {
  const towards = (own: number, wide: number): number => own + (wide - own) * weights.breadth
  return {
    ...weights,
    session: towards(weights.session, 0),
    speaker: weights.speaker === 0 ? 0 : towards(weights.speaker, Math.max(1, weights.speaker)),
    neighbour: towards(weights.neighbour, 0.6 * weights.neighbour),
  }
}
