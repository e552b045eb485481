import { startOfDay } from '../../../shared/days'
import type { CuratorEstimate, CuratorStatus } from '../../../shared/models'
import { modelCallSql, modelWorkSql, type ReadDb } from '../../store'
import { unofferedAfter } from './offers'
import { canBeAskedAgain, reasonText } from './reasons'
import { type Rest, restNow, type Surroundings } from './rest'
import { modelSettings } from './settings'

/** Tokens of one subject, prompt and answer, before any call has told. */
const EACH = 1_200
/** Characters of one subject that are read on the way, most of the time; characters of a token. */
const READ = 6_000
const CHARS = 4
/** Tokens of an answer for one subject, and of the prompt around it when several share it. */
const ANSWER = 180
const SHARED = 120

/**
 * What the work with the model has done, what it cost, and what is left; true also in a process that does none of it.
 * `own`: what this process rests for, null before it has looked.
 */
export function curatorStatus(
  db: ReadDb,
  around: Surroundings & { clock: () => number },
  own: Rest | null,
): CuratorStatus {
  const now = around.clock()
  const { curator, dailyTokens } = modelSettings(db)
  const { TIER } = modelWorkSql
  const waiting = new Map(modelWorkSql.countWaiting(db).map(({ tier, n }) => [tier, n]))
  // What was there before a model was chosen comes into the queue page by page, once work with it goes on.
  const after = curator === null ? null : unofferedAfter(db)
  if (after !== null)
    for (const { tier, n } of modelWorkSql.countUnoffered(db, after))
      waiting.set(tier, (waiting.get(tier) ?? 0) + n)
  const of = (tier: number): number => waiting.get(tier) ?? 0
  const all = [...waiting.values()].reduce((sum, n) => sum + n, 0)
  const today = modelCallSql.spentSince(db, startOfDay(now))
  const { failed: _, ...total } = modelCallSql.spentSince(db, 0)
  const done = modelWorkSql.countDone(db)
  return {
    ...restNow(db, around, now, own),
    model: curator,
    left: {
      arcs: of(TIER.arc),
      rollups: of(TIER.session) + of(TIER.span),
      cells: of(TIER.cell),
      items: of(TIER.item),
      tokens: Math.round(all * (modelCallSql.tokensEach(db) ?? EACH)),
    },
    today: { ...today, budget: dailyTokens },
    total,
    made: done.reduce((sum, { outcome, n }) => sum + (outcome === 'made' ? n : 0), 0),
    kept: done.flatMap(({ outcome, reason, n }) =>
      outcome === 'kept' ? [{ reason: reasonText(reason), n, again: canBeAskedAgain(reason) }] : [],
    ),
  }
}

/** What everything that is worth a model's summary would take: from its characters, before any of it is read. */
export function curatorEstimate(db: ReadDb): CuratorEstimate {
  const subjects = modelWorkSql.worth(db, READ).map(({ kind, n, chars }) => ({
    kind,
    n,
    tokens: Math.round(chars / CHARS) + n * (ANSWER + SHARED),
  }))
  return { subjects, tokens: subjects.reduce((sum, { tokens }) => sum + tokens, 0) }
}
