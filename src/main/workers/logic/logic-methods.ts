import type { CallOutput, ParsedInput } from '../../../shared/contract'
import { LogicEngine, type LogicPorts, logicHost } from '../../curator'
import type { Methods } from '../rpc'

type QueryInput = ParsedInput<'query.run'>

/** What the logic worker answers. */
export interface LogicMethods extends Methods {
  /** Answers when the engine has started. */
  ready: (input: object) => Promise<object>
  /** With the bytes the engine holds afterwards: they never shrink, so whoever asks may end the thread for them. */
  'query.run': (input: QueryInput) => Promise<CallOutput<'query.run'> & { heapBytes: number }>
  close: (input: object) => Promise<object>
}

export function logicMethods(ports: LogicPorts, now: () => number): LogicMethods {
  let engine: Promise<LogicEngine> | undefined
  const started = (): Promise<LogicEngine> => {
    engine ??= LogicEngine.start(logicHost(ports))
    return engine
  }
  return {
    ready: async () => {
      await started()
      return {}
    },
    'query.run': async ({ goal, limit }) => {
      const logic = await started()
      const from = now()
      // One state of the journal for the whole query, while others write.
      const answers = ports.read.snapshot(() => logic.ask(goal, limit))
      return { ...answers, ms: Math.round((now() - from) * 10) / 10, heapBytes: logic.heapBytes() }
    },
    close: async () => {
      ports.read.close()
      return {}
    },
  }
}
