import { isServerFault, ModelFailure } from '../../models'
import { modelCallSql, modelWorkSql, type WriteDb } from '../../store'
import type { Material } from './material'
import type { Step } from './rest'

/** Calls that fail or are cut off before rules have the last word on a subject. */
export const TRIES = 3

interface FailedCall {
  callId: number
  materials: readonly Material[]
  model: string
  now: number
}

/** Settles a call that failed: its cost, and what becomes of what it was about. */
export function failed(db: WriteDb, error: unknown, { callId, materials, model, now }: FailedCall): Step {
  const failure = error instanceof ModelFailure ? error : null
  const kind = failure?.kind ?? 'protocol'
  const usage = failure?.usage ?? { promptTokens: 0, answerTokens: 0, tries: 0, ms: 0 }
  const away = isServerFault(kind) || kind === 'aborted'
  db.transaction(() => {
    modelCallSql.endCall(db, callId, { ...usage, endedAt: now, outcome: 'failed', reason: kind })
    const [only] = materials
    // A fault of the server says nothing of the text; one answer for several says little of each.
    if (away || materials.length > 1) modelWorkSql.putBack(db, callId, !away)
    else if (only && FINAL.has(kind) && !failure?.cutShort)
      keep(db, only, { model, reason: kind, callId, now })
    else modelWorkSql.putBack(db, callId, true)
  })
  if (!failure) throw error
  return away || kind === 'server' || isDying(db, model) ? resting(failure) : { did: 'asked' }
}

/** The client has asked twice, or would be told the same again. */
const FINAL: ReadonlySet<string> = new Set(['empty', 'cut', 'not-json', 'wrong-shape', 'too-long'])
const DYING = ['broke-off', 'timeout', 'server']

/** Whether the model died in more answers in a row than any one text is asked about: then it dies of no text. */
const isDying = (db: WriteDb, model: string): boolean =>
  modelCallSql.failedInARow(db, model, { reasons: DYING, most: TRIES + 1 }) > TRIES

export function resting(error: unknown): Step {
  if (!(error instanceof ModelFailure)) throw error
  return { resting: 'waiting', reason: error.message, until: null, fault: true }
}

/** Rules have the last word on a subject. */
export function keep(
  db: WriteDb,
  { subject, basis, size }: Material,
  { model, reason, callId, now }: { model: string; reason: string; callId: number | null; now: number },
): void {
  modelWorkSql.putDone(db, subject, { basis, size, model, outcome: 'kept', reason, callId, at: now })
  modelWorkSql.drop(db, subject, callId)
}
