import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'

// What waits for a language model, and what came of what it was asked.

/** Who goes first: what is looked at most, then what is made from it. */
export const TIER = { arc: 1, session: 2, span: 3, cell: 4, item: 5 } as const

/** Characters from which a text is worth a model's sentence; below, rules tell it as well. */
const WORTH: Record<string, number> = { conclusion: 400, plan: 400, decision: 600, goal: 600, note: 900 }
/** Items from which an arc or a cell is worth it. */
const ARC_ITEMS = 4
const CELL_ITEMS = 4

/** An arc, or the session it stands in, may still grow; it is asked about when it has been quiet that long. */
export const QUIET_MS = 30 * 60_000

const KINDS = Object.entries(WORTH)
  .map(([kind, chars]) => `(i.kind = '${kind}' AND i.chars >= ${chars})`)
  .join(' OR ')

/** Indexed, long enough, the first to say it, no to-do list, and nothing of it let go. */
const ITEM_WORTH = `i.indexed = 1 AND (${KINDS}) AND json_extract(i.data, '$.todo') IS NOT 1
  AND NOT EXISTS (SELECT 1 FROM duplicates AS d WHERE d.item_id = i.id)
  AND NOT EXISTS (SELECT 1 FROM let_go AS g WHERE g.item_id = i.id)`
const ARC_WORTH = `a.items >= ${ARC_ITEMS} AND EXISTS (SELECT 1 FROM item_rows AS i INDEXED BY items_arc
  WHERE i.arc = ${numberOf('a.id')} AND i.kind IN ('conclusion', 'decision', 'plan', 'note'))`

/** A newer state of what waits already takes its place; what is under way is asked about again afterwards. */
const ON_CONFLICT = `ON CONFLICT (subject) DO UPDATE SET newest_at = excluded.newest_at, ready_at = excluded.ready_at,
  call_id = NULL`
const INTO = 'INSERT INTO model_queue (subject, tier, newest_at, ready_at)'

export function offerItem(db: WriteDb, handle: string): void {
  db.run(
    `${INTO} SELECT i.handle, ${TIER.item}, i.ts, 0 FROM items AS i WHERE i.handle = ? AND ${ITEM_WORTH} ${ON_CONFLICT}`,
    [handle],
  )
}

/** Whether an item is worth it still: what it repeats may have come to light after it was offered. */
export function itemIsWorth(db: ReadDb, handle: string): boolean {
  return (
    db.get(`SELECT 1 AS one FROM items AS i WHERE i.handle = ? AND ${ITEM_WORTH}`, [handle]) !== undefined
  )
}

export function offerArc(db: WriteDb, id: string): void {
  db.run(
    `${INTO} SELECT a.id, ${TIER.arc}, a.ended_at, a.ended_at + ${QUIET_MS} FROM arcs AS a
     WHERE a.id = ? AND ${ARC_WORTH} ${ON_CONFLICT}`,
    [id],
  )
}

export function offerCell(db: WriteDb, id: string, readyAt: number): void {
  db.run(
    `${INTO} SELECT c.id, ${TIER.cell}, c.ended_at, ? FROM cells AS c WHERE c.id = ? AND c.items >= ${CELL_ITEMS} ${ON_CONFLICT}`,
    [readyAt, id],
  )
}

export function offerRollup(
  db: WriteDb,
  rollup: { subject: string; tier: number; newestAt: number; readyAt: number },
): void {
  db.run(`${INTO} VALUES (?, ?, ?, ?) ${ON_CONFLICT}`, [
    rollup.subject,
    rollup.tier,
    rollup.newestAt,
    rollup.readyAt,
  ])
}

/** Asks for the rollups to be told anew; those worth it are then offered. */
export function requeueRollups(db: WriteDb): void {
  db.run(
    `INSERT OR IGNORE INTO rollup_queue (subject) SELECT DISTINCT subject FROM rungs
     WHERE substr(subject, 1, 4) IN ('ses_', 'day_', 'prj_')`,
  )
}

