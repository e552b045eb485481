// Fusion of the ways of looking. Reciprocal ranks with k = 10 (Cormack et al. 2009 use 60 for thousands of documents;
// frames need the top right), the lexical part by its BM25 score over the best one's, which kept the gaps between the
// top hits and found 3 to 6 points more evidence at small budgets than its rank.

const K = 10
export const fusionWeights = {
  lexical: 0.1,
  item: 0.3,
  context: 0.3,
  /** A goal names exactly one of the speakers: what they said counts more. */
  speaker: 0.3,
  neighbour: 0.5,
  /** What follows a question is likely its answer. */
  answer: 0.3,
  session: 0.5,
  goal: 0.3,
} as const

/** What each way of looking found: scores of the lexical hits, and the items of the semantic ones, best first. */
export interface Found {
  lexical: readonly { id: number; score: number }[]
  item: readonly number[]
  context: readonly number[]
}

/** Σ over the ways of looking; 0.1 is the lexical winner. Summed in a fixed order, so that equal inputs give equal bits. */
export function fuse(found: Found): Map<number, number> {
  const scores = new Map<number, number>()
  const add = (id: number, amount: number): void => void scores.set(id, (scores.get(id) ?? 0) + amount)
  const best = found.lexical[0]?.score ?? 0
  for (const { id, score } of found.lexical) add(id, best > 0 ? (fusionWeights.lexical * score) / best : 0)
  found.item.forEach((id, rank) => void add(id, fusionWeights.item / (K + rank + 1)))
  found.context.forEach((id, rank) => void add(id, fusionWeights.context / (K + rank + 1)))
  return scores
}

/** What a session lends to each of its items, by the rank of its five best items' summed scores. */
export function sessionPriors(items: readonly { session: string; score: number }[]): Map<string, number> {
  const bySession = new Map<string, number[]>()
  for (const { session, score } of items) {
    const scores = bySession.get(session)
    if (scores) scores.push(score)
    else bySession.set(session, [score])
  }
  const ranked = [...bySession].map(([session, scores]) => ({ session, sum: topSum(scores, 5) }))
  ranked.sort((a, b) => b.sum - a.sum || (a.session < b.session ? -1 : 1))
  return new Map(ranked.map(({ session }, rank) => [session, fusionWeights.session / (K + rank + 1)]))
}

function topSum(scores: readonly number[], count: number): number {
  return [...scores]
    .sort((a, b) => b - a)
    .slice(0, count)
    .reduce((sum, score) => sum + score, 0)
}
