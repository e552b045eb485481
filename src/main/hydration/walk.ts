import { cellSql, cellWalkSql, hydrationSql, type ReadDb, vectorSql } from '../store'
import { atRank } from './fuse'
import { wordsOf } from './goal-words'
import type { WalkPolicy } from './plane-policy'
import { type Gift, receive, type Seed, type Seeds, strongest } from './seeds'
import { stopWords } from './stop-words'

export interface WalkRequest {
  policy: WalkPolicy
  filter: hydrationSql.RecallFilter
  /** The goal's words; a word it says itself has been looked up already. */
  goal: ReadonlySet<string>
  vector: Float32Array | null
  items: number
  count: hydrationSql.CountWord
}

/** Named or said by more than this many, a name or a word links nearly everything with everything. */
const COMMON_FROM = 30
const COMMON_SHARE = 0.02
const ENTITIES = 24
const WORDS = 12
/** Words counted at a time: as many as are chosen, since counting often ends with the first. */
const COUNTED = WORDS
const REACHED = 100
const NEAR_BY = 0.7
/** Members of a cell that are reached. */
const CORE = 12

/**
 * From the strongest outward along what they share: entities weighted by rarity, rare words, meaning, and the turning
 * points of their arcs. What is reached gains `link × decay^(hop − 1)` of the strongest's score at most. The next hop
 * starts from what this one reached above the floor.
 */
export function walk(db: ReadDb, seeds: Seeds, request: WalkRequest): void {
  const { policy } = request
  let from = strongest(seeds.values(), policy.width).map((seed) => ({ ...seed }))
  const top = from[0]?.score ?? 0
  if (top <= 0) return
  const visited = new Set<number>()
  for (let hop = 1; hop <= policy.hops && from.length > 0; hop++) {
    for (const seed of from) visited.add(seed.item.id)
    const gifts = new Map<number, Gift>()
    const strength = top * policy.decay ** (hop - 1)
    for (const [way, reach] of WAYS) {
      const link = policy.links[way]
      if (link === 0) continue
      for (const [id, share] of reach(db, from, request)) {
        const amount = link * strength * share
        const held = gifts.get(id)
        if (!held) gifts.set(id, { amount, via: way })
        else gifts.set(id, { amount: held.amount + amount, via: amount > held.amount ? way : held.via })
      }
    }
    // Most of what a hop reaches names one thing that others name too, and never stands in a frame.
    for (const [id, { amount }] of gifts) if (amount < policy.floor * top && !seeds.has(id)) gifts.delete(id)
    receive(db, seeds, gifts, hop)
    from = strongest(
      [...gifts].flatMap(([id, { amount }]) => {
        const seed = seeds.get(id)
        return seed && !visited.has(id) && amount >= policy.floor * top ? [{ ...seed, score: amount }] : []
      }),
      policy.width,
    )
  }
}

type Reach = (db: ReadDb, from: readonly Seed[], request: WalkRequest) => Map<number, number>

/** Each way answers what it reaches, from 0 to 1. */
const WAYS: readonly [keyof WalkPolicy['links'], Reach][] = [
  ['entity', overEntities],
  ['word', overWords],
  ['near', overMeaning],
  ['arc', overArcs],
  ['cell', overCells],
]

/** Named in one of n items: 1; in all: 0. */
const rarity = (named: number, items: number): number =>
  Math.max(0, 1 - Math.log(named) / Math.log(Math.max(2, items)))

function overEntities(
  db: ReadDb,
  from: readonly Seed[],
  { items, filter }: WalkRequest,
): Map<number, number> {
  const scores = new Map(from.map((seed) => [seed.item.id, seed.score]))
  const named = hydrationSql.namedBy(db, [...scores.keys()])
  if (named.length === 0) return new Map()
  const common = Math.max(COMMON_FROM, Math.ceil(items * COMMON_SHARE))
  const cap = Math.min(200, common)
  const often = hydrationSql.namedHowOften(db, [...new Set(named.map((one) => one.entity))], cap + 1)
  const strengths = new Map<number, number>()
  for (const { item, entity, weight } of named) {
    const count = often.get(entity) ?? 0
    if (count < 2 || count > cap) continue
    const strength = (scores.get(item) ?? 0) * weight * rarity(count, items)
    strengths.set(entity, (strengths.get(entity) ?? 0) + strength)
  }
  const chosen = [...strengths].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, ENTITIES)
  const reached = new Map<number, number>()
  const kept = new Map(chosen)
  // In a fixed order, so that equal memories sum to equal bits.
  const names = [...kept.keys()].sort((a, b) => a - b)
  for (const { item, entity, weight } of hydrationSql.namersOf(db, names, filter)) {
    reached.set(item, (reached.get(item) ?? 0) + (kept.get(entity) ?? 0) * weight)
  }
  return relative(reached)
}

