// What the benchmarks drive: the engine, and nothing that needs a window.

// What bench/entities.mjs compares with labels.
export { failureOf, itemEntities } from './curator'
export { createEngine, type Engine } from './engine'
// What bench/faculty.mjs times.
export { assemble, CATALOGUE } from './faculty'
// What bench/proxy.mjs replays: the proxy's own arithmetic, without an engine around it.
export { pastGates } from './gates'
export { createEmbedder } from './models'
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
