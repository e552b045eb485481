import type { SeededBy } from '../../shared/recall'
import { hydrationSql, type ReadDb } from '../store'

type Item = hydrationSql.RecallItem

/** An item the jump landed on, or that the walk reached over `hop` links. `score` is comparable within one jump only. */
export interface Seed {
  item: Item
  score: number
  via: SeededBy[]
  hop: number
}

export type Seeds = Map<number, Seed>

/** Best first, ties by age. */
export function strongest(seeds: Iterable<Seed>, count = Number.POSITIVE_INFINITY): Seed[] {
  const ranked = [...seeds].sort((a, b) => b.score - a.score || a.item.id - b.item.id)
  return count < ranked.length ? ranked.slice(0, count) : ranked
}

export interface Gift {
  amount: number
  via: SeededBy
}

/** Adds to the scores; who was not there yet comes in at `hop`. */
export function receive(db: ReadDb, seeds: Seeds, gifts: ReadonlyMap<number, Gift>, hop: number): void {
  const unknown = [...gifts.keys()].filter((id) => !seeds.has(id))
  for (const item of hydrationSql.itemsById(db, unknown)) seeds.set(item.id, { item, score: 0, via: [], hop })
  for (const [id, { amount, via }] of gifts) {
    const seed = seeds.get(id)
    if (!seed) continue
    seed.score += amount
    if (!seed.via.includes(via)) seed.via.push(via)
  }
}
