import type { WriteDb } from '../db'
import { indexRecords, mergePages } from '../word-index.queries'
import { segmentsIn } from './segments'

/** Pages written in one step: some ten milliseconds, so that nobody who writes waits long. */
const STEP = 64
/** So many parts are few enough to look into. */
const FEW = 4
/**
 * What lies beside the largest part is worth writing all of it anew from this share of it on: over the years every page
 * is then written about eight times more.
 */
const WORTH = 1 / 8

/**
 * One short step towards a full-text index in one part, where it lies in so many that it is worth it: each part is a page
 * more to read for every word that is looked up. An unfinished merge goes on, also after a crash.
 * @returns whether there was something to do
 */
export function mergeWords(db: WriteDb): boolean {
  const records = indexRecords(db)
  const segments = records && segmentsIn(records.structure)
  if (!segments || segments.length < 2) return false
  const merging = segments.some((segment) => segment.merging)
  if (!merging && !isScattered(segments.map(({ first, last }) => last - first + 1))) return false
  return mergePages(db, STEP, merging)
}

function isScattered(pages: readonly number[]): boolean {
  const largest = Math.max(...pages)
  const beside = pages.reduce((sum, own) => sum + own, 0) - largest
  return pages.length > FEW && beside > WORTH * largest
}
