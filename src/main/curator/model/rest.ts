import { z } from 'zod'
import { CuratorState, type ModelSettings } from '../../../shared/models'
import { modelCallSql, type ReadDb, settingsSql, type WriteDb } from '../../store'
import { leaseElsewhere } from './lease'
import { modelSettings } from './settings'

// Why nothing is asked. What a step last rested for is kept in the database: another process tells it without asking.

/** What a step did; resting: nothing can be done before something changes, or before `until`. */
export type Step = { did: 'offered' | 'settled' | 'asked' } | Resting

export interface Resting {
  resting: CuratorState
  reason: string | null
  until: number | null
  fault?: boolean
}

export interface Rest {
  state: CuratorState
  reason: string | null
  resumesAt: number | null
}

export interface Surroundings {
  /** Null: unknown, which counts as mains. */
  onBattery: () => boolean | null
  /** Whether a person is being asked at a gate right now. */
  gateOpen: () => boolean
  /** This run of this process, for the lease. */
  owner: string
}

const KEY = 'model.rest'

export const rest = (
  resting: CuratorState,
  reason: string | null = null,
  until: number | null = null,
): Resting => ({ resting, reason, until })

/** What stands in the way of asking, if anything. */
export function hindrance(settings: ModelSettings, { onBattery, gateOpen }: Surroundings): Resting | null {
  if (settings.curator === null) return rest('off')
  if (settings.paused) return rest('paused', 'Paused by hand.')
  if (settings.pauseOnBattery && onBattery() === true) return rest('battery', 'Paused on battery.')
  if (settings.pauseForGates && settings.proxy === settings.curator && gateOpen())
    return rest('gate', 'Paused while a gate is open: the proxy uses the same model.')
  return null
}

const Kept = z.object({
  state: CuratorState,
  reason: z.string().nullable(),
  until: z.number().nullable(),
  /** The choice it was true of. */
  choice: z.string(),
})

/** What a rest hangs on: with another model, server or budget it may be over. */
const choiceOf = ({ curator, host, window, allowCloud, dailyTokens }: ModelSettings): string =>
  JSON.stringify([curator, host, window, allowCloud, dailyTokens])

/** Keeps what the server or the budget made a step rest for, until a step comes further. */
export function rememberRest(db: WriteDb, step: Step): void {
  if ('resting' in step ? !LASTING.has(step.resting) : step.did !== 'asked') return
  const lasts = 'resting' in step && step.resting !== 'idle'
  const value = lasts
    ? JSON.stringify({
        state: step.resting,
        reason: step.reason,
        until: step.until,
        choice: choiceOf(modelSettings(db)),
      })
    : ''
  if ((settingsSql.readMeta(db, KEY) ?? '') !== value) settingsSql.writeMeta(db, KEY, value)
}

/** `idle`: all that could be asked was, so nothing stands in the way any more. */
const LASTING: ReadonlySet<CuratorState> = new Set(['waiting', 'budget', 'idle'])

/** Why nothing is asked, as far as the database and the surroundings tell it; `own`: what this process rests for. */
export function restNow(db: ReadDb, around: Surroundings, now: number, own: Rest | null): Rest {
  const settings = modelSettings(db)
  const hindered = hindrance(settings, around)
  if (hindered) return { state: hindered.resting, reason: hindered.reason, resumesAt: null }
  if (own !== null && !HINDRANCES.has(own.state)) return own
  const kept = readKept(db)
  if (kept !== null && kept.choice === choiceOf(settings) && (kept.until === null || now < kept.until))
    return { state: kept.state, reason: kept.reason, resumesAt: kept.until }
  return modelCallSql.anyOpen(db) && leaseElsewhere(db, around.owner, now)
    ? { state: 'elsewhere', reason: 'Another process of Fovea is doing it.', resumesAt: null }
    : { state: 'idle', reason: null, resumesAt: null }
}

/** What ends with a setting or the surroundings, which were just looked at. */
const HINDRANCES: ReadonlySet<CuratorState> = new Set(['off', 'paused', 'battery', 'gate'])

function readKept(db: ReadDb): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(settingsSql.readMeta(db, KEY) ?? ''))
  } catch {
    return null
  }
}
