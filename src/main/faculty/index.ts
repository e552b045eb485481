export { type Allocation, allocate, type Budgets, type Candidate, type Upgrade } from './allocate'
export { assemble, SEPARATOR } from './assemble'
export { CATALOGUE, WEIGHTS } from './catalogue'
export { concaveSteps, type LadderStep, type RungCost } from './ladder'
export { recency } from './salience'
export { SIGNAL_KINDS, type SignalKind } from './signal-kinds'
export { spread } from './spreading'
export { compareTraces } from './trace'
export type {
  AssembleRequest,
  Assembly,
  Bid,
  BidRung,
  Catalogue,
  CatalogueEntry,
  EntityGraph,
  Weights,
} from './types'
export { attentionMode, CALM, onSignal, onTurn, type ZoneState } from './zones'
