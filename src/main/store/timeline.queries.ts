import type { ReadDb } from './db'
import { numberOf } from './item-names'

export interface DayKindRow {
  day: string
  kind: string
  items: number
}

interface Range {
  project?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

const range = `(:project IS NULL OR project = :project) AND ts >= :from AND ts < :to`
const bind = (r: Range): Record<string, string | number | null> => ({
  project: r.project ?? null,
  from: r.from ?? 0,
  to: r.to ?? Number.MAX_SAFE_INTEGER,
})

/** Items by local calendar day and kind, oldest day first. */
export function itemsByDay(db: ReadDb, r: Range): DayKindRow[] {
  return db.all(
    `SELECT date(ts / 1000, 'unixepoch', 'localtime') AS day, kind, count(*) AS items
     FROM items WHERE ${range} GROUP BY day, kind ORDER BY day`,
    bind(r),
  )
}

export function projectsByDay(db: ReadDb, r: Range): { day: string; project: string }[] {
  return db.all(
    `SELECT DISTINCT date(ts / 1000, 'unixepoch', 'localtime') AS day, project
     FROM items WHERE project IS NOT NULL AND ${range} ORDER BY day, project`,
    bind(r),
  )
}

export function arcsByDay(db: ReadDb, r: Range): { day: string; arcs: number }[] {
  return db.all(
    `SELECT date(started_at / 1000, 'unixepoch', 'localtime') AS day, count(*) AS arcs FROM arcs
     WHERE (:project IS NULL OR project = :project) AND started_at >= :from AND started_at < :to
     GROUP BY day ORDER BY day`,
    bind(r),
  )
}

export interface ArcRow {
  id: string
  day: string
  session_id: string
  agent: string
  project: string | null
  goal_handle: string | null
  goal_text: string | null
  goal_text_z: Buffer | null
  summary: string | null
  started_at: number
  ended_at: number
  items: number
  by_kind: string
}

/** An item of the arc stands in the cell that is asked for. */
const IN_CELL = `(:cell IS NULL OR arcs.id IN (
  SELECT i.arc_id FROM cell_items AS m JOIN items AS i ON i.id = m.item_id WHERE m.cell_id = :cell))`

/** Arcs that start before `before`, newest first. */
export function arcPage(
  db: ReadDb,
  page: {
    project?: string | undefined
    cell?: string | undefined
    before?: number | undefined
    limit: number
  },
): ArcRow[] {
  return db.all(
    `SELECT arcs.id, date(arcs.started_at / 1000, 'unixepoch', 'localtime') AS day, arcs.session_id, sessions.agent,
            arcs.project, arcs.goal_handle, goal.text AS goal_text, goal.text_z AS goal_text_z, rungs.text AS summary,
            arcs.started_at, arcs.ended_at, arcs.items, arcs.by_kind
     FROM arcs
     JOIN sessions ON sessions.id = arcs.session_id
     LEFT JOIN items AS goal ON goal.handle = arcs.goal_handle
     LEFT JOIN rungs ON rungs.subject = arcs.id AND rungs.level = 'L1'
     WHERE (:project IS NULL OR arcs.project = :project) AND ${IN_CELL} AND arcs.started_at < :before
     ORDER BY arcs.started_at DESC, arcs.id LIMIT :limit`,
    {
      project: page.project ?? null,
      cell: page.cell ?? null,
      before: page.before ?? Number.MAX_SAFE_INTEGER,
      limit: page.limit,
    },
  )
}

export function countArcs(db: ReadDb, project: string | undefined, cell?: string): number {
  const row = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM arcs WHERE (:project IS NULL OR project = :project) AND ${IN_CELL}`,
    { project: project ?? null, cell: cell ?? null },
  )
  return row?.n ?? 0
}

export interface ArcItemRow {
  handle: string
  kind: string
  ts: number
  session_id: string
  project: string | null
  text: string | null
  text_z: Buffer | null
  chars: number
  l1: string | null
  l3: string | null
}

/** The items of one arc in the order they happened. */
export function arcItems(db: ReadDb, page: { arc: string; offset: number; limit: number }): ArcItemRow[] {
  return db.all(
    `SELECT items.handle, kind, ts, session_id, project, chars, l1.text AS l1, l3.text AS l3,
            CASE WHEN chars <= 400 OR l1.text IS NULL THEN items.text END AS text,
            CASE WHEN chars <= 400 OR l1.text IS NULL THEN items.text_z END AS text_z
     FROM items
     LEFT JOIN rungs AS l1 ON l1.subject = items.handle AND l1.level = 'L1'
     LEFT JOIN rungs AS l3 ON l3.subject = items.handle AND l3.level = 'L3'
     WHERE arc = ${numberOf(':arc')} ORDER BY position, items.id LIMIT :limit OFFSET :offset`,
    page,
  )
}

export function countArcItems(db: ReadDb, arc: string): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM items WHERE arc = ${numberOf()}`, [arc])?.n ?? 0
}

export function projectCounts(db: ReadDb): { name: string; items: number }[] {
  return db.all(
    'SELECT project AS name, count(*) AS items FROM items WHERE project IS NOT NULL GROUP BY project ORDER BY items DESC, name',
  )
}

/** Row counts of every table that `stats` names. */
export function counts(db: ReadDb): Record<string, number> {
  return (
    db.get<Record<string, number>>(
      `SELECT (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM sessions) AS sessions,
              (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM items WHERE kind = 'goal') AS goals,
              (SELECT count(*) FROM arcs) AS arcs,
              (SELECT count(*) FROM rungs WHERE level = 'L1') AS L1,
              (SELECT count(*) FROM rungs WHERE level = 'L2') AS L2,
              (SELECT count(*) FROM rungs WHERE level = 'L3') AS L3,
              (SELECT count(*) FROM facts) AS facts, (SELECT count(*) FROM entities) AS entities,
              (SELECT count(*) FROM vectors) AS vectors, (SELECT count(*) FROM receipts) AS receipts,
              (SELECT count(*) FROM gates) AS gates, (SELECT count(*) FROM chunks) AS chunks,
              (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS dbBytes`,
    ) ?? {}
  )
}
