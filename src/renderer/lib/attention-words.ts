import type { BidSource, TraceReason, TraceRow, Zone } from '@shared/attention'
import { rungName, type Tone } from './words'

// What the faculty decided, as a person reads it.

export const sourceName: Record<BidSource, string> = {
  safety: 'safety',
  identity: 'identity',
  situation: 'situation',
  'session-history': 'session history',
  'working-memory': 'working memory',
  recall: 'recall',
  'attention-map': 'attention map',
  artifact: 'artifact',
  upstream: 'upstream',
  percepts: 'percepts',
  signal: 'signal',
  telemetry: 'telemetry',
  dispatch: 'sub-agents',
  'group-activity': 'other sessions',
  'visual-scene': 'pictures',
  oracle: 'your notes',
}

/** What a context was put together for. */
export function purposeName(purpose: string): string {
  if (purpose === 'prior') return 'the first pass, before reading'
  if (purpose === 'posterior') return 'the second pass, after reading'
  if (purpose === 'turn') return 'an agent’s turn'
  if (purpose === 'turn-prompt') return 'an agent’s turn, given beside its prompt'
  if (purpose === 'turn-anew') return 'an agent’s turn, given after its window was emptied'
  if (purpose === 'summaries') return 'a prompt for summaries'
  return purpose
}

export const zoneTone: Record<Zone, Tone> = { green: 'green', amber: 'amber', red: 'red' }

export const reasonName: Record<TraceReason, string> = {
  budget: 'no room',
  zone: 'zone',
  floor: 'too faint',
  duplicate: 'duplicate',
  scene: 'nothing changed',
  faded: 'faded',
  invalid: 'invalid',
  'render-failed': 'failed',
  cost: 'dearer than said',
}

const causes: Readonly<Record<string, string>> = {
  alert: 'an alert',
  safety: 'something that is not safe',
  mention: 'somebody asked for you',
  'gate-opened': 'a gate was opened',
  'failing-command': 'commands failed one after another',
  'sub-agent-finished': 'sub-agents finished one after another',
  'shared-file': 'another session kept changing the same files',
  gossip: 'other sessions had much to say',
  'scene-change': 'pictures kept changing',
}

/** What moved the zone, as a person reads it; quiet says so itself. */
export const causeName = (cause: string): string => causes[cause] ?? cause

const because: Record<TraceReason, string> = {
  budget: 'the budget had no room for it',
  zone: 'the zone closed it',
  floor: 'it was too faint to be worth a token',
  duplicate: 'it is shown elsewhere',
  scene: 'the picture showed nothing new',
  faded: 'working memory holds only so much, and it was the least salient',
  invalid: 'the bid was not valid',
  'render-failed': 'its text could not be made',
  cost: 'its text was dearer than it said',
}

/** Why a bid stands in the context, or does not, as one sentence. */
export function fateInWords(row: TraceRow, scored: boolean): string {
  const more = row.detail === '' ? '' : ` (${row.detail})`
  const why = row.reason === null ? '' : `${because[row.reason]}${more}`
  if (row.verdict === 'dropped') return `Left out: ${why}.${row.rendered ? '' : ' Its text was never made.'}`
  const won = row.pin
    ? 'It is pinned, so it stands whatever else there is.'
    : scored
      ? `It won its place with a salience of ${row.salience.toFixed(2)}.`
      : 'It stands by the order of the catalogue.'
  if (row.verdict === 'kept') return won
  const level = row.level === null ? '' : ` ${row.level} (${rungName[row.level]})`
  return `${won} It was compressed to${level}, because ${row.reason === 'budget' ? 'there was no room for more' : why}.`
}
