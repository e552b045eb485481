import { hydrationSql, type ReadDb } from '../store'
import type { Jump } from './jump'
import type { Seed } from './seeds'

// What a search may call a hit. A frame weighs everything it landed on and has a budget to stop at; a list has none.

/** Cosines below this are of texts that have little to do with each other, for MiniLM. */
export const LEAST_COSINE = 0.3
/** A word in more than this part of all items tells nothing by itself; in so few of them every word does. */
const FREQUENT = 0.12
const FEW = 5

/**
 * Parts what a jump landed on into what is about the question and what is not: about it is what says one of its words
 * that is not frequent here (the rarest one when all are), what is near in meaning, and what acted on a file it names.
 * What only lies beside a hit is not. When there was nothing to go by (`recency`) everything stands.
 */
export function relevant(db: ReadDb, landed: Jump): { hits: Seed[]; leftOut: Seed[] } {
  if (landed.path === 'recency') return { hits: landed.seeds, leftOut: [] }
  const says = sayers(db, landed)
  const near = (id: number): boolean => (landed.cosines.get(id) ?? 0) >= LEAST_COSINE
  const isHit = ({ item, via }: Seed): boolean =>
    says(item.id, via) || near(item.id) || via.includes('entity')
  return { hits: landed.seeds.filter(isHit), leftOut: landed.seeds.filter((seed) => !isHit(seed)) }
}

function sayers(db: ReadDb, { words, seeds }: Jump): (id: number, via: Seed['via']) => boolean {
  const { items } = hydrationSql.recallState(db)
  const most = Math.max(FEW, Math.ceil(FREQUENT * items))
  const count = hydrationSql.wordCounter(db)
  const counted = words.map((word) => ({ word, n: count(word, most + 1) }))
  const rare = counted.filter(({ n }) => n <= most)
  const fewest = counted.reduce((least, { n }) => Math.min(least, n), Number.POSITIVE_INFINITY)
  const telling = rare.length > 0 ? rare : counted.filter(({ n }) => n === fewest)
  if (telling.length === words.length) return (_, via) => via.includes('lexical')
  const found = hydrationSql.saying(
    db,
    telling.map(({ word }) => word),
    seeds.map((seed) => seed.item.id),
  )
  return (id) => found.has(id)
}
