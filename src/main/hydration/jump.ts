import type { RecallPath } from '../../shared/domain'
import type { AskedFor } from '../../shared/recall'
import { hydrationSql, type ReadDb, vectorSql } from '../store'
import { noProject } from './asked-project'
import { favourAsked, favourSessions, favourSpeaker, lend } from './beside'
import type { Telling } from './excerpt'
import { type Found, fuse, widened } from './fuse'
import { type GoalWords, pruneWords } from './goal-words'
import type { FieldWeights, PlaneSegment, WalkPolicy } from './plane-policy'
import { type Seed, type Seeds, strongest } from './seeds'
import { both, filterOf, segmentsOf } from './segments'
import { walk } from './walk'

export interface Jump {
  seeds: Seed[]
  path: RecallPath
  reason?: string
  /** What was looked up in the full-text index. */
  words: string[]
  /** Those words with what each tells, by its rarity. */
  telling: Telling
  /** All words of the goal that could be looked up, also those that nothing says. */
  asked: Telling
  /** Speakers the goal names. */
  names: string[]
  /** Of what was found by meaning, by row number: the better cosine of the item and of the item in its context. */
  cosines: ReadonlyMap<number, number>
}

export interface JumpRequest {
  words: GoalWords
  asked: AskedFor
  /** The goal's vector, or why there is none. */
  sense: { vector: Float32Array } | { reason: string }
  /** How many items to land on for each way of looking. */
  seeds: number
  /** Each must get its chance; one scan serves all, a second one who got little. */
  segments: readonly PlaneSegment[]
  filter: hydrationSql.RecallFilter
  field: FieldWeights
  /** Absent: the jump alone. */
  walk?: WalkPolicy
}

/** A segment with fewer hits than this out of a full scan is looked for by itself. */
const STARVED = 20
/** Cosines below this are chance for MiniLM. */
const MIN_COSINE = 0.1

/**
 * Counts a goal's words and reads who says them while another thread still makes its vector. That stays known for as long
 * as the index is what it is now.
 */
export function countAhead(db: ReadDb, words: GoalWords): void {
  db.snapshot(() => {
    hydrationSql.lookUpWords(db, words.lookUp)
    const { items } = hydrationSql.recallState(db)
    hydrationSql.readWords(db, pruneWords(words.lookUp, items, hydrationSql.wordCounter(db)))
  })
}

/** Lands on what the goal is about, by words and by meaning, takes in what lies beside it, and walks on from there. */
export function jump(db: ReadDb, request: JumpRequest): Jump {
  const state = hydrationSql.recallState(db)
  const filter = narrowed(request.filter, state.newest)
  hydrationSql.lookUpWords(db, request.words.lookUp)
  const count = hydrationSql.wordCounter(db)
  const words = pruneWords(request.words.lookUp, state.items, count)
  const field = request.asked.broad ? widened(request.field) : request.field
  const found = lookEveryWay(db, { ...request, filter }, words)
  const semantic = found.item.length + found.context.length > 0
  const asked = tellingOf(request.words.lookUp, state.items, count)
  if (found.lexical.length === 0 && !semantic) return { ...newest(db, request, filter, words), asked }
  const seeds = collect(db, found, fuse(found, field))
  const names = favourSpeaker(seeds, request.words.all, field.speaker)
  favourAsked(db, seeds, request.asked, field, filter)
  lend(db, seeds, field, filter)
  if (request.walk)
    walk(db, seeds, {
      policy: request.walk,
      filter,
      goal: request.words.all,
      vector: 'vector' in request.sense ? request.sense.vector : null,
      items: state.items,
      count,
    })
  favourSessions(seeds, field.session)
  return {
    seeds: strongest(seeds.values()),
    words,
    telling: tellingOf(words, state.items, count),
    asked,
    names,
    cosines: found.cosines,
    ...pathOf(request, words, semantic, state),
  }
}

/** Conditions that exclude nothing cost a join, so they are dropped. */
function narrowed(filter: hydrationSql.RecallFilter, newestTs: number): hydrationSql.RecallFilter {
  const { asOf, ...rest } = filter
  return asOf !== undefined && asOf < newestTs ? { ...rest, asOf } : rest
}

/** ln(1 + items / those that say it). */
function tellingOf(words: readonly string[], items: number, count: hydrationSql.CountWord): Telling {
  const most = Math.max(1, Math.ceil(items / 4))
  return new Map(words.map((word) => [word, Math.log(1 + items / Math.max(1, count(word, most)))]))
}

