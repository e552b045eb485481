import { type SignalKind, severityOf } from './signal-kinds'
import type { Bid } from './types'

/** Something the world brought up between two turns. Its id is made from what it is about, so told twice it is one. */
export interface Signal {
  id: string
  kind: SignalKind
  at: number
  /** The item behind it. */
  handle: string | null
}

/**
 * Where a faculty's pending state lives. A faculty is found there again after a restart; what was accepted stays until
 * a turn took it, and what a turn took does not come again.
 */
export interface FacultyStore {
  /** Its arousal as JSON, or null when it was never born or is closed. */
  load(id: string): string | null
  born(id: string, parent: string, at: number, arousal: string): void
  /** False when this signal is known already, taken or not. */
  accept(id: string, signal: Signal): boolean
  /** Oldest first, ties by id. */
  pending(id: string): Signal[]
  /** One transaction: these signals are taken and this is the arousal now. */
  turned(id: string, turn: { taken: readonly string[]; at: number; arousal: string }): void
  closed(id: string): void
}

const SAYS: Record<SignalKind, string> = {
  alert: 'An alert came up',
  safety: 'Something touched safety',
  mention: 'The person spoke up',
  'gate-opened': 'A gate was opened',
  'failing-command': 'A command failed',
  'sub-agent-finished': 'A sub-agent finished',
  'shared-file': 'Another session touches the same file',
  gossip: 'Another session was heard of',
  'scene-change': 'The picture changed',
}

/** A signal as a bid. `say` tells what it was about; it is called only when the bid has won. */
export function signalBid(signal: Signal, tokens: number, say: (signal: Signal) => string): Bid {
  const severity = severityOf(signal.kind)
  return {
    id: `signal:${signal.id}`,
    source: signal.kind === 'shared-file' || signal.kind === 'gossip' ? 'group-activity' : 'signal',
    title: SAYS[signal.kind],
    at: signal.at,
    terms: {
      surprise: severity === 'queue' ? 0.5 : 1,
      interrupt: severity === 'queue' ? 0 : severity === 'amber' ? 0.6 : 1,
    },
    rungs: [{ level: 'L0', tokens, render: () => say(signal) }],
    handles: signal.handle === null ? [] : [signal.handle as NonNullable<Bid['handles']>[number]],
  }
}

export const signalTitle = (kind: SignalKind): string => SAYS[kind]
