import { curatorSql, type WriteDb } from '../../store'
import { RUNG_VERSION } from '../rung-version'
import type { Summary } from './answer'
import { ground } from './grounding'
import type { Material } from './material'
import type { Mask } from './prompt.bids'

/** Handles kept as provenance, as for all rungs of more than one item. */
const PROVENANCE = 64

/** What the model saw of a subject: the text its answer must be borne by, and the items that was from. */
export interface Shown {
  material: Material
  text: string
  handles: readonly string[]
}

export interface Stamp {
  model: string
  now: number
  mask: Mask
}

/**
 * Keeps what is sound in a summary, as L1 and L2; what is not keeps the rung made by rules. Inside the caller's
 * transaction.
 * @returns how many rungs were written, and why the sentence was not
 */
export function writeSummary(
  db: WriteDb,
  shown: Shown,
  summary: Summary,
  stamp: Stamp,
): { made: number; reason: string | null } {
  const { material, text: source } = shown
  const { sentence, distillation, reason } = ground(masked(summary, stamp.mask), source)
  const long = sentence !== null && sentence.length > material.longest
  let made = 0
  if (sentence !== null && !long) {
    put(db, shown, { level: 'L1', text: sentence }, stamp)
    made += 1
  }
  const l2 = distillation === null ? null : JSON.stringify(distillation)
  if (l2 !== null && l2.length < material.longest * 0.8) {
    put(db, shown, { level: 'L2', text: l2 }, stamp)
    made += 1
  }
  return { made, reason: long ? 'longer' : reason }
}

function put(db: WriteDb, shown: Shown, rung: { level: 'L1' | 'L2'; text: string }, stamp: Stamp): void {
  const { material, handles } = shown
  curatorSql.putRung(db, {
    subject: material.subject,
    ...rung,
    method: 'model',
    model: stamp.model,
    version: RUNG_VERSION,
    tokens: Math.ceil(rung.text.length / 4),
    createdAt: stamp.now,
    provenance: handles.slice(-PROVENANCE),
    labels: material.labels,
  })
}

/** What comes in passes the same door as what is read. */
function masked(summary: Summary, mask: Mask): Summary {
  const all = (texts: string[]): string[] => texts.map(mask)
  return {
    text: summary.text,
    sentence: mask(summary.sentence),
    entities: all(summary.entities),
    decisions: all(summary.decisions),
    constraints: all(summary.constraints),
    outcomes: all(summary.outcomes),
    open_questions: all(summary.open_questions),
  }
}
