export {
  type AfterWrite,
  DEFAULT_BUDGET,
  type JournalContext,
  type JournalOptions,
  journalContext,
} from './context'
export { dumpLine, dumpLines, dumpTo } from './dump'
export { type EnvelopeInfo, strip, wrap } from './envelope'
export { isAcknowledgement } from './goals'
export { handleOf, planHash, recordHash } from './handles'
export { ingestSources, type RunHooks, type RunReport, silent } from './ingest'
export { stripInjected } from './injected'
export * from './item-data'
export { projectOf } from './project'
export { makeRedactor, type Redacted, type Redactor, RULES_VERSION, redactDeep } from './redaction'
export {
  enrol,
  enrolStream,
  health,
  listSources,
  removeSource,
  setState,
  sourceNamed,
  viewOf,
} from './sources/sources'
export { firstLine, headTail, normalise } from './text'
export { dateWords } from './writing/dates'
export { pack, unpack } from './writing/values'
