import { z } from 'zod'
import { noveltySql, vectorSql, type WriteDb } from '../../store'
import { coverage, type Fingerprint, fingerprint, LEAST_WORDS } from './fingerprint'

/** What an agent says may be an echo; what a person asks for is not. */
const SPOKEN = new Set(['note', 'conclusion', 'plan'])
/** How long a frame is remembered by the agent that got it, and how many frames are looked at. */
const WINDOW = 24 * 3_600_000
const FRAMES = 5
/** Share of an item's words that the frame's facts hold, or nearness to one of them, from which it adds nothing. */
const COVERED = 0.6
const LIKE = 0.78

const Body = z.object({
  facts: z.array(
    z.object({
      handle: z.string(),
      text: z.string(),
      project: z.string().nullish(),
      session: z.string().nullish(),
    }),
  ),
})
type Fact = z.infer<typeof Body>['facts'][number]

/**
 * Marks an item as an echo when it gives back what a frame of the same session or project had told shortly before,
 * word for word, shortened, or in other words. An item that names something the frame did not is no echo.
 */
export function markEcho(db: WriteDb, itemId: number): void {
  const [item] = noveltySql.noveltyItems(db, [itemId])
  if (!item || !SPOKEN.has(item.kind)) return
  const frames = noveltySql.framesBefore(db, item.ts, item.ts - WINDOW, FRAMES)
  if (frames.length === 0) return
  const own = fingerprint(item.text)
  if (own.words < LEAST_WORDS) return
  for (const frame of frames) {
    const facts = factsOf(frame.body).filter((fact) => belongs(fact, item) && fact.handle !== item.handle)
    const found = echoed(db, item.id, own, facts)
    if (!found) continue
    noveltySql.putRepeat(db, { itemId: item.id, kind: 'echo', receiptId: frame.id, ...found })
    return
  }
}

const belongs = (fact: Fact, item: noveltySql.NoveltyItem): boolean =>
  fact.session === item.session || (fact.project ?? null) === item.project

function factsOf(body: string): Fact[] {
  try {
    return Body.safeParse(JSON.parse(body)).data?.facts ?? []
  } catch {
    return []
  }
}

function echoed(
  db: WriteDb,
  itemId: number,
  own: Fingerprint,
  facts: readonly Fact[],
): { firstId: number; similarity: number } | null {
  const told = facts.map((fact) => ({ fact, print: fingerprint(fact.text) }))
  const named = new Set(told.flatMap(({ print }) => [...print.names]))
  if ([...own.names].some((name) => !named.has(name))) return null
  const all = new Set(told.flatMap(({ print }) => [...print.features]))
  const share = coverage(own.features, all)
  const ids = new Map(facts.map(({ handle }) => [noveltySql.noveltyItem(db, handle)?.id, handle] as const))
  const closest = told
    .map(({ fact, print }) => ({ handle: fact.handle, share: coverage(own.features, print.features) }))
    .sort((a, b) => b.share - a.share)[0]
  if (share >= COVERED && closest) {
    const firstId = [...ids].find(([, handle]) => handle === closest.handle)?.[0]
    return firstId === undefined ? null : { firstId, similarity: share }
  }
  return alike(
    db,
    itemId,
    [...ids.keys()].filter((id) => id !== undefined),
  )
}

function alike(
  db: WriteDb,
  itemId: number,
  others: readonly number[],
): { firstId: number; similarity: number } | null {
  const vectors = vectorSql.vectorsOf(db, [itemId, ...others])
  const own = vectors.get(itemId)
  if (!own) return null
  const best = others
    .map((id) => ({ id, vector: vectors.get(id) }))
    .flatMap(({ id, vector }) => (vector ? [{ firstId: id, similarity: vectorSql.cosine(own, vector) }] : []))
    .sort((a, b) => b.similarity - a.similarity)[0]
  return best && best.similarity >= LIKE ? { ...best, similarity: Math.min(1, best.similarity) } : null
}
