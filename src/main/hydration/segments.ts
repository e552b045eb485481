import { startOfDay } from '../../shared/days'
import { hydrationSql, type ReadDb } from '../store'
import type { PlaneSegment } from './plane-policy'

/** A segment's conditions as a filter of the store. */
export function filterOf(segment: PlaneSegment): hydrationSql.RecallFilter {
  const { kinds, projects, sources, tags, cells, since, until } = segment
  return {
    ...(kinds ? { kinds } : {}),
    ...(projects ? { projects } : {}),
    ...(sources ? { sources } : {}),
    ...(tags ? { tags } : {}),
    ...(cells ? { cells } : {}),
    ...(since ? { since: midnight(since) } : {}),
    ...(until ? { asOf: startOfDay(midnight(until), 1) - 1 } : {}),
  }
}

/** The beginning of a day such as `2026-03-01`, in milliseconds UTC. */
const midnight = (day: string): number => Date.parse(`${day}T00:00`)

/** Both filters at once; where both bound the time the narrower bound holds. */
export function both(a: hydrationSql.RecallFilter, b: hydrationSql.RecallFilter): hydrationSql.RecallFilter {
  const since = Math.max(a.since ?? Number.NEGATIVE_INFINITY, b.since ?? Number.NEGATIVE_INFINITY)
  const asOf = Math.min(a.asOf ?? Number.POSITIVE_INFINITY, b.asOf ?? Number.POSITIVE_INFINITY)
  return {
    ...a,
    ...b,
    ...(Number.isFinite(since) ? { since } : {}),
    ...(Number.isFinite(asOf) ? { asOf } : {}),
  }
}

/** The segment of each item: the first it belongs to. Items of no segment are left out. */
export function segmentsOf(
  db: ReadDb,
  items: readonly hydrationSql.RecallItem[],
  segments: readonly PlaneSegment[],
): Map<number, string> {
  const found = new Map<number, string>()
  for (const segment of segments) {
    const left = items.filter((item) => !found.has(item.id))
    const asks = Boolean(segment.sources ?? segment.tags ?? segment.cells)
    const filter = filterOf(segment)
    const within = asks
      ? hydrationSql.fulfilling(
          db,
          left.map((item) => item.id),
          filter,
        )
      : null
    for (const item of left) {
      if (within ? within.has(item.id) : fulfils(item, filter)) found.set(item.id, segment.name)
    }
  }
  return found
}

function fulfils(
  { kind, project, ts }: hydrationSql.RecallItem,
  { kinds, projects, since, asOf }: hydrationSql.RecallFilter,
): boolean {
  if (kinds && !kinds.includes(kind)) return false
  if (projects && (project === null || !projects.includes(project))) return false
  return ts >= (since ?? Number.NEGATIVE_INFINITY) && ts <= (asOf ?? Number.POSITIVE_INFINITY)
}
