import { type FacultyStore, SIGNAL_KINDS, type Signal, type SignalKind } from '../faculty'
import { traceSql, type WriteDb } from '../store'

/** Faculties' pending state in the database: it survives a restart, and a signal told twice is one. */
export function facultyStore(db: WriteDb): FacultyStore {
  return {
    load: (id) => traceSql.facultyArousal(db, id) ?? null,
    born: (id, parent, at, arousal) => traceSql.facultyBorn(db, id, parent, at, arousal),
    accept: (id, signal) => traceSql.acceptSignal(db, id, signal),
    pending: (id) => traceSql.pendingSignals(db, id).flatMap(toSignal),
    turned: (id, turn) => traceSql.facultyTurned(db, id, turn),
    closed: (id) => traceSql.facultyClosed(db, id),
  }
}

/** A kind that this version does not know is not attended to. */
function toSignal(row: traceSql.SignalRow): Signal[] {
  const known = SIGNAL_KINDS.find((kind: SignalKind) => kind === row.kind)
  return known ? [{ ...row, kind: known }] : []
}
