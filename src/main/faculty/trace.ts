import type { Trace, TraceDifference, TraceRow } from '../../shared/attention'
import { BUDGET, type Entrant } from './entrants'

/** What became of one bid, as it is kept. */
export function traceRow(one: Entrant): TraceRow {
  const { bid, rungs, out } = one
  const stands = out === null && one.rung >= 0 ? rungs[one.rung] : undefined
  const finest = bid.rungs.at(-1)
  const why = out ?? one.fault ?? (stands && stands !== finest ? BUDGET : null)
  return {
    bid: one.id,
    source: bid.source,
    modality: one.modality,
    title: bid.title,
    terms: one.terms,
    salience: one.salience,
    pin: one.pin,
    verdict: stands ? (stands === finest ? 'kept' : 'compressed') : 'dropped',
    level: stands?.level ?? null,
    wanted: finest?.level ?? null,
    reason: why?.reason ?? null,
    detail: why?.detail ?? '',
    tokens: stands?.tokens ?? rungs[0]?.tokens ?? 0,
    rendered: one.rendered,
    place: one.place,
    handles: bid.handles ? [...bid.handles] : [],
  }
}

/** Bids that fared differently in two traces, and those that bid in one only; the others are not listed. */
export function compareTraces(before: Trace, after: Trace): TraceDifference[] {
  const from = new Map(before.rows.map((row) => [row.bid, row]))
  const to = new Map(after.rows.map((row) => [row.bid, row]))
  return [...new Set([...from.keys(), ...to.keys()])].sort().flatMap((bid) => {
    const old = from.get(bid)
    const now = to.get(bid)
    const row = now ?? old
    if (!row || (old && now && sameFate(old, now))) return []
    return [
      {
        bid,
        source: row.source,
        title: row.title,
        before: fate(old),
        after: fate(now),
        moved: moved(old, now),
      },
    ]
  })
}

const sameFate = (a: TraceRow, b: TraceRow): boolean =>
  a.verdict === b.verdict && a.level === b.level && a.reason === b.reason

function fate(row: TraceRow | undefined): TraceDifference['before'] {
  if (!row) return null
  const { verdict, level, reason, detail, salience, tokens } = row
  return { verdict, level, reason, detail, salience, tokens }
}

function moved(old: TraceRow | undefined, now: TraceRow | undefined): TraceDifference['moved'] {
  if (!old || !now) return []
  const names = Object.keys(old.terms) as (keyof TraceRow['terms'])[]
  return names
    .map((name) => ({ name, from: old.terms[name], to: now.terms[name] }))
    .filter((term) => term.from !== term.to)
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from) || (a.name < b.name ? -1 : 1))
}
