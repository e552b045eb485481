import type { Handle, ReceiptId } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { Feedback, FeedbackVerdict } from '../../shared/recall'
import { feedbackSql, itemSql, type ReadDb, type WriteDb } from '../store'
import { wordsOf } from './goal-words'
import { openReceipt } from './receipt'
import { stopWords } from './stop-words'

/** What a verdict adds to a candidate's utility; half of it also where the goal has nothing to do with that one. */
const WORTH: Record<FeedbackVerdict, number> = { useful: 0.25, wrong: -0.4, pin: 1, never: 0 }

/** Keeps what the person said of a fact. @throws AppError `not-found` */
export function giveFeedback(
  db: WriteDb,
  given: { handle: Handle; verdict: FeedbackVerdict; receipt?: ReceiptId | undefined },
  now: number,
): Feedback {
  const item = itemSql.itemByHandle(db, given.handle)
  if (!item) throw new AppError('not-found', `There is no item ${given.handle}.`)
  const goal = given.receipt === undefined ? '' : openReceipt(db, given.receipt).receipt.goal
  const row = {
    handle: given.handle,
    verdict: given.verdict,
    receipt: given.receipt ?? null,
    goal,
    givenAt: now,
    labels: item.labels,
  }
  const id = feedbackSql.putFeedback(db, row)
  return { id, handle: given.handle, verdict: given.verdict, goal, givenAt: now }
}

/** @throws AppError `not-found` when it was taken back before, or never given */
export function undoFeedback(db: WriteDb, id: number, now: number): void {
  if (!feedbackSql.undoFeedback(db, id, now))
    throw new AppError(
      'not-found',
      `No verdict stands under ${id}: it was taken back, replaced, or never given.`,
    )
}

export function listFeedback(db: ReadDb, handles?: readonly Handle[]): Feedback[] {
  const rows = handles ? feedbackSql.standingOf(db, handles) : feedbackSql.listFeedback(db, 500)
  return rows.map(({ id, handle, verdict, goal, givenAt }) => ({
    id,
    handle: handle as Handle,
    verdict,
    goal,
    givenAt,
  }))
}

export interface Judged {
  verdict: FeedbackVerdict
  /** Goes into the utility as it is. */
  worth: number
}

/** The standing verdict on each item, and what it is worth for a goal: in full where it was given for one like it. */
export function judgements(
  db: ReadDb,
  handles: readonly string[],
  goal: ReadonlySet<string>,
): Map<string, Judged> {
  return new Map(
    feedbackSql.standingOf(db, handles).map(({ handle, verdict, goal: given }) => {
      const alike = verdict === 'pin' ? 1 : 0.5 + 0.5 * shared(goal, given)
      return [handle, { verdict, worth: WORTH[verdict] * alike }]
    }),
  )
}

/** The share of the other goal's telling words that this one says too; 1 when it has none. */
function shared(goal: ReadonlySet<string>, given: string): number {
  const words = [...new Set(wordsOf(given.slice(0, 2000)))].filter((word) => !stopWords.has(word))
  if (words.length === 0) return 1
  return words.filter((word) => goal.has(word)).length / words.length
}
