import type { EntityGraph } from './types'

export const HOPS = 2
export const DECAY = 0.6
/** Activation stops after so many entities: a hub must not cost a turn. */
const MOST = 2000

/**
 * Spreading activation: 1 at the entities the goal names; each hop passes on activation × 0.6 × the edge's weight; an
 * entity keeps the strongest that reaches it. Two hops.
 */
export function spread(seeds: readonly string[], graph: EntityGraph | undefined): Map<string, number> {
  const active = new Map<string, number>()
  for (const seed of seeds) active.set(seed, 1)
  if (!graph) return active
  let front = [...active.keys()].sort()
  for (let hop = 0; hop < HOPS; hop++) {
    const next = new Set<string>()
    for (const entity of front) {
      const energy = (active.get(entity) ?? 0) * DECAY
      for (const { to, weight } of graph(entity)) {
        const reached = energy * Math.min(1, Math.max(0, weight))
        if (!(reached > (active.get(to) ?? 0))) continue
        if (!active.has(to) && active.size >= MOST) continue
        active.set(to, reached)
        next.add(to)
      }
    }
    front = [...next].sort()
  }
  return active
}

/** The strongest activation among the entities a bid is about. */
export function reachedBy(about: readonly string[] | undefined, active: ReadonlyMap<string, number>): number {
  let most = 0
  if (about) for (const entity of about) most = Math.max(most, active.get(entity) ?? 0)
  return most
}
