import type { Trace } from '../../shared/attention'

/** What the store keeps of a trace, whatever it was made for: the columns that are worked out from it alone. */
export function traceColumns(trace: Trace) {
  const { mode, zone, budget, spent, rows } = trace
  return {
    mode,
    zone,
    budget,
    spent,
    bids: rows.length,
    kept: rows.filter(({ verdict }) => verdict !== 'dropped').length,
    body: JSON.stringify(trace),
    provenance: JSON.stringify([...new Set(rows.flatMap(({ handles }) => handles))]),
  }
}
