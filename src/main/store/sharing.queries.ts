import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'

export interface ExportFilter {
  project?: string | undefined
  kind?: string | undefined
  since?: number | undefined
}

export interface ExportItemRow {
  id: number
  handle: string
  kind: string
  ts: number
  session_id: string
  project: string | null
  arc_id: string | null
  text: string | null
  text_z: Buffer | null
  labels: string
  l1: string | null
  l2: string | null
  l3: string | null
}

const matches = `(:project IS NULL OR project = :project) AND (:kind IS NULL OR kind = :kind) AND ts >= :since`
const bind = (filter: ExportFilter) => ({
  project: filter.project ?? null,
  kind: filter.kind ?? null,
  since: filter.since ?? 0,
})

/** Its verbatim text was let go: what stands there is its sentence. */
const LET_GO = "EXISTS (SELECT 1 FROM let_go WHERE item_id = items.id AND level = 'L0')"

/** The items of an export in row order, a page at a time. */
export function exportItems(db: ReadDb, filter: ExportFilter, after: number, limit: number): ExportItemRow[] {
  return db.all(
    `SELECT id, handle, kind, ts, session_id, project, arc_id,
            CASE WHEN ${LET_GO} THEN NULL ELSE items.text END AS text,
            CASE WHEN ${LET_GO} THEN NULL ELSE items.text_z END AS text_z, items.labels,
            l1.text AS l1, l2.text AS l2, l3.text AS l3
     FROM items
     LEFT JOIN rungs AS l1 ON l1.subject = handle AND l1.level = 'L1'
     LEFT JOIN rungs AS l2 ON l2.subject = handle AND l2.level = 'L2'
     LEFT JOIN rungs AS l3 ON l3.subject = handle AND l3.level = 'L3'
     WHERE id > :after AND ${matches} ORDER BY id LIMIT :limit`,
    { ...bind(filter), after, limit },
  )
}

export interface ExportArcRow {
  id: string
  session_id: string
  project: string | null
  started_at: number
  ended_at: number
  labels: string
  goal_text: string | null
  goal_text_z: Buffer | null
  l1: string | null
  l2: string | null
  l3: string | null
}

/** The arcs that hold at least one item of the export. */
export function exportArcs(db: ReadDb, filter: ExportFilter, after: string, limit: number): ExportArcRow[] {
  return db.all(
    `SELECT arcs.id, arcs.session_id, arcs.project, arcs.started_at, arcs.ended_at, arcs.labels,
            goal.text AS goal_text, goal.text_z AS goal_text_z, l1.text AS l1, l2.text AS l2, l3.text AS l3
     FROM arcs
     LEFT JOIN items AS goal ON goal.handle = arcs.goal_handle
     LEFT JOIN rungs AS l1 ON l1.subject = arcs.id AND l1.level = 'L1'
     LEFT JOIN rungs AS l2 ON l2.subject = arcs.id AND l2.level = 'L2'
     LEFT JOIN rungs AS l3 ON l3.subject = arcs.id AND l3.level = 'L3'
     WHERE arcs.id > :after AND EXISTS (
       SELECT 1 FROM items WHERE items.arc = ${numberOf('arcs.id')} AND (:project IS NULL OR items.project = :project)
       AND (:kind IS NULL OR items.kind = :kind) AND items.ts >= :since)
     ORDER BY arcs.id LIMIT :limit`,
    { ...bind(filter), after, limit },
  )
}

/** The verbatim texts of an arc's items, and their sentences. */
export function textsOfArc(
  db: ReadDb,
  arc: string,
): { text: string | null; text_z: Buffer | null; l1: string | null }[] {
  return db.all(
    `SELECT items.text, items.text_z, l1.text AS l1 FROM items
     LEFT JOIN rungs AS l1 ON l1.subject = handle AND l1.level = 'L1' WHERE arc = ${numberOf()}`,
    [arc],
  )
}

export interface ExportRecord {
  id: string
  file: string
  ceiling: string
  filter: string
  items: number
  restricted: number
  sha256: string
  createdAt: number
}

export function recordExport(db: WriteDb, record: ExportRecord): void {
  db.run(
    `INSERT INTO exports (id, file, ceiling, filter, items, restricted, sha256, created_at)
     VALUES (:id, :file, :ceiling, :filter, :items, :restricted, :sha256, :createdAt)`,
    { ...record },
  )
}
