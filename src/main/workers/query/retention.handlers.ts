import type { Handlers } from '../../../shared/contract'
import { applyRetention, previewRetention, retentionState, saveRetention } from '../../curator'
import type { HandlerContext } from '../context'

type Calls = 'retention.get' | 'retention.set' | 'retention.preview' | 'retention.run'

export const retentionHandlers = ({ read, write, clock }: HandlerContext): Handlers<Calls> => {
  return {
    'retention.get': () => retentionState(write),
    'retention.set': ({ rules, automatic }) => {
      saveRetention(write, rules, automatic)
      return retentionState(write)
    },
    'retention.preview': ({ rules }) => previewRetention(read, clock(), rules),
    'retention.run': ({ compact }) =>
      applyRetention(write, {
        now: clock(),
        compact,
        // Between two transactions the thread takes its questions.
        rest: () => new Promise((resolve) => setImmediate(resolve)),
      }),
  }
}
