import type { Format } from '../../drafts'
import { isObject } from '../../text'
import { AGENT, GeminiLinesReader } from './lines-reader'

const MESSAGES = new Set(['user', 'gemini', 'info', 'warning', 'error'])

/** Gemini CLI's sessions since April 2026: a head line, then messages and patches, appended. */
export const geminiLines: Format = {
  agent: AGENT,
  recognise({ records }) {
    let best = 0
    for (const record of records) {
      if (!isObject(record)) continue
      if (isObject(record.$set) || typeof record.$rewindTo === 'string') best = Math.max(best, 0.9)
      const head = typeof record.sessionId === 'string' && record.type === undefined
      if (head && ('projectHash' in record || 'startTime' in record)) best = Math.max(best, 0.9)
      const message =
        typeof record.id === 'string' && MESSAGES.has(String(record.type)) && 'content' in record
      if (message && typeof record.timestamp === 'string') best = Math.max(best, 0.6)
    }
    return best
  },
  open: (context, saved) => new GeminiLinesReader(context, saved),
}
