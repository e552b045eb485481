import { noveltySql, type vectorSql, type WriteDb } from '../../store'
import { sentencesOf } from '../sentences'
import {
  bandsOf,
  contradicts,
  exchanged,
  type Fingerprint,
  fingerprint,
  jaccard,
  LEAST_WORDS,
} from './fingerprint'

type Item = noveltySql.NoveltyItem

/** Kinds in which something is said; a step that is done again is no repetition. */
const SPEECH = new Set(['goal', 'conclusion', 'plan', 'decision', 'note', 'error'])
/** Two texts with this share of features in common, and the same names and turns, are the same one. */
const NEAR = 0.65
/** Cosine from which a text says the same in other words (MiniLM; measured by bench/novelty.mjs). */
const PARAPHRASE = 0.82
/** With this share in common two sentences come from one mould. */
const SAME_MOULD = 0.5
/** Of two texts that say the same the shorter has at least this share of the longer one's words. */
const SAME_LENGTH = 0.7
/** Candidates that are compared for one item: its work does not grow with the journal. */
const COMPARED = { each: 8, all: 24 }

/**
 * Looks for what an item repeats word for word or nearly, by shared bands, and for what repeats it. Linked is always
 * the later one to the earlier. Call it in a transaction, again when the item's text has changed.
 * @returns how many items were compared
 */
export function markRepeats(db: WriteDb, handle: string): number {
  const item = noveltySql.noveltyItem(db, handle)
  if (!item || !SPEECH.has(item.kind)) return 0
  const own = fingerprint(item.text)
  const known = noveltySql.repeatOf(db, item.id)
  noveltySql.forgetRepeats(db, item.id)
  if (own.words === 0) return 0
  const bands = bandsOf(own)
  const others = noveltySql.noveltyItems(db, noveltySql.underSameBands(db, item.id, bands, COMPARED))
  noveltySql.putBands(db, item.id, bands)
  for (const other of others) {
    const alike = compare(own, fingerprint(other.text))
    if (alike) link(db, item, other, alike)
  }
  // What was found by meaning is looked for again only when the text is embedded again.
  if (known && !noveltySql.repeatOf(db, item.id) && !isTextual(known.kind)) noveltySql.putRepeat(db, known)
  return others.length
}

const isTextual = (kind: noveltySql.RepeatKind): boolean => kind === 'exact' || kind === 'near'

interface Likeness {
  kind: 'exact' | 'near'
  similarity: number
}

function compare(a: Fingerprint, b: Fingerprint): Likeness | null {
  if (a.whole === b.whole && jaccard(a.features, b.features) === 1) return { kind: 'exact', similarity: 1 }
  if (Math.min(a.words, b.words) < LEAST_WORDS) return null
  const similarity = jaccard(a.features, b.features)
  return similarity >= NEAR && agree(a, b) && exchanged(a, b) === 0 ? { kind: 'near', similarity } : null
}

const agree = (a: Fingerprint, b: Fingerprint): boolean => !contradicts(a, b)

/** Sentences compared of each of two texts. */
const SENTENCES = 12

/** Whether some sentence stands in both with one word exchanged: then the two speak of two things. */
function sameMould(a: string, b: string): boolean {
  const [one, two] = [a, b].map((text) =>
    sentencesOf(text)
      .slice(0, SENTENCES)
      .map((s) => fingerprint(s.text)),
  )
  return (one ?? []).some((x) =>
    (two ?? []).some((y) => jaccard(x.features, y.features) >= SAME_MOULD && exchanged(x, y) === 1),
  )
}

const sameLength = (a: Fingerprint, b: Fingerprint): boolean =>
  Math.min(a.words, b.words) >= SAME_LENGTH * Math.max(a.words, b.words)

/** Links the later of two to the earlier, unless it is linked to something earlier still. */
function link(
  db: WriteDb,
  a: Item,
  b: Item,
  alike: Likeness | { kind: 'paraphrase'; similarity: number },
): void {
  const [first, later] = before(a, b) ? [a, b] : [b, a]
  const origin = noveltySql.repeatOf(db, first.id)?.firstId ?? first.id
  const known = noveltySql.repeatOf(db, later.id)
  if (origin === later.id) return
  if (known) {
    const [standing] = noveltySql.noveltyItems(db, [known.firstId])
    if (standing && before(standing, first)) return
  }
  noveltySql.putRepeat(db, { itemId: later.id, firstId: origin, receiptId: null, ...alike })
}

const before = (a: Item, b: Item): boolean => a.ts < b.ts || (a.ts === b.ts && a.id < b.id)

/**
 * Links an item to an earlier one that says the same in other words, or a later one to it.
 * @param neighbours the item's nearest by embedding, units of type 'item'
 */
export function markParaphrases(
  db: WriteDb,
  itemId: number,
  neighbours: readonly Pick<vectorSql.VectorHit, 'itemId' | 'cosine'>[],
): void {
  const near = neighbours.filter((hit) => hit.itemId !== itemId && hit.cosine >= PARAPHRASE)
  if (near.length === 0) return
  const [item] = noveltySql.noveltyItems(db, [itemId])
  if (!item || !SPEECH.has(item.kind)) return
  const own = fingerprint(item.text)
  if (own.words < LEAST_WORDS) return
  const others = new Map(
    noveltySql
      .noveltyItems(
        db,
        near.map((hit) => hit.itemId),
      )
      .map((other) => [other.id, other]),
  )
  for (const { itemId: id, cosine } of near) {
    const other = others.get(id)
    if (!other || !SPEECH.has(other.kind)) continue
    const theirs = fingerprint(other.text)
    if (theirs.words < LEAST_WORDS || !agree(own, theirs) || !sameLength(own, theirs)) continue
    if (sameMould(item.text, other.text)) continue
    const later = before(item, other) ? other : item
    if (noveltySql.repeatOf(db, later.id)) continue
    link(db, item, other, { kind: 'paraphrase', similarity: Math.min(1, cosine) })
  }
}
