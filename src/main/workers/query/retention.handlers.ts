import type { Handlers } from '../../../shared/contract'
import type { RetentionState } from '../../../shared/retention'
import { applyRetention, previewRetention, saveRetention } from '../../curator'
import { retentionSql } from '../../store'
import type { HandlerContext } from '../context'

type Calls = 'retention.get' | 'retention.set' | 'retention.preview' | 'retention.run'

export const retentionHandlers = ({ read, write, clock }: HandlerContext): Handlers<Calls> => {
  const state = (): RetentionState => ({
    rules: retentionSql.retentionRules(write),
    letGo: retentionSql.countLetGo(write),
  })
  return {
    'retention.get': () => state(),
    'retention.set': ({ rules }) => {
      saveRetention(write, rules)
      return state()
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