function lookEveryWay(db: ReadDb, request: JumpRequest, words: readonly string[]): Landed {
  const { filter, seeds, segments } = request
  const lexical = hydrationSql.lexical(db, words, seeds, filter)
  const found = { lexical, ...nearGoal(db, request, seeds, filter) }
  if (segments.length === 0 || filter.kinds) return found
  return feedTheStarved(db, request, words, found)
}

/** Both units in one scan of the codes: as many of each as `seeds`, together twice as many. */
function nearGoal(
  db: ReadDb,
  { sense }: JumpRequest,
  seeds: number,
  filter: hydrationSql.RecallFilter,
): Near {
  if (!('vector' in sense)) return { item: [], context: [], cosines: new Map() }
  const { vector } = sense
  const hits = vectorSql.nearest(db, vector, { ...filter, k: 2 * seeds })
  const near = hits.filter((hit) => hit.cosine >= MIN_COSINE)
  const unit = (name: 'item' | 'context'): number[] =>
    near
      .filter((hit) => hit.unit === name)
      .slice(0, seeds)
      .map((hit) => hit.itemId)
  const cosines = new Map<number, number>()
  // Best first, so of an item's two units the better one is met first.
  for (const { itemId, cosine } of near) if (!cosines.has(itemId)) cosines.set(itemId, cosine)
  return { item: unit('item'), context: unit('context'), cosines }
}

interface Near {
  item: number[]
  context: number[]
  cosines: Map<number, number>
}

type Landed = Found & Near & { items?: readonly hydrationSql.RecallItem[] }

function feedTheStarved(
  db: ReadDb,
  request: JumpRequest,
  words: readonly string[],
  found: Found & Near,
): Landed {
  const { segments, seeds, filter } = request
  const full = found.lexical.length >= seeds || found.item.length + found.context.length >= seeds
  // Kinds alone hide nothing from a scan that was not full; a project or a source may lie past its end.
  if (!full) return found
  const ids = [...found.lexical.map((hit) => hit.id), ...found.item, ...found.context]
  const items = hydrationSql.itemsById(db, ids)
  const known = new Set(items.map((item) => item.id))
  const segmentOf = segmentsOf(db, items, segments)
  const merged = {
    items,
    lexical: [...found.lexical],
    item: [...found.item],
    context: [...found.context],
    cosines: found.cosines,
  }
  for (const segment of segments) {
    const got = ids.filter((id) => segmentOf.get(id) === segment.name).length
    if (got >= STARVED) continue
    const within = both(filter, filterOf(segment))
    const more = hydrationSql.lexical(db, words, STARVED, within)
    const near = nearGoal(db, request, STARVED, within)
    merged.lexical.push(...more.filter((hit) => !known.has(hit.id)))
    merged.item.push(...near.item.filter((id) => !known.has(id)))
    merged.context.push(...near.context.filter((id) => !known.has(id)))
  }
  return merged
}

function collect(db: ReadDb, found: Landed, scores: Map<number, number>): Seeds {
  const lexical = new Set(found.lexical.map((hit) => hit.id))
  const semantic = new Set([...found.item, ...found.context])
  const seeds: Seeds = new Map()
  const read = new Set(found.items?.map((item) => item.id))
  const unread = hydrationSql.itemsById(
    db,
    [...scores.keys()].filter((id) => !read.has(id)),
  )
  const items = [...(found.items ?? []), ...unread].sort((a, b) => a.id - b.id)
  for (const item of items) {
    const via: Seed['via'] = []
    if (lexical.has(item.id)) via.push('lexical')
    if (semantic.has(item.id)) via.push('semantic')
    seeds.set(item.id, { item, score: scores.get(item.id) ?? 0, via, hop: 0 })
  }
  return seeds
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
): Omit<Jump, 'asked'> {
  const perSegment = Math.max(10, Math.floor(seeds / 4 / Math.max(1, segments.length)))
  const each = segments.length > 0 ? segments.map((segment) => both(filter, filterOf(segment))) : [filter]
  const items = each.flatMap((within) => hydrationSql.newestItems(db, perSegment, within))
  items.sort((a, b) => b.ts - a.ts || b.id - a.id)
  const what =
    goal.lookUp.length === 0 ? 'There are no words to look up' : 'None of these words was found in memory'
  const why = 'reason' in sense ? sense.reason : 'Nothing near it has a vector.'
  const stranger = items.length === 0 ? noProject(db, filter.project) : null
  return {
    seeds: items.map((item, rank) => ({ item, score: 1 / (10 + rank), via: ['recency'], hop: 0 })),
    path: 'recency',
    reason: stranger ?? `${what}. ${why}`,
    words,
    telling: new Map(),
    names: [],
    cosines: new Map(),
  }
}
