import type { Bid, EntityGraph } from '../faculty'
import { entityGraphSql, type ReadDb } from '../store'
import { extractEntities } from './entities'

/** An entity passes activation on to so many others at most, and a goal starts it at so many: a turn is short. */
const NEIGHBOURS = 8
const SEEDS = 6

/** Entities as the faculty speaks of them: their row, as text. */
const nameOf = (id: number): string => String(id)

/** What a raw goal names and memory knows: where activation starts. */
export function entitiesOfGoal(db: ReadDb, goal: string, project: string | null): string[] {
  const named = extractEntities(goal).map(({ type, value }) => ({ kind: type, name: value }))
  return entityGraphSql.entitiesNamed(db, named, project).slice(0, SEEDS).map(nameOf)
}

/**
 * The graph of what is named together, read as activation reaches it. An edge weighs P(other | entity) over the
 * entity's newest items, divided by log2(1 + how often the other is named): a name that stands everywhere says little.
 */
export function entityGraph(db: ReadDb, seen: entityGraphSql.Seen): EntityGraph {
  const known = new Map<string, { to: string; weight: number }[]>()
  return (entity) => {
    const before = known.get(entity)
    if (before) return before
    const edges = entityGraphSql
      .namedTogether(db, Number(entity), seen, NEIGHBOURS)
      .map(({ id, together, items, often }) => ({
        to: nameOf(id),
        weight: together / Math.max(1, items) / Math.log2(1 + Math.max(1, often)),
      }))
    known.set(entity, edges)
    return edges
  }
}

/** Bids that rest on items, with what those items name: where activation can reach them. */
export function withEntities(db: ReadDb, bids: readonly Bid[]): Bid[] {
  const handles = [...new Set(bids.flatMap((bid) => bid.handles ?? []))]
  const named = Map.groupBy(entityGraphSql.namedIn(db, handles), ({ handle }) => handle)
  return bids.map((bid) => {
    if (bid.about !== undefined) return bid
    const about = (bid.handles ?? []).flatMap((handle) =>
      (named.get(handle) ?? []).map(({ entity }) => nameOf(entity)),
    )
    return about.length === 0 ? bid : { ...bid, about: [...new Set(about)] }
  })
}
