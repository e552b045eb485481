import type { Format } from '../../drafts'
import { isObject } from '../../text'
import { AGENT, CopilotReader } from './reader'

const EVENT = /^(?:session|user|assistant|tool|subagent|skill|hook|system|permission)\.[a-z_]{2,40}$/

/** `events.jsonl` of Copilot CLI. */
export const copilotCli: Format = {
  agent: AGENT,
  recognise({ records }) {
    let best = 0
    for (const record of records) {
      if (!isObject(record) || typeof record.type !== 'string' || !EVENT.test(record.type)) continue
      if (!isObject(record.data)) continue
      const framed = 'id' in record || 'parentId' in record || 'timestamp' in record
      best = Math.max(best, framed ? 0.95 : 0.7)
    }
    return best
  },
  open: (context, saved) => new CopilotReader(context, saved),
}
