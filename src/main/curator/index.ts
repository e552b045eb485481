export { type ArcWork, updateArcs } from './arcs'
export { balanceCells, communities } from './cells/balance'
export { refreshCells } from './cells/refresh'
export { relateItem } from './cells/relate'
export { tendNeighbourhoods } from './cells/tend'
export { clip } from './clip'
export { curate, isDamage, mayReplace, recurateWhenChanged } from './curate'
export type { Distillation } from './distil'
export { distillationText } from './distillation-text'
export { contextText, EMBEDDING_TEXT_VERSION, type EmbeddableItem, itemText } from './embedding-text'
export { type Entity, type EntityType, extractEntities } from './entities'
export { entitiesOfGoal, entityGraph, withEntities } from './entity-graph'
export { keySentence } from './extract'
export { failureOf, itemEntities, type NamedEntity, type NamingItem } from './item-entities'
export { type ItemFact, itemFacts } from './item-facts'
export { itemRungs, type RungDraft } from './item-rungs'
export {
  type Answer,
  type Answers,
  type AnswerValue,
  type EmbedNow,
  type FindWords,
  LIMITS,
  LogicEngine,
  type LogicHost,
  type LogicPorts,
  logicHost,
  overLimit,
} from './logic'
export {
  askAgain,
  curatorEstimate,
  curatorStatus,
  type Mask,
  type ModelPorts,
  modelSettings,
  modelStep,
  type Rest,
  reasonText,
  releaseLease,
  type Step,
} from './model'
export { markEcho } from './novelty/echo'
export { fingerprint, jaccard } from './novelty/fingerprint'
export { meetNeighbours, type TakeNeighbours } from './novelty/neighbours'
export { markParaphrases, markRepeats } from './novelty/repeats'
export { applyRetention, keepRetention, previewRetention, retentionState, saveRetention } from './retention'
export { makeRollups } from './rollups'
export { RUNG_VERSION } from './rung-version'
export { sentencesOf } from './sentences'
export { simpleCommands } from './shell'
export { projectPath } from './short-path'
export { errorLine, stepSentence } from './step-sentences'
export { FACT_VERSION } from './write-facts'
