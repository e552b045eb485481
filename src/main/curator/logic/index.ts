export {
  type Answer,
  type Answers,
  type AnswerValue,
  LIMITS,
  LogicEngine,
  type LogicHost,
  overLimit,
} from './engine'
export { type EmbedNow, type FindWords, type LogicPorts, logicHost } from './host'
