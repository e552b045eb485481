import type { Format } from '../../drafts'
import { isObject } from '../../text'
import { AGENT } from './desk'
import { ClaudeCodeReader } from './reader'

const CHAIN = new Set(['user', 'assistant', 'system', 'progress', 'attachment'])
const SIDE = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'ai-title',
  'custom-title',
  'last-prompt',
])

const PROGRESS = '"type":"progress","data":'
const SNAPSHOT = Buffer.from('{"type":"file-history-snapshot",')
const GLUED = '}{"'
const FRAME = 1_200

/** Progress chatter is a quarter of an older transcript; its type stands in the frame, in front of the payload. */
function skim(line: Buffer): string | null {
  const snapshot = line.subarray(0, SNAPSHOT.length).equals(SNAPSHOT)
  if (!snapshot && line.subarray(0, FRAME).indexOf(PROGRESS, 0, 'latin1') === -1) return null
  // Two records on one line, or half of one, need the careful way.
  if (line.at(-1) !== 0x7d || line.includes(GLUED, 0, 'latin1') || line.includes(0)) return null
  return snapshot ? 'file-history-snapshot' : 'progress'
}

/** Claude Code's session files, also those of its sub-agents. */
export const claudeCode: Format = {
  agent: AGENT,
  answersOnly: true,
  recognise({ records }) {
    let best = 0
    for (const record of records) {
      if (!isObject(record) || typeof record.type !== 'string') continue
      const chain =
        CHAIN.has(record.type) && ('uuid' in record || 'parentUuid' in record) && 'sessionId' in record
      if (chain) return 1
      if (CHAIN.has(record.type) && isObject(record.message) && 'sessionId' in record)
        best = Math.max(best, 0.9)
      if (SIDE.has(record.type)) best = Math.max(best, 0.8)
      else if (typeof record.sessionId === 'string') best = Math.max(best, 0.5)
    }
    return best
  },
  skim,
  open: (context, saved) => new ClaudeCodeReader(context, saved),
}
