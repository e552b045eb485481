import { feedbackSql, hydrationSql, type ReadDb } from '../store'
import type { Seed } from './seeds'

/** A person pins a few things, not a hundred. */
const MOST = 20

/** What the person pinned stands for a place whether the jump found it or not, within the request's own filter. */
export function pinnedSeeds(db: ReadDb, seeds: Seed[], filter: hydrationSql.RecallFilter): void {
  const pins = feedbackSql.pinned(db, MOST)
  if (pins.length === 0) return
  const within = hydrationSql.fulfilling(
    db,
    pins.map((pin) => pin.id),
    filter,
  )
  const found = new Map(seeds.map((seed) => [seed.item.id, seed]))
  const absent = [...within].filter((id) => !found.has(id))
  for (const id of within) found.get(id)?.via.push('pin')
  for (const item of hydrationSql.itemsById(db, absent)) seeds.push({ item, score: 0, via: ['pin'], hop: 0 })
}
