import type { ReadDb, SqlValue, WriteDb } from './db'

/** Every project of a day together. */
export const ALL = '*'

export type RollupSubject =
  | { kind: 'session'; session: string }
  /** `day`: local calendar day, YYYY-MM-DD. `project`: '' for none, `*` for all. */
  | { kind: 'day'; day: string; project: string }
  | { kind: 'project'; project: string }

export function subjectText(subject: RollupSubject): string {
  if (subject.kind === 'session') return `ses_${subject.session}`
  return subject.kind === 'day' ? `day_${subject.day}/${subject.project}` : `prj_${subject.project}`
}

export function parseSubject(text: string): RollupSubject | null {
  const rest = text.slice(4)
  if (text.startsWith('ses_')) return { kind: 'session', session: rest }
  if (text.startsWith('prj_')) return { kind: 'project', project: rest }
  if (!/^day_\d{4}-\d{2}-\d{2}\//.test(text)) return null
  return { kind: 'day', day: rest.slice(0, 10), project: rest.slice(11) }
}

/** Asks for the rollups an arc stands in. */
export function enqueueRollups(db: WriteDb, arc: string): void {
  db.run(
    `INSERT OR IGNORE INTO rollup_queue (subject)
     SELECT 'ses_' || session_id FROM arcs WHERE id = ?1
     UNION SELECT 'prj_' || coalesce(project, '') FROM arcs WHERE id = ?1
     UNION SELECT 'day_' || date(started_at / 1000, 'unixepoch', 'localtime') || '/' || coalesce(project, '')
       FROM arcs WHERE id = ?1
     UNION SELECT 'day_' || date(started_at / 1000, 'unixepoch', 'localtime') || '/*' FROM arcs WHERE id = ?1`,
    { 1: arc },
  )
}

/** One rollup, to be told anew. */
export function enqueueRollup(db: WriteDb, subject: string): void {
  db.run('INSERT OR IGNORE INTO rollup_queue (subject) VALUES (?)', [subject])
}

export function nextRollups(db: ReadDb, limit: number): string[] {
  return db
    .all<{ subject: string }>('SELECT subject FROM rollup_queue ORDER BY subject LIMIT ?', [limit])
    .map((row) => row.subject)
}

export function dequeueRollup(db: WriteDb, subject: string): void {
  db.run('DELETE FROM rollup_queue WHERE subject = ?', [subject])
}

export interface RollupArc {
  id: string
  items: number
  endedAt: number
  labels: string
  /** L1 and L2, as far as there are any. */
  sentence: string | null
  distillation: string | null
  /** Handles the two were made from, as JSON. */
  sources: string
}

/** The newest arcs of a rollup, oldest first. */
export function arcsOfRollup(db: ReadDb, subject: RollupSubject, limit: number): RollupArc[] {
  const { where, params } = conditionOf(subject)
  return db
    .all<RollupArc>(
      `SELECT a.id, a.items, a.ended_at AS endedAt, a.labels, one.text AS sentence, two.text AS distillation,
         coalesce(one.provenance, '[]') AS sources
       FROM arcs AS a LEFT JOIN rungs AS one ON one.subject = a.id AND one.level = 'L1'
       LEFT JOIN rungs AS two ON two.subject = a.id AND two.level = 'L2'
       WHERE ${where} ORDER BY a.started_at DESC, a.id DESC LIMIT ?`,
      [...params, limit],
    )
    .reverse()
}

/** How many arcs and items a rollup stands for: of a project it is kept, of a session or a day it is counted. */
export function spanOfRollup(db: ReadDb, subject: RollupSubject): { arcs: number; items: number } {
  if (subject.kind === 'project')
    return (
      db.get<{ arcs: number; items: number }>('SELECT arcs, items FROM project_totals WHERE project = ?', [
        subject.project,
      ]) ?? { arcs: 0, items: 0 }
    )
  const { where, params } = conditionOf(subject)
  const row = db.get<{ arcs: number; items: number | null }>(
    `SELECT count(*) AS arcs, sum(a.items) AS items FROM arcs AS a WHERE ${where}`,
    params,
  )
  return { arcs: row?.arcs ?? 0, items: row?.items ?? 0 }
}

/** A local day as a range of time: SQLite knows the machine's time zone. */
const DAY = `a.started_at >= unixepoch(?, 'utc') * 1000 AND a.started_at < unixepoch(?, '+1 day', 'utc') * 1000`

function conditionOf(subject: RollupSubject): { where: string; params: SqlValue[] } {
  if (subject.kind === 'session') return { where: 'a.session_id = ?', params: [subject.session] }
  if (subject.kind === 'project') return { where: "a.project IS nullif(?, '')", params: [subject.project] }
  const { day, project } = subject
  if (project === ALL) return { where: DAY, params: [day, day] }
  return { where: `a.project IS nullif(?, '') AND ${DAY}`, params: [project, day, day] }
}

/** The sentences of some days, by day; of one project or of all. */
export function daySentences(db: ReadDb, days: readonly string[], project?: string): Map<string, string> {
  const tail = `/${project ?? ALL}`
  const rows = db.all<{ day: string; text: string }>(
    `SELECT wanted.value AS day, r.text FROM json_each(?) AS wanted
     JOIN rungs AS r ON r.subject = 'day_' || wanted.value || ? AND r.level = 'L1'`,
    [JSON.stringify(days), tail],
  )
  return new Map(rows.map((row) => [row.day, row.text]))
}

export function countRollups(db: ReadDb): number {
  return (
    db.get<{ n: number }>(
      `SELECT count(*) AS n FROM rungs WHERE level = 'L3' AND
         (subject >= 'day_' AND subject < 'day\`' OR subject >= 'prj_' AND subject < 'prj\`'
          OR subject >= 'ses_' AND subject < 'ses\`')`,
    )?.n ?? 0
  )
}
