import type { Omitted } from '../../shared/recall'
import { hydrationSql, noveltySql, type ReadDb } from '../store'
import type { Seed } from './jump'
import { cut, ladderOf, type Shown, tidy } from './ladder'
import type { PlanePolicy } from './planes'
import { round, type Terms, weigh } from './pressure'

/** An item that may stand in the frame: what it is worth, why, and the ways it can be shown. */
export interface Contender {
  seed: Seed
  segment: string
  utility: number
  terms: Terms
  text: string
  ladder: Shown[]
}

export interface Field {
  contenders: Contender[]
  omitted: Omitted[]
}

const OF_EACH_SEGMENT = 20

/** Loads what selection needs to know of the best seeds, weighs them, and sets the weak and the doubles aside. */
export function contend(
  db: ReadDb,
  seeds: readonly Seed[],
  plane: PlanePolicy,
  at: { asOf: number; budget: number },
): Field {
  // Even the shortest line costs a dozen tokens, so more than this cannot stand in the frame.
  const width = Math.min(2000, Math.max(150, Math.ceil(at.budget / 10)))
  const top = seeds[0]?.score ?? 1
  const segmentOf = new Map(
    plane.segments.flatMap((segment) => segment.kinds.map((kind) => [kind, segment.name])),
  )
  const wanted = widest(seeds, segmentOf, width)
  const strong = wanted.filter((seed) => seed.score / top >= plane.floor)
  const texts = hydrationSql.textsById(
    db,
    wanted.map((seed) => seed.item.id),
  )
  const textOf = (seed: Seed): string => texts.get(seed.item.id) ?? ''
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
    })),
    plane,
    at.asOf,
  )
  const rungs = storedRungs(
    db,
    strong.map((seed) => seed.item.handle),
  )
  const omitted: Omitted[] = wanted
    .filter((seed) => seed.score / top < plane.floor)
    .map((seed) => miss(seed, textOf(seed), 'below-floor', round(seed.score / top)))
  const contenders: Contender[] = []
  strong.forEach((seed, i) => {
    const { utility = 0, terms, duplicate } = weighed[i] ?? {}
    const text = textOf(seed)
    if (!terms) return
    if (duplicate) {
      omitted.push(miss(seed, text, 'duplicate', utility))
      return
    }
    const { kind, tool, subject } = seed.item
    const source = { kind, tool, subject, text, rungs: rungs.get(seed.item.handle) ?? new Map() }
    const ladder = ladderOf(source, at.budget * 8)
    contenders.push({ seed, segment: segmentOf.get(kind) ?? '', utility, terms, text, ladder })
  })
  return { contenders, omitted }
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

/** The best of all, and of each segment enough to choose from, however strong the others are. */
function widest(seeds: readonly Seed[], segmentOf: ReadonlyMap<string, string>, width: number): Seed[] {
  const taken = new Map<string, number>()
  let room = width
  return seeds.filter((seed) => {
    const segment = segmentOf.get(seed.item.kind)
    if (segment === undefined) return false
    const count = taken.get(segment) ?? 0
    if (room <= 0 && count >= OF_EACH_SEGMENT) return false
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
