export { unpackText as unpack } from '../store'
export {
  type AfterWrite,
  DEFAULT_BUDGET,
  type JournalContext,
  type JournalOptions,
  journalContext,
  openRedactor,
} from './context'
export { dumpLine, dumpLines, dumpTo } from './dump'
export { type EnvelopeInfo, type Receipts, signedWrap, strip, wrap } from './envelope'
export { type EnvelopeKey, envelopeKey, keyFile, keyProblem, noKey } from './envelope-key'
export { facultySettings } from './faculty-settings'
export { facultyStore } from './faculty-store'
export { renderings } from './formats'
export { linkGoals, SAME_GOAL } from './goal-links'
export { isAcknowledgement, keepsGoal } from './goals'
export { type GroupReader, groupReader } from './groups'
export { handleOf, planHash, recordHash } from './handles'
export {
  ingestFiles,
  ingestSources,
  type RunHooks,
  type RunOptions,
  type RunReport,
  type SecondReader,
  silent,
  sweepSources,
  type Target,
} from './ingest'
export type { FileJob, FileStep } from './ingest-file'
export { ingestStream } from './ingest-stream'
export { stripInjected } from './injected'
export * from './item-data'
export { LIVE_MS, LiveAttention } from './live-attention'
export type { Paths } from './paths'
export { patiently } from './patience'
export { hashDistance } from './pictures'
export { projectOf } from './project'
export { mergeProjects, unmergeProject } from './projects'
export { makeRedactor, type Redacted, type Redactor, RULES_VERSION, redactDeep } from './redaction'
export { rescan } from './redaction/rescan'
export { dispatchBids, groupBids, type Sight, telemetryBids, workingMemoryBids } from './session.bids'
export { detect } from './sources/detect'
export { type FoundFile, mayBeTranscript } from './sources/discover'
export {
  enrol,
  enrolStream,
  health,
  listRemoved,
  listSources,
  onDisk,
  removeSource,
  setState,
  sourceNamed,
  sourceToForget,
  targetAt,
  viewOf,
} from './sources/sources'
export { firstLine, headTail, normalise } from './text'
export { sharedTurn, turns } from './turns'
export { type StoredPointer, verifyPointer } from './verify'
export { Watcher, type WatcherPorts } from './watch/watcher'
export { dateWords } from './writing/dates'
