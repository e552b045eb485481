import type { Zone, ZoneChange } from '../../shared/attention'
import { type SignalKind, severityOf } from './signal-kinds'

/** A signal that only queues raises the zone when its kind comes again within this time. */
export const REPEAT_MS = 60_000
/** With nothing that raises for this long, green, however alert it was. */
export const CALM_MS = 300_000

const LEVEL: Record<Zone, number> = { green: 0, amber: 1, red: 2 }
const STEPS: readonly Zone[] = ['green', 'amber', 'red']

export const atLeast = (zone: Zone, floor: Zone): boolean => LEVEL[zone] >= LEVEL[floor]

/** A faculty's arousal. Values are never changed in place. */
export interface ZoneState {
  zone: Zone
  /** When something last raised it, or would have. */
  raisedAt: number | null
  /** Whether that happened since the last turn. */
  stirred: boolean
  /** When each kind of queued signal came last. */
  lastOf: Readonly<Partial<Record<SignalKind, number>>>
}

export const CALM: ZoneState = { zone: 'green', raisedAt: null, stirred: false, lastOf: {} }

interface Step {
  state: ZoneState
  change: ZoneChange | null
}

/** An event can raise the zone and never lower it. `repeats`: the kind's own rule says a second one counts. */
export function onSignal(state: ZoneState, kind: SignalKind, at: number): Step {
  const last = state.lastOf[kind]
  const again = last !== undefined && at - last <= REPEAT_MS
  const severity = severityOf(kind)
  const raises: Zone | null = severity === 'queue' ? (again ? 'amber' : null) : severity
  const lastOf = { ...state.lastOf, [kind]: at }
  if (raises === null) return { state: { ...state, lastOf }, change: null }
  const zone = atLeast(state.zone, raises) ? state.zone : raises
  const change = zone === state.zone ? null : { from: state.zone, to: zone, at, cause: kind }
  const raisedAt = Math.max(at, state.raisedAt ?? at)
  return { state: { zone, raisedAt, stirred: true, lastOf }, change }
}

/** The end of a turn: after a quiet one a step down, after five quiet minutes all the way. */
export function onTurn(state: ZoneState, now: number): Step {
  const quiet = { ...state, stirred: false }
  if (state.zone === 'green' || state.stirred) return { state: quiet, change: null }
  const calm = state.raisedAt === null || now - state.raisedAt >= CALM_MS
  const zone: Zone = calm ? 'green' : (STEPS[LEVEL[state.zone] - 1] ?? 'green')
  const cause = calm ? 'five quiet minutes' : 'a quiet turn'
  return { state: { ...quiet, zone }, change: { from: state.zone, to: zone, at: now, cause } }
}

/** Ambient while green, engaged otherwise: an output, never a setting. */
export const attentionMode = (zone: Zone): 'ambient' | 'engaged' => (zone === 'green' ? 'ambient' : 'engaged')
