import { hydrationSql, type ReadDb } from '../store'
import type { Seed } from './seeds'
import { type Claim, type Tension, tensions } from './tension'

const SPEECH = new Set(['goal', 'decision', 'conclusion', 'plan', 'note'])
/** Of this many of the strongest the next statements in their sessions are read. */
const LOOKED_BEHIND = 15
const STATEMENTS = 12

export interface Reversals {
  /** What the walk did not reach and stands in tension with something strong. */
  brought: Seed[]
  of: Map<number, Tension>
}

/**
 * Finds what later contradicted or reversed the strong, among the candidates and in what was said next in their
 * sessions. `seeds`: best first.
 */
export function reversals(
  db: ReadDb,
  seeds: readonly Seed[],
  filter: hydrationSql.RecallFilter,
  width: number,
): Reversals {
  const top = seeds[0]?.score ?? 1
  const near = seeds.slice(0, width).filter((seed) => SPEECH.has(seed.item.kind))
  const known = new Set(near.map((seed) => seed.item.id))
  const strong = near.slice(0, LOOKED_BEHIND).map((seed) => seed.item.id)
  const next = hydrationSql.saidAfter(db, strong, STATEMENTS, filter).filter(({ id }) => !known.has(id))
  const scores = new Map(seeds.map((seed) => [seed.item.id, seed.score]))
  const items = hydrationSql.itemsById(db, [...new Set(next.map(({ id }) => id))])
  const texts = hydrationSql.textsById(db, [...known, ...items.map((item) => item.id)])
  const claimOf = (item: hydrationSql.RecallItem, score: number): Claim => ({
    id: item.id,
    text: texts.get(item.id) ?? '',
    session: item.session,
    position: item.position,
    ts: item.ts,
    goal: item.goal,
    relevance: score / top,
  })
  const of = tensions([
    ...near.map((seed) => claimOf(seed.item, seed.score)),
    ...items.map((item) => claimOf(item, scores.get(item.id) ?? 0)),
  ])
  const brought = items.flatMap((item): Seed[] => {
    const tension = of.get(item.id)
    return tension && !scores.has(item.id) ? [{ item, score: 0, via: ['tension'], hop: 1 }] : []
  })
  return { brought, of }
}
