import { modelWorkSql, rollupSql, type WriteDb } from '../../store'
import { offerSubject } from './offers'
import { ASKED_AGAIN } from './reasons'

/**
 * Offers the model once more what rules had the last word on for a reason that another answer may mend: three failed
 * calls, an answer that was cut or not sound. It costs what the first time did, within the same daily budget.
 * @returns how many subjects
 */
export function askAgain(db: WriteDb, now: number): number {
  return db.transaction(() => {
    const subjects = modelWorkSql.forgetKept(db, ASKED_AGAIN)
    for (const subject of subjects) {
      if (subject.startsWith('cel_')) modelWorkSql.offerCell(db, subject, now)
      else if (rollupSql.parseSubject(subject) !== null) rollupSql.enqueueRollup(db, subject)
      else offerSubject(db, subject)
    }
    return subjects.length
  })
}
