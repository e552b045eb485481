// What the benchmarks and tests of the built program drive: the engine, and nothing that needs a window.

// What bench/entities.mjs compares with labels.
// What bench/query.mjs asks, without a thread of its own around it.
export { failureOf, itemEntities, LogicEngine, logicHost } from './curator'
export { createEngine, type Engine } from './engine'
// What bench/faculty.mjs times and bench/attention.mjs replays.
export {
  assemble,
  CATALOGUE,
  depthFor,
  dHash,
  Faculties,
  FIXED_DEPTH,
  NO_SCENE,
  sceneGate,
  shapeOf,
} from './faculty'
// What bench/proxy.mjs replays: the proxy's own arithmetic, without an engine around it.
export { pastGates } from './gates'
// What bench/frames.mjs compares and counts.
export { canonicalReceipt, findByWords } from './hydration'
export { countTokens, createEmbedder } from './models'
export {
  attentionLines,
  chooseSpace,
  DEFAULT_OPTIONS,
  lexicalSpace,
  NO_EXPERIENCE,
  predictCase,
  prepare,
  REVIEWERS,
  replay,
  simulate,
  summarise,
} from './proxy'
// What bench/recall-code.mjs reads beside the engine.
export { curatorSql, openRead, unpackText } from './store'
// What test/built runs command after command.
export { runCli } from './surfaces'
