import type { BidSource } from '../../shared/attention'
import type { Catalogue, CatalogueEntry, Weights } from './types'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * What each term is worth. Relevance, recency and importance are divided by the sum of their weights; surprise and
 * interrupt come on top, for what the world brings up by itself.
 */
export const WEIGHTS: Weights = { relevance: 1, recency: 0.5, importance: 0.5, surprise: 0.5, interrupt: 1 }

/** Below this salience nothing is worth a token. */
export const FLOOR = 0.02

type Given = Partial<Omit<CatalogueEntry, 'source' | 'slot'>> & {
  priority: number
  share: number
  tau: number
}

const entry = (source: BidSource, given: Given): Omit<CatalogueEntry, 'slot'> => ({
  source,
  modality: 'endogenous',
  pin: false,
  zoneFloor: 'green',
  ambient: false,
  gossip: false,
  anchored: false,
  weights: {},
  ...given,
})

const world = { modality: 'exogenous' as const }
/**
 * What a session did and said last is what it goes on with: there age tells more than words do. Found on half of real
 * sessions, replayed turn by turn, and told for the other half (`npm run bench -- attention`).
 */
const flow = { weights: { relevance: 0.5, recency: 2, importance: 0.1 } }

// In the order in which they stand in fixed mode.
const ENTRIES = [
  entry('safety', { priority: 0, share: 0.05, tau: DAY, pin: true, anchored: true }),
  entry('identity', { priority: 1, share: 0.05, tau: DAY, pin: true, anchored: true }),
  entry('signal', { ...world, priority: 2, share: 0.1, tau: 5 * MINUTE }),
  entry('situation', { priority: 3, share: 0.05, tau: DAY, pin: true }),
  entry('oracle', { priority: 6, share: 0.1, tau: 365 * DAY }),
  entry('attention-map', { priority: 8, share: 0.1, tau: 90 * DAY }),
  entry('recall', { priority: 9, share: 0.3, tau: 30 * DAY }),
  entry('session-history', { ...flow, priority: 10, share: 0.15, tau: DAY }),
  entry('working-memory', { ...flow, priority: 7, share: 0.15, tau: DAY }),
  entry('dispatch', { ...world, priority: 11, share: 0.1, tau: 30 * MINUTE }),
  entry('upstream', { priority: 5, share: 0.2, tau: DAY }),
  entry('artifact', { priority: 4, share: 0.5, tau: DAY, pin: true }),
  entry('percepts', { priority: 12, share: 0.1, tau: DAY }),
  entry('telemetry', { ...world, priority: 13, share: 0.05, tau: 5 * MINUTE, gossip: true }),
  entry('group-activity', { ...world, priority: 14, share: 0.05, tau: 10 * MINUTE, gossip: true }),
  entry('visual-scene', { ...world, priority: 15, share: 0.1, tau: MINUTE, ambient: true }),
]

/** Every source that may bid, once: its slot, priority, share, zone floor and the time its memory fades over. */
export const CATALOGUE: Catalogue = Object.fromEntries(
  ENTRIES.map((one, slot) => [one.source, { ...one, slot }]),
) as Record<BidSource, CatalogueEntry>

/** A number in (0, 1) for the catalogue's priority: what stands in for salience while scoring is off. */
export const rankSalience = (priority: number): number => 1 / (1 + priority)
