import { startOfDay } from '../../../shared/days'
import { modelWorkSql, type ReadDb, rollupSql, settingsSql, type WriteDb } from '../../store'

// Who waits for the model: what is made or changed while one is chosen, and once everything from before.

const KEY = 'model.offered'
const PAGE = 5_000
const DAY_MS = 86_400_000

/** Offers an item or an arc that has just got its rungs, if it is worth it. */
export function offerSubject(db: WriteDb, subject: string): void {
  if (subject.startsWith('arc_')) modelWorkSql.offerArc(db, subject)
  else modelWorkSql.offerItem(db, subject)
}

/** Offers a rollup of more than one arc: a session when it is quiet, a day when it is over, a project once a day. */
export function offerRollup(
  db: WriteDb,
  subject: string,
  rollup: { arcs: number; newestAt: number; now: number },
): void {
  const parsed = rollupSql.parseSubject(subject)
  if (parsed === null || rollup.arcs < 2) return
  const { newestAt, now } = rollup
  const tomorrow = startOfDay(Math.max(newestAt, now - DAY_MS), 1)
  modelWorkSql.offerRollup(db, {
    subject,
    tier: parsed.kind === 'session' ? modelWorkSql.TIER.session : modelWorkSql.TIER.span,
    newestAt,
    readyAt: parsed.kind === 'session' ? newestAt + modelWorkSql.QUIET_MS : tomorrow,
  })
}

/** The item after which nothing was offered yet; -1: neither were arcs and cells; null: all was. */
export function unofferedAfter(db: ReadDb): number | null {
  const stored = settingsSql.readMeta(db, KEY)
  if (stored === 'all') return null
  const after = Number(stored ?? '')
  return !stored || !Number.isSafeInteger(after) ? -1 : after
}

/** One page of what was there before a model was chosen. @returns false when all of it was offered */
export function offerEarlier(db: WriteDb): boolean {
  if (unofferedAfter(db) === null) return false
  return db.transaction(() => {
    const after = unofferedAfter(db)
    if (after === null) return false
    if (after < 0) {
      modelWorkSql.offerArcsAndCells(db)
      modelWorkSql.requeueRollups(db)
      settingsSql.writeMeta(db, KEY, '0')
      return true
    }
    const last = modelWorkSql.offerItems(db, after, PAGE)
    settingsSql.writeMeta(db, KEY, last === null ? 'all' : String(last))
    return true
  })
}

/** No model is chosen any more: nothing waits for one, and the next one is offered everything. */
export function withdrawOffers(db: WriteDb): void {
  if (!settingsSql.readMeta(db, KEY)) return
  db.transaction(() => {
    modelWorkSql.clearWaiting(db)
    settingsSql.writeMeta(db, KEY, '')
  })
}
