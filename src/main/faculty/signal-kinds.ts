import type { Zone } from '../../shared/attention'

/** What the world may bring up between turns. */
export const SIGNAL_KINDS = [
  'alert',
  'safety',
  'mention',
  'gate-opened',
  'failing-command',
  'sub-agent-finished',
  'shared-file',
  'gossip',
  'scene-change',
] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/**
 * What one signal does to the zone. `queue`: nothing by itself, amber when the kind repeats within a minute. A gate
 * that opened asks for the person, so it counts as a mention.
 */
const SEVERITY: Record<SignalKind, 'queue' | Exclude<Zone, 'green'>> = {
  alert: 'red',
  safety: 'red',
  mention: 'amber',
  'gate-opened': 'amber',
  'failing-command': 'queue',
  'sub-agent-finished': 'queue',
  'shared-file': 'queue',
  gossip: 'queue',
  'scene-change': 'queue',
}

export const severityOf = (kind: SignalKind): 'queue' | Exclude<Zone, 'green'> => SEVERITY[kind]
