import type { Outcome, Place, SessionFacts } from '../drafts'

// What every conversation has in common, read whole or read on as it grows.

export const PROSE_LIMIT = 100_000
export const CONCLUSION_LIMIT = 16_000

/** Where something was said. */
export interface Where {
  facts: SessionFacts
  place: Place
  recordId: string | null
  /** false while the record may still grow. */
  closed: boolean
  /** Number of the first part, where a record holds several messages. */
  base?: number
}

/** A record that has made nothing yet. */
export const outcome = (facts: SessionFacts | null): Outcome => ({
  disposition: { kind: 'dropped', reason: 'empty' },
  facts,
  own: [],
  completes: [],
  revises: [],
})

/** Sets why a record that made nothing was dropped; the first reason stays. */
export function because(out: Outcome, reason: string): void {
  if (out.disposition.kind === 'dropped' && out.disposition.reason === 'empty')
    out.disposition = { kind: 'dropped', reason }
}
