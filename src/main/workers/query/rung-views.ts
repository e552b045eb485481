import { Rung } from '../../../shared/domain'
import type { RungView } from '../../../shared/journal'
import { reasonText } from '../../curator'
import { itemSql, modelWorkSql, type ReadDb } from '../../store'

/** The levels a model writes; a skeleton (L3) is always made by rules. */
const BY_MODEL: ReadonlySet<string> = new Set(['L1', 'L2'])

/** The stored rungs of an item, an arc or a cell; one that rules made although a model was asked says why. */
export function rungViews(read: ReadDb, subject: string): RungView[] {
  const done = modelWorkSql.done(read, subject)
  const why = done?.reason ? `not by ${done.model}: ${reasonText(done.reason)}` : null
  return itemSql.rungsOfSubject(read, subject).map((row) => ({
    level: Rung.parse(row.level),
    text: row.text,
    method: row.method,
    model: row.model,
    tokens: row.tokens,
    why: row.method !== 'model' && BY_MODEL.has(row.level) ? why : null,
  }))
}
