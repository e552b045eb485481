import type { Format } from '../../drafts'
import { isObject } from '../../text'
import { AGENT, CursorLinesReader } from './lines-reader'

/** Cursor's agent transcripts: JSON Lines of `{role, message: {content}}`, with neither ids nor times. */
export const cursorLines: Format = {
  agent: AGENT,
  // The editor's database tells the same with times and results.
  rendering: { rank: 1, files: '%.jsonl' },
  recognise({ records, path }) {
    const placed = /[\\/]agent-transcripts[\\/]/.test(path)
    let best = 0
    for (const record of records) {
      if (!isObject(record) || 'uuid' in record || 'sessionId' in record) continue
      const spoken = record.role === 'user' || record.role === 'assistant'
      if (spoken && isObject(record.message) && 'content' in record.message && !('text' in record))
        best = Math.max(best, placed ? 1 : 0.9)
      else if (record.type === 'turn_ended' && placed) best = Math.max(best, 0.7)
    }
    return best
  },
  open: (context, saved) => new CursorLinesReader(context, saved),
}
