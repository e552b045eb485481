import type { AskedFor, SeededBy } from '../../shared/recall'
import { hydrationSql, type ReadDb } from '../store'
import { atRank, sessionPriors } from './fuse'
import type { FieldWeights } from './plane-policy'
import { namedAmong } from './question'
import { type Gift, receive, type Seeds, strongest } from './seeds'

// What the jump's hits lend to what lies beside them, and what the goal's own words favour.

/** Neighbours and goals are looked up for this many of the best only. */
const LENDERS = 150
const GOALS = 5
const PRODUCED = 30
const ABOUT_PATH = 20

/** "What did Ada say about …": when the goal names exactly one of those who speak here, their words count more. */
export function favourSpeaker(seeds: Seeds, goal: ReadonlySet<string>, weight: number): string[] {
  const speakers = [...seeds.values()].flatMap(({ item }) => (item.name ? [item.name] : []))
  const named = namedAmong(speakers, goal)
  if (named.length !== 1) return named
  for (const seed of seeds.values()) if (seed.item.name === named[0]) seed.score *= 1 + weight
  return named
}

/** Files, times and kinds of things the goal names: what is of them counts more; what acted on a file comes in. */
export function favourAsked(
  db: ReadDb,
  seeds: Seeds,
  asked: AskedFor,
  weights: FieldWeights,
  filter: hydrationSql.RecallFilter,
): void {
  const gifts = new Map<number, Gift>()
  if (weights.path > 0) {
    for (const path of asked.paths ?? [])
      hydrationSql
        .itemsAboutPath(db, path, ABOUT_PATH, filter)
        .forEach((id, rank) => void gifts.set(id, { amount: weights.path * atRank(rank), via: 'entity' }))
    receive(db, seeds, gifts, 0)
  }
  for (const seed of seeds.values()) {
    const { ts, kind } = seed.item
    if (asked.times?.some(({ since, until }) => ts >= since && ts < until)) seed.score *= 1 + weights.time
    if (asked.kinds?.includes(kind)) seed.score *= 1 + weights.kind
  }
}

/** A hit lends score to the items beside it in its session, and a goal to what was produced for it. */
export function lend(
  db: ReadDb,
  seeds: Seeds,
  weights: FieldWeights,
  filter: hydrationSql.RecallFilter,
): void {
  const lenders = strongest(seeds.values(), LENDERS).map((seed) => ({ item: seed.item, score: seed.score }))
  const lent = new Map<number, Gift>()
  const offer = (id: number | null, amount: number, via: SeededBy): void => {
    if (id !== null && amount > (lent.get(id)?.amount ?? 0)) lent.set(id, { amount, via })
  }
  const scores = new Map(lenders.map(({ item, score }) => [item.id, score]))
  for (const { id, before, after, asks } of hydrationSql.besideOf(db, [...scores.keys()], filter)) {
    const score = scores.get(id) ?? 0
    offer(before, weights.neighbour * score, 'neighbour')
    offer(after, (weights.neighbour + (asks ? weights.answer : 0)) * score, 'neighbour')
  }
  const goals = lenders.filter((lender) => lender.item.kind === 'goal').slice(0, GOALS)
  for (const { item, score } of weights.goal > 0 ? goals : []) {
    for (const id of hydrationSql.producedFor(db, item, PRODUCED, filter))
      offer(id, weights.goal * score, 'goal')
  }
  receive(db, seeds, lent, 1)
}

export function favourSessions(seeds: Seeds, weight: number): void {
  const own = [...seeds.values()].map(({ item, score }) => ({ session: item.session, score }))
  const priors = sessionPriors(own, weight)
  for (const seed of seeds.values()) seed.score += priors.get(seed.item.session) ?? 0
}
