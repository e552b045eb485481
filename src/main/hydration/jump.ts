import type { RecallPath } from '../../shared/domain'
import { hydrationSql, type ReadDb, vectorSql } from '../store'
import { type Found, fuse, fusionWeights, sessionPriors } from './fuse'
import { type GoalWords, pruneWords, wordsOf } from './goal-words'

type Item = hydrationSql.RecallItem
export type Via = 'lexical' | 'semantic' | 'goal' | 'recency' | 'neighbour'

/** An item the jump landed on, or that lies beside one (`hop` 1). `score` is comparable within one jump only. */
export interface Seed {
  item: Item
  score: number
  via: Via[]
  hop: number
}

export interface Jump {
  seeds: Seed[]
  path: RecallPath
  reason?: string
  /** What was looked up in the full-text index. */
  words: string[]
}

export interface JumpRequest {
  words: GoalWords
  /** The goal's vector, or why there is none. */
  sense: { vector: Float32Array } | { reason: string }
  /** How many items to land on for each way of looking. */
  seeds: number
  /** Sets of kinds that must each get their chance; one scan serves all, a second one who got little. */
  segments: readonly { kinds: Item['kind'][] }[]
  filter: hydrationSql.RecallFilter
}

/** Neighbours and goals are looked up for this many of the best only. */
const LENDERS = 150
const GOALS = 5
const PRODUCED = 30
/** A segment with fewer hits than this out of a full scan is looked for by itself. */
const STARVED = 20
/** Cosines below this are chance for MiniLM. */
const MIN_COSINE = 0.1

/** Lands on what the goal is about, by words and by meaning, and takes in what lies beside it. */
export function jump(db: ReadDb, request: JumpRequest): Jump {
  const state = hydrationSql.recallState(db)
  const filter = narrowed(request.filter, state.newest)
  const words = pruneWords(request.words.lookUp, state.items, (word, cap) =>
    hydrationSql.wordFrequency(db, word, cap),
  )
  const found = lookEveryWay(db, { ...request, filter }, words)
  const semantic = found.item.length + found.context.length > 0
  if (found.lexical.length === 0 && !semantic) return newest(db, request, filter, words)
  const scores = fuse(found)
  const seeds = collect(db, found, scores)
  favourSpeaker(seeds, request.words.all)
  lend(db, seeds, filter)
  favourSessions(seeds)
  const ranked = [...seeds.values()].sort((a, b) => b.score - a.score || a.item.id - b.item.id)
  return { seeds: ranked, words, ...pathOf(request, words, semantic, state) }
}

/** Conditions that exclude nothing cost a join, so they are dropped. */
function narrowed(filter: hydrationSql.RecallFilter, newestTs: number): hydrationSql.RecallFilter {
  const { asOf, ...rest } = filter
  return asOf !== undefined && asOf < newestTs ? { ...rest, asOf } : rest
}

function lookEveryWay(db: ReadDb, request: JumpRequest, words: readonly string[]): Found {
  const { filter, seeds, segments } = request
  const lexical = hydrationSql.lexical(db, words, seeds, filter)
  const found = { lexical, ...nearGoal(db, request, seeds, filter) }
  if (segments.length < 2 || filter.kinds) return found
  return feedTheStarved(db, request, words, found)
}

/** Both units in one scan of the codes: as many of each as `seeds`, from about twice as many codes. */
function nearGoal(
  db: ReadDb,
  { sense }: JumpRequest,
  seeds: number,
  filter: hydrationSql.RecallFilter,
): { item: number[]; context: number[] } {
  if (!('vector' in sense)) return { item: [], context: [] }
  const { vector } = sense
  const free = Object.keys(filter).length === 0
  const hits = free
    ? nearestUnfiltered(db, vector, 3 * seeds)
    : vectorSql.nearest(db, vector, { ...filter, k: 2 * seeds })
  const near = hits.filter((hit) => hit.cosine >= MIN_COSINE)
  const unit = (name: 'item' | 'context'): number[] =>
    near
      .filter((hit) => hit.unit === name)
      .slice(0, seeds)
      .map((hit) => hit.itemId)
  return { item: unit('item'), context: unit('context') }
}

function nearestUnfiltered(db: ReadDb, vector: Float32Array, width: number): vectorSql.VectorHit[] {
  const codes = vectorSql.nearestCodes(db, vectorSql.signCode(vector), width)
  return vectorSql.rescore(
    db,
    vector,
    codes.map((code) => code.vectorId),
  )
}

function feedTheStarved(db: ReadDb, request: JumpRequest, words: readonly string[], found: Found): Found {
  const { segments, seeds, filter } = request
  const full = found.lexical.length >= seeds || found.item.length + found.context.length >= seeds
  if (!full) return found
  const ids = [...found.lexical.map((hit) => hit.id), ...found.item, ...found.context]
  const kinds = new Map(hydrationSql.itemsById(db, ids).map((item) => [item.id, item.kind]))
  const merged = { lexical: [...found.lexical], item: [...found.item], context: [...found.context] }
  for (const segment of segments) {
    const got = ids.filter((id) => segment.kinds.includes(kinds.get(id) ?? 'note')).length
    if (got >= STARVED) continue
    const within = { ...filter, kinds: segment.kinds }
    const more = hydrationSql.lexical(db, words, STARVED, within)
    const near = nearGoal(db, request, STARVED, within)
    merged.lexical.push(...more.filter((hit) => !kinds.has(hit.id)))
    merged.item.push(...near.item.filter((id) => !kinds.has(id)))
    merged.context.push(...near.context.filter((id) => !kinds.has(id)))
  }
  return merged
}

