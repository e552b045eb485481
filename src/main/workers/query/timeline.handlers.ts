import type { Handlers } from '../../../shared/contract'
import { Agent, Handle, ItemKind } from '../../../shared/domain'
import type { ArcLine, DayBucket, ItemLine, Stats } from '../../../shared/journal'
import { cellSql, modelCallSql, modelWorkSql, rollupSql, timelineSql, unpackText } from '../../store'
import type { HandlerContext } from '../context'

type Calls = 'timeline.days' | 'timeline.arcs' | 'timeline.items' | 'projects.list' | 'stats.get'

/** Longest text of a line in a list, in characters; the list itself cuts it further to fit. */
const LINE_CHARS = 400

export const timelineHandlers = ({ read }: HandlerContext): Handlers<Calls> => ({
  'timeline.days': (input) => read.snapshot(() => ({ days: days(read, input) })),
  'timeline.arcs': (input) =>
    read.snapshot(() => ({
      arcs: timelineSql.arcPage(read, input).map(arcLine),
      total: timelineSql.countArcs(read, input.project, input.cell),
    })),
  'timeline.items': (input) =>
    read.snapshot(() => ({
      items: timelineSql.arcItems(read, input).map(itemLine),
      total: timelineSql.countArcItems(read, input.arc),
    })),
  'projects.list': () => ({ projects: timelineSql.projectCounts(read) }),
  'stats.get': () => {
    const counts = timelineSql.counts(read)
    const of = (name: string): number => counts[name] ?? 0
    return {
      sources: of('sources'),
      sessions: of('sessions'),
      items: of('items'),
      goals: of('goals'),
      arcs: of('arcs'),
      rungs: { L1: of('L1'), L2: of('L2'), L3: of('L3') },
      facts: of('facts'),
      entities: of('entities'),
      cells: cellSql.countCells(read),
      vectors: of('vectors'),
      receipts: of('receipts'),
      gates: of('gates'),
      chunks: of('chunks'),
      models: modelCounts(read),
      dbBytes: of('dbBytes'),
    }
  },
})

function modelCounts(read: HandlerContext['read']): Stats['models'] {
  const { calls, promptTokens, answerTokens, ms } = modelCallSql.spentSince(read, 0)
  const sum = (rows: readonly { n: number }[]): number => rows.reduce((all, { n }) => all + n, 0)
  return {
    calls,
    promptTokens,
    answerTokens,
    ms,
    summaries: sum(modelWorkSql.countDone(read).filter(({ outcome }) => outcome === 'made')),
    waiting: sum(modelWorkSql.countWaiting(read)),
  }
}

type Range = Parameters<typeof timelineSql.itemsByDay>[1]

function days(read: HandlerContext['read'], input: Range): DayBucket[] {
  const buckets = new Map<string, DayBucket>()
  const bucket = (day: string): DayBucket => {
    const known = buckets.get(day) ?? { day, items: 0, arcs: 0, byKind: {}, projects: [], rollup: null }
    buckets.set(day, known)
    return known
  }
  for (const row of timelineSql.itemsByDay(read, input)) {
    const day = bucket(row.day)
    day.items += row.items
    day.byKind[ItemKind.parse(row.kind)] = row.items
  }
  for (const row of timelineSql.projectsByDay(read, input)) bucket(row.day).projects.push(row.project)
  for (const row of timelineSql.arcsByDay(read, input)) bucket(row.day).arcs = row.arcs
  for (const [day, text] of rollupSql.daySentences(read, [...buckets.keys()], input.project))
    bucket(day).rollup = text
  return [...buckets.values()].sort((a, b) => a.day.localeCompare(b.day))
}

function arcLine(row: timelineSql.ArcRow): ArcLine {
  const goal = unpackText({ text: row.goal_text, text_z: row.goal_text_z })
  return {
    id: row.id,
    day: row.day,
    session: row.session_id,
    agent: Agent.parse(row.agent),
    project: row.project,
    goal: oneLine(goal),
    goalHandle: row.goal_handle === null ? null : Handle.parse(row.goal_handle),
    summary: row.summary,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    items: row.items,
    byKind: JSON.parse(row.by_kind),
  }
}

/** A short text is shown whole; a long one at its sentence, or at its skeleton when there is none yet. */
function itemLine(row: timelineSql.ArcItemRow): ItemLine {
  const base = {
    handle: Handle.parse(row.handle),
    kind: ItemKind.parse(row.kind),
    ts: row.ts,
    session: row.session_id,
    project: row.project,
  }
  if (row.chars > LINE_CHARS && row.l1 !== null) return { ...base, level: 'L1', text: oneLine(row.l1) }
  if (row.chars > LINE_CHARS && row.l3 !== null) return { ...base, level: 'L3', text: oneLine(row.l3) }
  return { ...base, level: 'L0', text: oneLine(unpackText(row)) }
}

function oneLine(text: string): string {
  const flat = text
    .slice(0, LINE_CHARS * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return flat.length > LINE_CHARS ? `${flat.slice(0, LINE_CHARS - 1).toWellFormed()}…` : flat
}