export function offerArcsAndCells(db: WriteDb): void {
  db.run(
    `${INTO} SELECT a.id, ${TIER.arc}, a.ended_at, a.ended_at + ${QUIET_MS} FROM arcs AS a WHERE ${ARC_WORTH} ${ON_CONFLICT}`,
  )
  db.run(
    `${INTO} SELECT c.id, ${TIER.cell}, c.ended_at, 0 FROM cells AS c WHERE c.items >= ${CELL_ITEMS} ${ON_CONFLICT}`,
  )
}

/** Offers the items of one page. @returns the id of its last item, or null when there is no further one */
export function offerItems(db: WriteDb, afterId: number, page: number): number | null {
  const last = db.get<{ id: number | null }>(
    'SELECT max(id) AS id FROM (SELECT id FROM items WHERE id > ? ORDER BY id LIMIT ?)',
    [afterId, page],
  )?.id
  if (last === null || last === undefined) return null
  db.run(
    `${INTO} SELECT i.handle, ${TIER.item}, i.ts, 0 FROM items AS i WHERE i.id > ? AND i.id <= ? AND ${ITEM_WORTH} ${ON_CONFLICT}`,
    [afterId, last],
  )
  return last
}

/**
 * What is worth it and was neither offered nor asked about, by tier. Of the rollups, sessions are counted: which days and
 * projects are worth it is known when they are told anew.
 * @param afterId items up to this one were offered; below 0 nothing was
 */
export function countUnoffered(db: ReadDb, afterId: number): { tier: number; n: number }[] {
  const fresh = (subject: string): string =>
    `NOT EXISTS (SELECT 1 FROM model_done WHERE subject = ${subject})
     AND NOT EXISTS (SELECT 1 FROM model_queue WHERE subject = ${subject})`
  const count = (tier: number, sql: string): { tier: number; n: number } => ({
    tier,
    n: db.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0,
  })
  const items = count(
    TIER.item,
    `items AS i WHERE i.id > ${Number(afterId)} AND ${ITEM_WORTH} AND ${fresh('i.handle')}`,
  )
  if (afterId >= 0) return [items]
  return [
    count(TIER.arc, `arcs AS a WHERE ${ARC_WORTH} AND ${fresh('a.id')}`),
    count(
      TIER.session,
      `(SELECT 'ses_' || session_id AS id FROM arcs GROUP BY session_id HAVING count(*) > 1) AS s WHERE ${fresh('s.id')}`,
    ),
    count(TIER.cell, `cells AS c WHERE c.items >= ${CELL_ITEMS} AND ${fresh('c.id')}`),
    items,
  ]
}

export interface Waiting {
  subject: string
  tier: number
  tries: number
}

/** The next that are ready, all of one tier; one that was tried before comes alone. */
export function nextWaiting(db: ReadDb, now: number, limit: number): Waiting[] {
  const rows = db.all<Waiting>(
    `SELECT subject, tier, tries FROM model_queue WHERE ready_at <= ? AND call_id IS NULL
     ORDER BY tier, newest_at DESC, subject LIMIT ?`,
    [now, limit],
  )
  const [first] = rows
  if (!first || first.tries > 0) return rows.slice(0, 1)
  const other = rows.findIndex(({ tier, tries }) => tier !== first.tier || tries > 0)
  return other < 0 ? rows : rows.slice(0, other)
}

/** When the next one will be ready; null when nothing waits. */
export function readyNext(db: ReadDb): number | null {
  return db.get<{ at: number | null }>('SELECT min(ready_at) AS at FROM model_queue')?.at ?? null
}

export function take(db: WriteDb, subjects: readonly string[], callId: number): void {
  db.run('UPDATE model_queue SET call_id = ? WHERE subject IN (SELECT value FROM json_each(?))', [
    callId,
    JSON.stringify(subjects),
  ])
}

/** A subject that was offered again meanwhile stays. */
export function drop(db: WriteDb, subject: string, callId: number | null): void {
  db.run('DELETE FROM model_queue WHERE subject = ? AND call_id IS ?', [subject, callId])
}

