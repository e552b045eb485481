import type { Omitted } from '../../shared/recall'
import { hydrationSql, noveltySql, type ReadDb } from '../store'
import { said, saysOf, type Telling } from './excerpt'
import { judgements } from './feedback'
import { cut, isShownWhole, ladderOf, type Shown, tidy } from './ladder'
import { detailIn, type PlanePolicy } from './plane-policy'
import { round, type Terms, type Weighed, weigh } from './pressure'
import { type Reversals, reversals } from './reversals'
import type { Seed } from './seeds'
import { segmentsOf } from './segments'

/** An item that may stand in the frame: what it is worth, why, and the ways it can be shown. */
export interface Contender {
  seed: Seed
  segment: string
  utility: number
  terms: Terms
  text: string
  ladder: Shown[]
  /** How much each rung says of what the goal asks for, of what the whole text says of it; 0 to 1. */
  says: number[]
}

export interface Field {
  contenders: Contender[]
  omitted: Omitted[]
}

export interface Arena {
  asOf: number
  budget: number
  /** The goal's words. */
  goal: ReadonlySet<string>
  /** Those of them that were looked up, with what each tells. */
  telling: Telling
  filter: hydrationSql.RecallFilter
}

const OF_EACH_SEGMENT = 20

/** Loads what selection needs to know of the best seeds, weighs them, and sets the weak and the doubles aside. */
export function contend(db: ReadDb, landed: readonly Seed[], plane: PlanePolicy, at: Arena): Field {
  const width = widthFor(landed, at.budget)
  const top = landed[0]?.score ?? 1
  const turned: Reversals =
    plane.weights.tension > 0 ? reversals(db, landed, at.filter, width) : { brought: [], of: new Map() }
  const seeds = [...landed, ...turned.brought]
  const segmentOf = segmentsOf(
    db,
    seeds.map((seed) => seed.item),
    plane.segments,
  )
  const judged = judgements(
    db,
    seeds.map((seed) => seed.item.handle),
    at.goal,
  )
  const wanted = widest(
    seeds,
    segmentOf,
    width,
    (seed) => turned.of.has(seed.item.id) || judged.has(seed.item.handle),
  )
  const floors = new Map(plane.segments.map(({ name, floor }) => [name, floor ?? plane.floor]))
  const isStrong = (seed: Seed): boolean =>
    seed.score / top >= (floors.get(segmentOf.get(seed.item.id) ?? '') ?? plane.floor) ||
    turned.of.has(seed.item.id) ||
    judged.get(seed.item.handle)?.verdict === 'pin'
  const refused = (seed: Seed): boolean => judged.get(seed.item.handle)?.verdict === 'never'
  const strong = wanted.filter((seed) => isStrong(seed) && !refused(seed))
  const texts = hydrationSql.textsById(
    db,
    wanted.map((seed) => seed.item.id),
  )
  const textOf = (seed: Seed): string => texts.get(seed.item.id) ?? ''
  const reversedBy = reversedOf(turned)
  const repeated = repeatedShares(db, strong)
  const weighed = weigh(
    strong.map((seed) => ({
      id: seed.item.id,
      // Squared: what is half as near is a quarter as relevant, so that the focus gets its detail before the rest.
      relevance: (seed.score / top) ** 2 * (1 - DISCOUNT * (repeated.get(seed.item.id) ?? 0)),
      ts: seed.item.ts,
      importance: seed.item.importance,
      text: textOf(seed),
      group: seed.item.arc ?? seed.item.session,
      subject: seed.item.subject,
      tension: turned.of.get(seed.item.id)?.amount ?? 0,
      reversed: reversedBy.get(seed.item.id) ?? 0,
      ...feedbackOf(judged.get(seed.item.handle)?.worth),
    })),
    plane,
    at.asOf,
  )
  const omitted: Omitted[] = wanted
    .filter((seed) => !isStrong(seed) || refused(seed))
    .map((seed) => miss(seed, textOf(seed), refused(seed) ? 'never' : 'below-floor', round(seed.score / top)))
  const field: Field = { contenders: [], omitted }
  seat(db, { strong, weighed, segmentOf, textOf, plane, at }, field)
  return field
}

/** Tokens of a line with its tag, and of a text as much as a frame mostly shows. */
const TAG = 8
const SHOWN = 120

/**
 * How many of the best are weighed. A line costs a dozen tokens at least, so more than a tenth of the budget cannot stand in
 * the frame; what is said in more than a few words fills it twice over much sooner, and then the rest stays outside.
 */
function widthFor(seeds: readonly Seed[], budget: number): number {
  const most = Math.min(2000, Math.max(150, Math.ceil(budget / 10)))
  const least = Math.min(most, Math.max(100, Math.ceil(budget / 16)))
  let tokens = 0
  for (const [i, { item }] of seeds.slice(0, most).entries()) {
    tokens += Math.min(SHOWN, TAG + item.chars / 4)
    if (i + 1 >= least && tokens >= 2 * budget) return i + 1
  }
  return most
}

