import { noveltySql, vectorSql, type WriteDb } from '../../store'
import { markEcho } from './echo'
import { markParaphrases } from './repeats'

/** Items done in one transaction, and the sign codes it reads for them: each item costs a scan of all. */
const BATCH = 8
const SCANNED = 150_000
const NEAREST = 12
/** Codes whose vectors are compared exactly: for neighbours among many a rough first choice is good enough. */
const CODES = 48

/** What becomes of an item's neighbours beside the search for repeats; cells are made of them. */
export type TakeNeighbours = (db: WriteDb, itemId: number, hits: readonly vectorSql.VectorHit[]) => void

/**
 * Looks for the neighbours by meaning of the items that were embedded last, and marks paraphrases and echoes. Reading,
 * writing and leaving the queue are one transaction.
 * @returns how many items left the queue; 0 when it is empty
 */
export function meetNeighbours(db: WriteDb, options: { limit?: number; take?: TakeNeighbours } = {}): number {
  if (noveltySql.countNeighbourQueue(db, 1) === 0) return 0
  return db.transaction(() => {
    const most = Math.max(1, Math.min(BATCH, Math.floor(SCANNED / (1 + vectorSql.countVectors(db)))))
    const ids = noveltySql.nextNeighbours(db, options.limit ?? most)
    const vectors = vectorSql.vectorsOf(db, ids)
    for (const id of ids) {
      const vector = vectors.get(id)
      const hits = vector ? nearest(db, vector) : []
      markParaphrases(db, id, hits)
      markEcho(db, id)
      options.take?.(
        db,
        id,
        hits.filter((hit) => hit.itemId !== id),
      )
      noveltySql.dequeueNeighbour(db, id)
    }
    return ids.length
  })
}

function nearest(db: WriteDb, vector: Float32Array): vectorSql.VectorHit[] {
  const codes = vectorSql.nearestCodes(db, vectorSql.signCode(vector), CODES, { units: ['item'] })
  const ids = codes.map((code) => code.vectorId)
  return vectorSql.rescore(db, vector, ids).slice(0, NEAREST)
}