/** Back into the queue. `tried`: it counts as a try. */
export function putBack(db: WriteDb, callId: number, tried: boolean): void {
  db.run('UPDATE model_queue SET call_id = NULL, tries = tries + ? WHERE call_id = ?', [
    tried ? 1 : 0,
    callId,
  ])
}

/** One subject of a call, back into the queue. */
export function tryAgain(db: WriteDb, subject: string): void {
  db.run('UPDATE model_queue SET call_id = NULL, tries = tries + 1 WHERE subject = ?', [subject])
}

export function clearWaiting(db: WriteDb): void {
  db.run('DELETE FROM model_queue')
}

export interface Done {
  basis: string
  size: number
  model: string
  outcome: 'made' | 'kept'
  reason: string | null
  at: number
}

export function done(db: ReadDb, subject: string): Done | undefined {
  return db.get('SELECT basis, size, model, outcome, reason, at FROM model_done WHERE subject = ?', [subject])
}

export function putDone(db: WriteDb, subject: string, row: Done & { callId: number | null }): void {
  db.run(
    `INSERT INTO model_done (subject, basis, size, model, outcome, reason, call_id, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET basis = excluded.basis, size = excluded.size, model = excluded.model,
       outcome = excluded.outcome, reason = excluded.reason, call_id = excluded.call_id, at = excluded.at`,
    [subject, row.basis, row.size, row.model, row.outcome, row.reason, row.callId, row.at],
  )
}

/**
 * Forgets that rules had the last word on a subject for one of these reasons.
 * @returns the subjects, to be offered again
 */
export function forgetKept(db: WriteDb, reasons: readonly string[]): string[] {
  return db
    .all<{ subject: string }>(
      `DELETE FROM model_done WHERE outcome = 'kept' AND reason IN (SELECT value FROM json_each(?)) RETURNING subject`,
      [JSON.stringify(reasons)],
    )
    .map(({ subject }) => subject)
}

/** How much waits, by tier. */
export function countWaiting(db: ReadDb): { tier: number; n: number }[] {
  return db.all('SELECT tier, count(*) AS n FROM model_queue GROUP BY tier')
}

/** What rules made because the model's was of no use, by reason; and how many the model made. */
export function countDone(db: ReadDb): { outcome: 'made' | 'kept'; reason: string | null; n: number }[] {
  return db.all(
    'SELECT outcome, reason, count(*) AS n FROM model_done GROUP BY outcome, reason ORDER BY n DESC',
  )
}

/** What is worth a model's sentence in the whole memory, with the characters that would be read, capped for each. */
export function worth(
  db: ReadDb,
  most: number,
): { kind: 'item' | 'arc' | 'cell' | 'session'; n: number; chars: number }[] {
  const one = <K extends string>(kind: K, sql: string) => ({
    kind,
    ...(db.get<{ n: number; chars: number }>(sql) ?? { n: 0, chars: 0 }),
  })
  return [
    one(
      'item',
      `SELECT count(*) AS n, coalesce(sum(min(i.chars, ${most})), 0) AS chars FROM items AS i WHERE ${ITEM_WORTH}`,
    ),
    one(
      'arc',
      `SELECT count(*) AS n, coalesce(sum(min(chars, ${most})), 0) AS chars FROM (SELECT
         (SELECT sum(min(i.chars, ${most} / 4)) FROM items AS i WHERE i.arc = ${numberOf('a.id')}
            AND i.kind IN ('goal', 'conclusion', 'decision', 'plan', 'note')) AS chars
       FROM arcs AS a WHERE ${ARC_WORTH})`,
    ),
    one('cell', `SELECT count(*) AS n, count(*) * ${most} AS chars FROM cells WHERE items >= ${CELL_ITEMS}`),
    one(
      'session',
      `SELECT count(*) AS n, coalesce(sum(min(arcs * 500, ${most})), 0) AS chars
       FROM (SELECT count(*) AS arcs FROM arcs GROUP BY session_id HAVING arcs > 1)`,
    ),
  ]
}