/** The words that tell the strongest apart from the rest lead to who says them too. */
function overWords(
  db: ReadDb,
  from: readonly Seed[],
  { items, filter, goal, count }: WalkRequest,
): Map<number, number> {
  const texts = hydrationSql.textsById(
    db,
    from.map((seed) => seed.item.id),
  )
  const said = new Map<string, number>()
  for (const { item, score } of from) {
    for (const word of new Set(wordsOf((texts.get(item.id) ?? '').slice(0, 600)))) {
      if (word.length < 4 || word.length > 32 || goal.has(word) || stopWords.has(word)) continue
      said.set(word, (said.get(word) ?? 0) + score)
    }
  }
  const likely = [...said].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5 * WORDS)
  const telling = mostTelling(db, likely, items, count)
  const hits = hydrationSql.lexical(
    db,
    telling.map(({ word }) => word),
    REACHED,
    filter,
  )
  return relative(new Map(hits.map(({ id, score }) => [id, score])))
}

/**
 * The words worth the most, by what said them and by rarity. `likely`: the most said first; a word is worth at most what
 * said it, so counting ends where none behind can be among the best.
 */
function mostTelling(
  db: ReadDb,
  likely: readonly [string, number][],
  items: number,
  count: hydrationSql.CountWord,
): { word: string; worth: number }[] {
  const common = Math.min(400, Math.max(COMMON_FROM, Math.ceil(items * 0.05)))
  let best: { word: string; worth: number }[] = []
  for (let from = 0; from < likely.length; from += COUNTED) {
    const next = likely.slice(from, from + COUNTED)
    if (best.length === WORDS && (next[0]?.[1] ?? 0) < (best.at(-1)?.worth ?? 0)) break
    hydrationSql.countWords(
      db,
      next.map(([word]) => word),
      common + 1,
    )
    for (const [word, score] of next) {
      const said = count(word, common + 1)
      if (said > 1 && said <= common) best.push({ word, worth: score * rarity(said, items) })
    }
    best = best.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1)).slice(0, WORDS)
  }
  return best
}

/** Towards the middle of what was found (Rocchio's feedback, in the space of meanings). */
function overMeaning(
  db: ReadDb,
  from: readonly Seed[],
  { vector, filter }: WalkRequest,
): Map<number, number> {
  if (!vector) return new Map()
  const vectors = vectorSql.vectorsOf(
    db,
    from.map((seed) => seed.item.id),
  )
  const towards = Float32Array.from(vector)
  const total = from.reduce((sum, seed) => sum + seed.score, 0)
  for (const { item, score } of from) {
    const own = vectors.get(item.id)
    if (own)
      for (let i = 0; i < towards.length; i++)
        towards[i] = (towards[i] ?? 0) + (NEAR_BY * score * (own[i] ?? 0)) / total
  }
  const length = Math.hypot(...towards) || 1
  const hits = vectorSql.nearest(
    db,
    towards.map((value) => value / length),
    { ...filter, units: ['item'], k: REACHED },
  )
  return new Map(hits.map(({ itemId }, rank) => [itemId, atRank(rank) / atRank(0)]))
}

/** What an arc was for and how it ended tells of all that stands in it. */
function overArcs(db: ReadDb, from: readonly Seed[], { filter }: WalkRequest): Map<number, number> {
  const arcs = new Map<string, number>()
  for (const { item, score } of from)
    if (item.arc) arcs.set(item.arc, Math.max(arcs.get(item.arc) ?? 0, score))
  const points = hydrationSql.turningPoints(db, [...arcs.keys()], filter, 3)
  return relative(new Map(points.map(({ arc, id }) => [id, arcs.get(arc) ?? 0])))
}

/** Into the cells the strongest stand in and, as far as links lead there, the cells beside them. */
function overCells(db: ReadDb, from: readonly Seed[], { filter }: WalkRequest): Map<number, number> {
  const cellOf = cellSql.cellsOfItems(
    db,
    from.map((seed) => seed.item.id),
  )
  const strengths = new Map<string, number>()
  for (const { item, score } of from) {
    const cell = cellOf.get(item.id)
    if (cell !== undefined) strengths.set(cell, (strengths.get(cell) ?? 0) + score)
  }
  const beside = cellWalkSql.cellsBeside(db, [...strengths.keys()]).map(({ cell, other, weight }) => ({
    other,
    amount: weight * (strengths.get(cell) ?? 0),
  }))
  for (const { other, amount } of beside) strengths.set(other, (strengths.get(other) ?? 0) + amount)
  const reached = new Map<number, number>()
  for (const { cell, item, weight } of cellWalkSql.coreOfCells(db, [...strengths.keys()], CORE, filter))
    reached.set(item, (strengths.get(cell) ?? 0) * Math.min(1, weight))
  return relative(reached)
}

function relative(reached: Map<number, number>): Map<number, number> {
  const most = [...reached.values()].reduce((max, value) => Math.max(max, value), 0)
  if (most === 0) return new Map()
  return new Map([...reached].map(([id, value]) => [id, value / most]))
}