function collect(db: ReadDb, found: Found, scores: Map<number, number>): Map<number, Seed> {
  const lexical = new Set(found.lexical.map((hit) => hit.id))
  const semantic = new Set([...found.item, ...found.context])
  const seeds = new Map<number, Seed>()
  for (const item of hydrationSql.itemsById(db, [...scores.keys()])) {
    const via: Via[] = []
    if (lexical.has(item.id)) via.push('lexical')
    if (semantic.has(item.id)) via.push('semantic')
    seeds.set(item.id, { item, score: scores.get(item.id) ?? 0, via, hop: 0 })
  }
  return seeds
}

/** "What did Ada say about …": when the goal names exactly one of those who speak here, their words count more. */
function favourSpeaker(seeds: Map<number, Seed>, goal: ReadonlySet<string>): void {
  const names = new Set<string>()
  for (const { item } of seeds.values()) if (item.name) names.add(item.name)
  const named = [...names].filter((name) => {
    const words = wordsOf(name)
    return words.length > 0 && words.every((word) => goal.has(word))
  })
  if (named.length !== 1) return
  for (const seed of seeds.values()) {
    if (seed.item.name === named[0]) seed.score *= 1 + fusionWeights.speaker
  }
}

type Lent = Map<number, { amount: number; via: Via }>

/** A hit lends score to the items beside it in its session, and a goal to what was produced for it. */
function lend(db: ReadDb, seeds: Map<number, Seed>, filter: hydrationSql.RecallFilter): void {
  const lenders = [...seeds.values()]
    .sort((a, b) => b.score - a.score || a.item.id - b.item.id)
    .slice(0, LENDERS)
    .map((seed) => ({ item: seed.item, score: seed.score }))
  const lent: Lent = new Map()
  const offer = (id: number | null, amount: number, via: Via): void => {
    if (id !== null && amount > (lent.get(id)?.amount ?? 0)) lent.set(id, { amount, via })
  }
  const scores = new Map(lenders.map(({ item, score }) => [item.id, score]))
  for (const { id, before, after, asks } of hydrationSql.besideOf(db, [...scores.keys()], filter)) {
    const score = scores.get(id) ?? 0
    offer(before, fusionWeights.neighbour * score, 'neighbour')
    offer(after, (fusionWeights.neighbour + (asks ? fusionWeights.answer : 0)) * score, 'neighbour')
  }
  for (const { item, score } of lenders.filter((lender) => lender.item.kind === 'goal').slice(0, GOALS)) {
    for (const outcome of hydrationSql.producedFor(db, item, PRODUCED, filter)) {
      offer(outcome.id, fusionWeights.goal * score, 'goal')
    }
  }
  receive(db, seeds, lent)
}

function receive(db: ReadDb, seeds: Map<number, Seed>, lent: Lent): void {
  const unknown = [...lent.keys()].filter((id) => !seeds.has(id))
  for (const item of hydrationSql.itemsById(db, unknown))
    seeds.set(item.id, { item, score: 0, via: [], hop: 1 })
  for (const [id, { amount, via }] of lent) {
    const seed = seeds.get(id)
    if (!seed) continue
    seed.score += amount
    seed.via.push(via)
  }
}

function favourSessions(seeds: Map<number, Seed>): void {
  const own = [...seeds.values()].map(({ item, score }) => ({ session: item.session, score }))
  const priors = sessionPriors(own)
  for (const seed of seeds.values()) seed.score += priors.get(seed.item.session) ?? 0
}

function pathOf(
  { sense, words: goal }: JumpRequest,
  words: readonly string[],
  semantic: boolean,
  state: { items: number; pending: number },
): { path: RecallPath; reason?: string } {
  if (!semantic)
    return {
      path: 'lexical',
      reason: 'reason' in sense ? sense.reason : 'Nothing near it has a vector.',
    }
  if (words.length === 0) {
    const reason =
      goal.lookUp.length === 0 ? 'There are no words to look up.' : 'None of these words occurs in memory.'
    return { path: 'semantic', reason }
  }
  if (state.pending === 0) return { path: 'hybrid' }
  return { path: 'hybrid', reason: `${state.pending} of ${state.items} items still wait for their vectors.` }
}

/** The declared last resort: the most recent items of each segment. */
function newest(
  db: ReadDb,
  { sense, words: goal, segments, seeds }: JumpRequest,
  filter: hydrationSql.RecallFilter,
  words: string[],
): Jump {
  const perSegment = Math.max(10, Math.floor(seeds / 4 / Math.max(1, segments.length)))
  const kinds =
    segments.length > 0 && !filter.kinds ? segments.map((segment) => segment.kinds) : [filter.kinds]
  const items = kinds.flatMap((set) =>
    hydrationSql.newestItems(db, perSegment, { ...filter, ...(set ? { kinds: set } : {}) }),
  )
  items.sort((a, b) => b.ts - a.ts || b.id - a.id)
  const what =
    goal.lookUp.length === 0 ? 'There are no words to look up' : 'None of these words was found in memory'
  const why = 'reason' in sense ? sense.reason : 'Nothing near it has a vector.'
  return {
    seeds: items.map((item, rank) => ({ item, score: 1 / (10 + rank), via: ['recency'], hop: 0 })),
    path: 'recency',
    reason: `${what}. ${why}`,
    words,
  }
}
