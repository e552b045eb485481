export { allocate } from './allocate'
export { assemble, SEPARATOR } from './assemble'
export { CATALOGUE, WEIGHTS } from './catalogue'
export { type Depth, depthFor, FIXED_DEPTH, type Shape, shapeOf } from './depth'
export { concaveSteps, type LadderStep, type RungCost } from './ladder'
export type { Allocation, Budgets, Candidate, Upgrade } from './ledger'
export { type Asked, Faculties, Faculty, facultyId, type Turn, type TurnResult } from './life-cycle'
export { type Count, clip, ladder, rung, within } from './rungs'
export { recency } from './salience'
export {
  dHash,
  HASH_BITS,
  hashDistance,
  isVisualTask,
  NO_SCENE,
  type PictureHash,
  type SceneState,
  type SceneVerdict,
  sceneGate,
} from './scene-gate'
export { SIGNAL_KINDS, type SignalKind } from './signal-kinds'
export { type FacultyStore, type Signal, signalBid, signalTitle } from './signals'
export { spread } from './spreading'
export { compareTraces } from './trace'
export { traceColumns } from './trace-row'
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
export { evict } from './working-memory'
export { attentionMode, CALM, onSignal, onTurn, type ZoneState } from './zones'