interface Seating {
  strong: readonly Seed[]
  weighed: readonly Weighed[]
  segmentOf: ReadonlyMap<number, string>
  textOf: (seed: Seed) => string
  plane: PlanePolicy
  at: Arena
}

/** Sorts the weighed into those who stand for a place and those who only repeat one that does. */
function seat(db: ReadDb, { strong, weighed, segmentOf, textOf, plane, at }: Seating, field: Field): void {
  const rungs = storedRungs(
    db,
    // Where a text was let go its sentence stands in its place, which is short and no text.
    strong
      .filter((seed) => seed.item.letGo === 1 || !isShownWhole(textOf(seed)))
      .map((seed) => seed.item.handle),
  )
  const { telling, budget } = at
  const wanted = {
    telling,
    lengths: excerptLengths(detailIn(plane, budget).excerpt),
  }
  strong.forEach((seed, i) => {
    const { utility = 0, terms, duplicate } = weighed[i] ?? {}
    const text = textOf(seed)
    if (!terms) return
    if (duplicate) {
      field.omitted.push(miss(seed, text, 'duplicate', utility))
      return
    }
    const { kind, tool, subject, letGo } = seed.item
    // What stands in place of a text that was let go is no verbatim text.
    const source = {
      kind,
      tool,
      subject,
      text: letGo === 1 ? '' : text,
      rungs: rungs.get(seed.item.handle) ?? new Map(),
    }
    const ladder = ladderOf(source, budget * 8, wanted)
    const all = ladder.length > 1 ? saidInAll(source.text, ladder, telling) : 0
    const says = ladder.map((rung) => round(saysOf(rung.text, telling, all)))
    const segment = segmentOf.get(seed.item.id) ?? ''
    field.contenders.push({ seed, segment, utility, terms, text, ladder, says })
  })
}

/** Of a text that was let go its rungs are all there is. */
const saidInAll = (text: string, ladder: readonly Shown[], telling: Telling): number =>
  text === '' ? Math.max(...ladder.map((rung) => said(rung.text, telling))) : said(text, telling)

/** Half the length for a mention, all of it for an answer. Tokens to characters. */
const excerptLengths = (tokens: number): number[] => (tokens === 0 ? [] : [2 * tokens, 4 * tokens])

const feedbackOf = (worth: number | undefined): { feedback?: number } =>
  worth === undefined ? {} : { feedback: worth }

function reversedOf({ of }: Reversals): Map<number, number> {
  const reversed = new Map<number, number>()
  for (const { of: before, amount } of of.values())
    reversed.set(before, Math.max(reversed.get(before) ?? 0, amount))
  return reversed
}

/** A repetition is worth half of what it would be alone. */
const DISCOUNT = 0.5

/** How far each item repeats another that is here as well, or echoes an earlier frame; 0 to 1. */
function repeatedShares(db: ReadDb, seeds: readonly Seed[]): Map<number, number> {
  const here = new Set(seeds.map((seed) => seed.item.id))
  const shares = new Map<number, number>()
  for (const [id, repeat] of noveltySql.repeatsOf(db, [...here])) {
    if (repeat.kind === 'echo' || here.has(repeat.firstId)) shares.set(id, repeat.similarity)
  }
  return shares
}

/** The best of all, of each segment enough to choose from however strong the others are, and who must be heard. */
function widest(
  seeds: readonly Seed[],
  segmentOf: ReadonlyMap<number, string>,
  width: number,
  heard: (seed: Seed) => boolean,
): Seed[] {
  const taken = new Map<string, number>()
  let room = width
  return seeds.filter((seed) => {
    const segment = segmentOf.get(seed.item.id)
    if (segment === undefined) return false
    const count = taken.get(segment) ?? 0
    if (room <= 0 && count >= OF_EACH_SEGMENT && !heard(seed)) return false
    taken.set(segment, count + 1)
    room -= 1
    return true
  })
}

function storedRungs(db: ReadDb, handles: readonly string[]): Map<string, Map<string, string>> {
  const byHandle = new Map<string, Map<string, string>>()
  for (const { subject, level, text } of hydrationSql.rungsOf(db, handles)) {
    const rungs = byHandle.get(subject)
    if (rungs) rungs.set(level, text)
    else byHandle.set(subject, new Map([[level, text]]))
  }
  return byHandle
}

export function miss(seed: Seed, text: string, reason: Omitted['reason'], score: number): Omitted {
  const title = cut(tidy(text.slice(0, 400)).replace(/\s+/g, ' '), 90)
  return { handle: seed.item.handle as Omitted['handle'], reason, score, title: title || seed.item.kind }
}
