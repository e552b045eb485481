import type { BidSource } from '../../../shared/attention'

/** What each source may take of a turn; fixed mode keeps to it, adaptive mode begins with it. */
export const SHARES: Partial<Record<BidSource, number>> = {
  signal: 0.1,
  oracle: 0.12,
  recall: 0.35,
  'session-history': 0.15,
  'working-memory': 0.15,
  dispatch: 0.1,
  upstream: 0.1,
  artifact: 0.2,
  telemetry: 0.05,
  'group-activity': 0.08,
  'visual-scene': 0.05,
  situation: 0.12,
}
