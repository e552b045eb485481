import fc from 'fast-check'
import { type AssembleRequest, type Bid, CATALOGUE } from '../../../src/main/faculty'
import type { BidSource, Trace, TraceRow, Zone } from '../../../src/shared/attention'

export const NOW = Date.UTC(2026, 3, 1, 12)
export const chars4 = (text: string): number => Math.ceil(text.length / 4)
const LEVELS = ['L3', 'L2', 'L1', 'L0'] as const

export const request = (more: Partial<AssembleRequest> = {}): AssembleRequest => ({
  budget: 1000,
  goal: { about: [] },
  mode: 'adaptive',
  scored: true,
  zone: 'green',
  now: NOW,
  count: chars4,
  ...more,
})

/** A bid with one eager text, or with a ladder from short to long. */
export const bid = (
  id: string,
  more: Partial<Bid> & { text?: string; lengths?: readonly number[] } = {},
): Bid => {
  const { text, lengths, ...rest } = more
  const texts = lengths
    ? lengths.map((length) => `${id} ${'x'.repeat(length)}`.slice(0, Math.max(1, length)))
    : [text ?? `text of ${id}`]
  return {
    id,
    source: 'recall',
    title: id,
    terms: { relevance: 0.5 },
    rungs: texts.map((own, i) => ({
      level: LEVELS[LEVELS.length - texts.length + i] ?? 'L0',
      tokens: Math.max(1, chars4(own)),
      render: own,
    })),
    ...rest,
  }
}

export interface Watched {
  bid: Bid
  /** How often its renderers ran. */
  calls: number
}

const term = fc.double({ min: 0, max: 1, noNaN: true })
const sources = Object.keys(CATALOGUE) as BidSource[]
const zones: readonly Zone[] = ['green', 'amber', 'red']

/** Bids of every kind, with lazy renderers that count their calls. Pins are few and small. */
export const watchedBids = (max = 25): fc.Arbitrary<Watched[]> =>
  fc
    .array(
      fc.record({
        source: fc.constantFrom(...sources),
        terms: fc.record({
          relevance: term,
          recency: term,
          importance: term,
          surprise: term,
          interrupt: term,
        }),
        lengths: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 }),
        pin: fc.constantFrom(false, false, false, false, true),
        order: fc.integer({ min: 0, max: 3 }),
        group: fc.constantFrom(undefined, undefined, 'a', 'b'),
        key: fc.constantFrom(undefined, undefined, undefined, 'same'),
        zoneFloor: fc.constantFrom(undefined, undefined, ...zones),
      }),
      { maxLength: max },
    )
    .map((list) =>
      list.map(({ group, key, zoneFloor, lengths, ...entry }, i) => {
        const sorted = [...new Set(lengths)].sort((a, b) => a - b)
        const plain = bid(`b${String(i).padStart(2, '0')}`, {
          ...entry,
          lengths: entry.pin ? sorted.map((length) => Math.min(length, 20)) : sorted,
          ...(group === undefined ? {} : { group }),
          ...(key === undefined ? {} : { key }),
          ...(zoneFloor === undefined ? {} : { zoneFloor }),
        })
        return watch(plain)
      }),
    )

export function watch(plain: Bid): Watched {
  const watched: Watched = { bid: plain, calls: 0 }
  watched.bid = {
    ...plain,
    rungs: plain.rungs.map((rung) => ({
      ...rung,
      render: () => {
        watched.calls += 1
        return typeof rung.render === 'string' ? rung.render : rung.render()
      },
    })),
  }
  return watched
}

export const requests = fc
  .record({
    budget: fc.integer({ min: 150, max: 2000 }),
    mode: fc.constantFrom('fixed' as const, 'adaptive' as const, 'adaptive' as const),
    scored: fc.boolean(),
    zone: fc.constantFrom(...zones),
    shares: fc.constantFrom(undefined, undefined, { recall: 0.5, telemetry: 0.1 }),
  })
  .map(({ shares, ...given }) => request({ ...given, ...(shares ? { shares } : {}) }))

/** A trace's row of one bid. */
export function row(trace: Trace, id: string): TraceRow {
  const found = trace.rows.find((one) => one.bid === id)
  if (!found) throw new Error(`no row for ${id}`)
  return found
}
