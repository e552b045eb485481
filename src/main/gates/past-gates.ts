import type { PastGate } from '../proxy'
import { gatesSql, type ReadDb } from '../store'
import { gateOf, subjectOf } from './subject'

/** Every decided gate in the order of its decisions, as a replay takes them. */
export function pastGates(db: ReadDb): PastGate[] {
  return gatesSql.decisionsInOrder(db).map(({ gate_id, outcome, notes }) => ({
    ...subjectOf(db, gateOf(db, gate_id)).gate,
    outcome,
    words: notes,
  }))
}
