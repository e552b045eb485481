import { contextText, isDamage, itemText } from '../../curator'
import type { BacklogEmbedder } from '../../models'
import { indexSql, vectorSql, type WriteDb } from '../../store'

type Subject = indexSql.EmbedSubject

/** Items whose vectors are written in one transaction. */
const BATCH = 16

interface Unit {
  item: Subject
  unit: 'item' | 'context'
  text: string
  provenance: string[]
  labels: string[]
}

/**
 * Embeds the next few items of the queue. Vectors and the end of the wait are one transaction, so after a crash an
 * item has all its vectors or is still queued. An item that cannot be read or embedded leaves the queue without.
 * @returns how many items were tried; 0 when the queue is empty
 * @throws AppError `unavailable` when nothing can be embedded at all; the queue is as it was
 */
export async function embedStep(db: WriteDb, embedder: BacklogEmbedder, model: string): Promise<number> {
  const ids = indexSql.nextToEmbed(db, BATCH)
  const units = new Map<number, Unit[]>()
  for (const id of ids) units.set(id, readUnits(db, id))
  const vectors = await embedEach(embedder, [...units.values()].flat())
  db.transaction(() => {
    for (const [id, own] of units) store(db, id, own, vectors, model)
  })
  return ids.length
}

type Vectors = ReadonlyMap<Unit, Float32Array>

async function embedEach(embedder: BacklogEmbedder, units: readonly Unit[]): Promise<Vectors> {
  const results = await Promise.allSettled(units.map((unit) => embedder.embedLater([unit.text])))
  const vectors = new Map<Unit, Float32Array>()
  let failure: unknown
  results.forEach((result, n) => {
    const unit = units[n]
    if (result.status === 'rejected') failure = result.reason
    else if (unit && result.value[0]) vectors.set(unit, result.value[0])
  })
  // One text may upset the model; when every one does, it is the model.
  if (vectors.size === 0 && failure !== undefined) throw failure
  return vectors
}

function store(db: WriteDb, id: number, units: readonly Unit[], vectors: Vectors, model: string): void {
  const item = units[0]?.item
  if (!item) {
    indexSql.dropFromQueue(db, id)
    return
  }
  if (!indexSql.takeFromQueue(db, item)) return
  vectorSql.deleteVectorsOf(db, id)
  for (const unit of units) {
    const vector = vectors.get(unit)
    if (vector) vectorSql.putVector(db, { ...unit, itemId: id, model, vector })
  }
}

/** The units of an item; none when it is gone, has no words, or its row cannot be read. */
function readUnits(db: WriteDb, id: number): Unit[] {
  try {
    const item = indexSql.embedSubject(db, id)
    return item ? unitsOf(db, item) : []
  } catch (error) {
    if (isDamage(error)) return []
    throw error
  }
}

function unitsOf(db: WriteDb, item: Subject): Unit[] {
  if (!item.indexed) return []
  const own = itemText(item)
  if (own === null) return []
  const units: Unit[] = [{ item, unit: 'item', text: own, provenance: [item.handle], labels: item.labels }]
  const before = indexSql.saidBefore(db, item)
  const context = contextText(item, before)
  if (before && context !== null) {
    const labels = [...new Set([...before.labels, ...item.labels])].sort()
    units.push({ item, unit: 'context', text: context, provenance: [before.handle, item.handle], labels })
  }
  return units
}
