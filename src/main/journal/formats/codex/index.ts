import type { Format } from '../../drafts'
import { AGENT } from './desk'
import { certainty } from './envelope'
import { CodexReader } from './reader'

/** Type and payload's type stand in front; everything behind may be megabytes. */
const FRAME = 240
const GLUED = '}{"'
const SKIMMED: readonly (readonly [mark: string, reason: string])[] = [
  ['"type":"event_msg","payload":{"type":"token_count"', 'token-count'],
  // Encrypted thoughts look like secrets and say nothing.
  ['"type":"response_item","payload":{"type":"reasoning"', 'thinking'],
  // A copy of old messages, pictures included.
  ['"type":"compacted","payload":{', 'compaction-summary'],
]

function skim(line: Buffer): string | null {
  const frame = line.subarray(0, FRAME)
  const found = SKIMMED.find(([mark]) => frame.includes(mark, 0, 'latin1'))
  if (!found) return null
  // Two records on one line, or half of one, need the careful way.
  return line.at(-1) !== 0x7d || line.includes(GLUED, 0, 'latin1') || line.includes(0) ? null : found[1]
}

/** Rollouts of Codex CLI, Codex Desktop and the editor extension. */
export const codex: Format = {
  agent: AGENT,
  recognise: ({ records }) => records.reduce<number>((best, record) => Math.max(best, certainty(record)), 0),
  skim,
  open: (context, saved) => new CodexReader(context, saved),
}
