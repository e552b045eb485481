import type { ArcLine, ItemLine } from '@shared/journal'
import type { ArcItems } from '../state/timeline'

// The timeline as one flat list, so that it can be virtualised: days, arcs, and the items of the open arcs.

export type TimelineRow =
  | { type: 'day'; key: string; day: string; arcs: number; projects: number }
  | { type: 'arc'; key: string; arc: ArcLine; open: boolean }
  | { type: 'item'; key: string; arc: string; item: ItemLine }
  | { type: 'run'; key: string; arc: string; items: ItemLine[] }
  | { type: 'tail'; key: string; arc: string; state: ArcItems['status']; left: number }

/** Runs of file and command work at least this long are folded into one quiet line. */
const foldFrom = 3

export function timelineRows(
  arcs: readonly ArcLine[],
  open: Readonly<Record<string, ArcItems>>,
  unfolded: ReadonlySet<string>,
): TimelineRow[] {
  const rows: TimelineRow[] = []
  for (const day of daysOf(arcs)) {
    const projects = new Set(day.arcs.map((arc) => arc.project)).size
    rows.push({ type: 'day', key: `day ${day.name}`, day: day.name, arcs: day.arcs.length, projects })
    for (const arc of day.arcs) {
      const inside = open[arc.id]
      rows.push({ type: 'arc', key: `arc ${arc.id}`, arc, open: inside !== undefined })
      if (inside) rows.push(...itemRows(arc.id, inside, unfolded))
    }
  }
  return rows
}

function daysOf(arcs: readonly ArcLine[]): { name: string; arcs: ArcLine[] }[] {
  const days: { name: string; arcs: ArcLine[] }[] = []
  for (const arc of arcs) {
    const last = days[days.length - 1]
    if (last?.name === arc.day) last.arcs.push(arc)
    else days.push({ name: arc.day, arcs: [arc] })
  }
  return days
}

function itemRows(arc: string, inside: ArcItems, unfolded: ReadonlySet<string>): TimelineRow[] {
  const rows = foldRuns(inside.items).flatMap((run): TimelineRow[] => {
    const first = run[0]
    if (!first) return []
    const key = `run ${first.handle}`
    if (run.length >= foldFrom && !unfolded.has(key)) return [{ type: 'run', key, arc, items: run }]
    return run.map((item) => ({ type: 'item', key: `item ${arc} ${item.handle}`, arc, item }))
  })
  const left = inside.total - inside.items.length
  if (inside.status !== 'ready' || left > 0) {
    rows.push({ type: 'tail', key: `tail ${arc}`, arc, state: inside.status, left })
  }
  return rows
}

const isWork = (item: ItemLine): boolean => item.kind === 'file_op' || item.kind === 'command'

/** Neighbouring items of the same working kind together; every other item alone. */
export function foldRuns(items: readonly ItemLine[]): ItemLine[][] {
  const runs: ItemLine[][] = []
  for (const item of items) {
    const last = runs[runs.length - 1]
    if (last && isWork(item) && last[0]?.kind === item.kind) last.push(item)
    else runs.push([item])
  }
  return runs
}
