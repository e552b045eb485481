import type { CuratorStatus } from '@shared/models'
import { count, plural, time } from './format'

// How the work of the model that writes summaries reads on screen.

const STATES: Record<CuratorStatus['state'], string> = {
  off: 'Rules write summaries',
  working: 'Working',
  idle: 'Nothing waits',
  paused: 'Paused',
  battery: 'Paused on battery',
  gate: 'Paused for a gate',
  budget: 'Budget spent',
  waiting: 'Waiting for Ollama',
  elsewhere: 'Another Fovea is at work',
}

export const curatorState = ({ state, left }: CuratorStatus): string =>
  state === 'idle' && waiting(left) > 0 ? 'Waiting for quiet' : STATES[state]

export const waiting = ({ arcs, rollups, cells, items }: CuratorStatus['left']): number =>
  arcs + rollups + cells + items

/** `312 arcs, 44 rollups`; `nothing` when nothing waits. */
export function leftText({ arcs, rollups, cells, items }: CuratorStatus['left']): string {
  const parts = [
    arcs > 0 ? plural(arcs, 'arc') : '',
    rollups > 0 ? plural(rollups, 'rollup') : '',
    cells > 0 ? plural(cells, 'cell') : '',
    items > 0 ? plural(items, 'item') : '',
  ].filter((part) => part !== '')
  return parts.join(', ') || 'nothing'
}

/** `4.1 M`, `182 k`, `950`. */
export function tokens(n: number): string {
  if (n >= 999_500) return `${(n / 1_000_000).toFixed(1)} M`
  return n >= 9_950 ? `${Math.round(n / 1000)} k` : count(n)
}

/** `31 min`, `2.6 h`, `12 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** When it goes on, as the end of a sentence. */
export function resumes({ resumesAt, state }: CuratorStatus, now: number): string {
  if (resumesAt === null || state === 'idle' || resumesAt <= now) return ''
  return state === 'budget' ? ' It goes on tomorrow.' : ` It tries again at ${time(resumesAt)}.`
}
