import type { Trace, TraceRow } from '@shared/attention'
import { plural } from '../lib/format'

/** A line of the comparison: a bid, or, without one, the heading of a group. */
export interface TraceCompareRow {
  key: string
  bid: string | null
  a: TraceRow | null
  b: TraceRow | null
  text: string
}

interface Both {
  a: TraceRow | undefined
  b: TraceRow | undefined
}

const stands = (row: TraceRow | undefined): boolean => row !== undefined && row.verdict !== 'dropped'

// In the order in which a person asks; each bid is told in the first group it belongs to.
const GROUPS: readonly { title: string; has: (pair: Both) => boolean }[] = [
  { title: 'Attended to only in A', has: ({ a, b }) => stands(a) && !stands(b) },
  { title: 'Attended to only in B', has: ({ a, b }) => stands(b) && !stands(a) },
  { title: 'At another rung', has: ({ a, b }) => stands(a) && stands(b) && a?.level !== b?.level },
  {
    title: 'In neither, for different reasons',
    has: ({ a, b }) => !stands(a) && !stands(b) && a?.reason !== b?.reason,
  },
  { title: 'In both', has: ({ a }) => stands(a) },
  { title: 'In neither', has: () => true },
]

/** Every bid of two traces in groups, what differs first; the most salient first in each. */
export function traceCompareRows(before: Trace, after: Trace): TraceCompareRow[] {
  const from = new Map(before.rows.map((row) => [row.bid, row]))
  const to = new Map(after.rows.map((row) => [row.bid, row]))
  const bids = [...new Set([...from.keys(), ...to.keys()])].map((bid) => ({
    bid,
    a: from.get(bid),
    b: to.get(bid),
  }))
  const most = ({ a, b }: Both): number => Math.max(a?.salience ?? 0, b?.salience ?? 0)
  bids.sort((x, y) => most(y) - most(x) || (x.bid < y.bid ? -1 : 1))
  return GROUPS.flatMap(({ title }, place) => {
    const members = bids.filter((pair) => GROUPS.findIndex(({ has }) => has(pair)) === place)
    if (members.length === 0) return []
    const heading = {
      key: title,
      bid: null,
      a: null,
      b: null,
      text: `${title}: ${plural(members.length, 'bid')}`,
    }
    const rows = members.map(({ bid, a, b }) => ({
      key: bid,
      bid,
      a: a ?? null,
      b: b ?? null,
      text: (b ?? a)?.title ?? bid,
    }))
    return [heading, ...rows]
  })
}
