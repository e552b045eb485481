import type { RecallPath } from '../../shared/domain'
import type { Match } from '../../shared/recall'
import { hydrationSql, type ReadDb } from '../store'
import { said, type Telling } from './excerpt'
import type { Jump } from './jump'
import { round } from './pressure'

// How near memory comes to a goal at all. A frame always holds the nearest there is; whether that is near is said apart.

/** So many of the strongest are read for the goal's words. */
const READ = 20
/**
 * Below both, a goal is only weakly matched. Found on 179 questions put to the memory that answers them and the same put
 * to a memory of something else, in two halves: of the first none was called weak, of the others 85 of 88 and 91 of 91.
 * Without vectors the words decide alone, and only when they cover much less: 5 of 179 wrongly, 158 of 179 rightly.
 */
const NEAR = 0.45
const COVERED = 0.5
const COVERED_ALONE = 0.3

/** The better of a goal's likeness in meaning and in words, and whether both are too small to speak of a match. */
export function matchOf(db: ReadDb, landed: Jump, semantic: boolean): Match {
  const cosine = semantic
    ? round([...landed.cosines.values()].reduce((most, one) => Math.max(most, one), 0))
    : null
  const coverage = coverageOf(db, landed)
  const covered = coverage ?? 0
  // Where there was nothing to compare with, what is newest stands in the frame, and it answers nothing.
  const weak = cosine === null ? covered < COVERED_ALONE : cosine < NEAR && covered < COVERED
  return { cosine, coverage, weak }
}

/** Of the weight of all the goal's words, how much the item says that says the most; null for a goal without words. */
function coverageOf(db: ReadDb, { seeds, asked }: Jump): number | null {
  const total = weightOf(asked)
  if (total === 0) return null
  const ids = seeds.slice(0, READ).map((seed) => seed.item.id)
  const texts = [...hydrationSql.textsById(db, ids).values()]
  const most = texts.reduce((best, text) => Math.max(best, said(text, asked)), 0)
  return round(Math.min(1, most / total))
}

const weightOf = (telling: Telling): number => [...telling.values()].reduce((sum, weight) => sum + weight, 0)

/** What a frame says of itself when nothing in it is near. */
export const WEAK_NOTE = 'No close match in memory; what follows is only the nearest.'
export const NEWEST_NOTE = 'No close match in memory; what follows is only the newest.'

/** The line a frame begins with when nothing in it is near; null when something is. */
export const weakNote = ({ weak }: Match, path: RecallPath): string | null =>
  weak ? (path === 'recency' ? NEWEST_NOTE : WEAK_NOTE) : null
