import type { Rung } from '@shared/domain'
import type { DayBucket } from '@shared/journal'
import { dayToDate } from '../lib/format'
import { kindRung, rungs } from '../lib/words'

export type Zoom = 'days' | 'weeks' | 'months'

export interface Bar {
  key: string
  /** First and last local calendar day (YYYY-MM-DD) the bar stands for. */
  from: string
  to: string
  items: number
  arcs: number
  /** Items by the rung the timeline shows them at. */
  byRung: Record<Rung, number>
}

const shown: Record<Zoom, number> = { days: 90, weeks: 78, months: 60 }

/** At least this many bars, so that a young memory still shows the time before it. */
const fewest = 30

/** The newest stretch of time as bars without gaps, ending at the newest day that has items. */
export function bars(days: readonly DayBucket[], zoom: Zoom): Bar[] {
  const { oldest, newest } = extent(days)
  if (newest === '') return []
  const found = new Map<string, Bar>()
  const order: Bar[] = []
  // Walk back from the newest day, one bar at a time, until the oldest day or the width is reached.
  for (
    let end = newest;
    order.length < fewest || (order.length < shown[zoom] && end >= startOf(oldest, zoom));
  ) {
    const from = startOf(end, zoom)
    const bar = { key: from, from, to: end, items: 0, arcs: 0, byRung: { L0: 0, L1: 0, L2: 0, L3: 0 } }
    found.set(from, bar)
    order.unshift(bar)
    end = shiftDay(from, -1)
  }
  for (const day of days) {
    const bar = found.get(startOf(day.day, zoom))
    if (!bar) continue
    bar.items += day.items
    bar.arcs += day.arcs
    for (const [kind, n] of Object.entries(day.byKind)) {
      bar.byRung[kindRung[kind as keyof typeof kindRung]] += n ?? 0
    }
  }
  return order
}

/** First and last day that has items; both empty when there is none. */
function extent(days: readonly DayBucket[]): { oldest: string; newest: string } {
  const sorted = days.map((day) => day.day).sort()
  return { oldest: sorted[0] ?? '', newest: sorted[sorted.length - 1] ?? '' }
}

/** Which zoom shows all of it without being sparse. */
export function fittingZoom(days: readonly DayBucket[]): Zoom {
  const { oldest, newest } = extent(days)
  if (newest === '') return 'days'
  const span = (dayToDate(newest).getTime() - dayToDate(oldest).getTime()) / 86_400_000
  return span < shown.days ? 'days' : span < shown.weeks * 7 ? 'weeks' : 'months'
}

export interface Segment {
  rung: Rung
  y: number
  height: number
}

/** A bar's segments from the bottom up, in pixels; a bar with items is never invisible. */
export function segments(bar: Bar, max: number, height: number): Segment[] {
  if (bar.items === 0 || max <= 0) return []
  const total = Math.max(2, (height * bar.items) / max)
  const known = rungs.reduce((sum, rung) => sum + bar.byRung[rung], 0)
  let y = height
  return rungs.flatMap((rung) => {
    const part = known === 0 ? (rung === 'L1' ? total : 0) : (total * bar.byRung[rung]) / known
    y -= part
    return part > 0 ? [{ rung, y, height: part }] : []
  })
}

function startOf(day: string, zoom: Zoom): string {
  if (zoom === 'days') return day
  if (zoom === 'months') return `${day.slice(0, 7)}-01`
  const weekday = (dayToDate(day).getDay() + 6) % 7
  return shiftDay(day, -weekday)
}

export function shiftDay(day: string, by: number): string {
  const date = dayToDate(day)
  date.setDate(date.getDate() + by)
  return localDay(date)
}

/** The local calendar day of a moment, YYYY-MM-DD. */
export function localDay(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The moment after the last of a local day. */
export function endOfDay(day: string): number {
  const date = dayToDate(day)
  date.setHours(24, 0, 0, 0)
  return date.getTime()
}
