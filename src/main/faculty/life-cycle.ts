import type { FacultySettings, Zone, ZoneChange } from '../../shared/attention'
import { assemble } from './assemble'
import { SIGNAL_KINDS, type SignalKind } from './signal-kinds'
import { type FacultyStore, type Signal, signalBid } from './signals'
import type { AssembleRequest, Assembly, Bid } from './types'
import { evict, type Recollection } from './working-memory'
import { attentionMode, CALM, onSignal, onTurn, type ZoneState } from './zones'

/** A faculty's id is its parent's with a name: it is part of that, and of nothing else. */
export const facultyId = (parent: string): string => `${parent}.attention`

/** Tokens a faculty keeps in working memory. */
export const WORKING_MEMORY = 4000

export interface Turn extends Omit<AssembleRequest, 'mode' | 'scored' | 'zone' | 'transitions'> {
  settings: FacultySettings
  /** What a signal was about, and what saying it costs at most. */
  say: (signal: Signal) => string
  sayCost: number
}

/** One context that a cycle is asked for. */
export interface Asked extends Pick<AssembleRequest, 'budget' | 'shares'> {
  bids: readonly Bid[]
}

export interface TurnResult extends Assembly {
  zone: Zone
  /** Ambient or engaged: what came out, never what was set. */
  mode: 'ambient' | 'engaged'
}

/** One proxy's or one live session's attention. Nothing of it is shared with another. */
export class Faculty {
  readonly id: string
  private arousal: ZoneState
  private memory: readonly Bid[] = []

  constructor(
    readonly parent: string,
    private readonly store: FacultyStore,
    now: number,
  ) {
    this.id = facultyId(parent)
    const known = store.load(this.id)
    this.arousal = known === null ? CALM : parseArousal(known)
    if (known === null) store.born(this.id, parent, now, JSON.stringify(this.arousal))
  }

  get zone(): Zone {
    return this.arousal.zone
  }

  get remembered(): number {
    return this.memory.length
  }

  /** Between turns. Changes nothing but what is pending; false when it was told before. */
  hear(signal: Signal): boolean {
    return this.store.accept(this.id, signal)
  }

  /** Keeps something in mind; what no longer fits goes, the least salient first. */
  keepInMind(bid: Bid, recollection: Omit<Recollection, 'capacity'>): readonly Bid[] {
    const others = this.memory.filter(({ id }) => id !== bid.id)
    const { kept, evicted } = evict([...others, bid], { ...recollection, capacity: WORKING_MEMORY })
    this.memory = kept
    return evicted
  }

  /** One cycle for one context; see `cycle`. */
  turn(bids: readonly Bid[], turn: Turn): TurnResult {
    const { budget, ...world } = turn
    const [made] = this.cycle([{ bids, budget }], world)
    if (!made) throw new Error('a cycle makes as many contexts as it is asked for')
    return made
  }

  /**
   * One cycle: pending signals raise the zone and bid beside what is offered and what is in mind, in each context it is
   * asked for. They are marked as taken when the contexts are made, and not before: a crash in between makes the turn
   * again, with the same signals.
   */
  cycle(asked: readonly Asked[], world: Omit<Turn, 'budget'>): TurnResult[] {
    const pending = this.store.pending(this.id)
    const { settings, say, sayCost, ...request } = world
    const listening = settings.adaptive && settings.interrupts
    const { state, changes } = listening ? raised(this.arousal, pending) : { state: CALM, changes: [] }
    const heard = listening ? pending.map((signal) => signalBid(signal, sayCost, say)) : []
    const made = asked.map(({ bids, ...own }) =>
      assemble([...bids, ...this.memory, ...heard], {
        ...request,
        ...own,
        mode: settings.adaptive ? 'adaptive' : 'fixed',
        scored: settings.salience,
        zone: state.zone,
        transitions: changes,
      }),
    )
    const rest = onTurn(state, request.now)
    this.store.turned(this.id, {
      taken: pending.map(({ id }) => id),
      at: request.now,
      arousal: JSON.stringify(rest.state),
    })
    this.arousal = rest.state
    const { zone } = state
    return made.map(({ context, trace }) => ({
      context,
      trace: rest.change ? { ...trace, transitions: [...changes, rest.change] } : trace,
      zone,
      mode: attentionMode(zone),
    }))
  }

  close(): void {
    this.memory = []
    this.store.closed(this.id)
  }
}

/** The faculties that live now, by their parents. It decides nothing: each of them does. */
export class Faculties {
  private readonly living = new Map<string, Faculty>()

  constructor(private readonly store: FacultyStore) {}

  get size(): number {
    return this.living.size
  }

  /** Born with its parent; asked again, the same one. */
  of(parent: string, now: number): Faculty {
    const known = this.living.get(parent)
    if (known) return known
    const born = new Faculty(parent, this.store, now)
    this.living.set(parent, born)
    return born
  }

  close(parent: string): void {
    this.living.get(parent)?.close()
    this.living.delete(parent)
  }
}

function raised(state: ZoneState, pending: readonly Signal[]): { state: ZoneState; changes: ZoneChange[] } {
  const changes: ZoneChange[] = []
  let now = state
  for (const { kind, at } of pending) {
    const step = onSignal(now, kind, at)
    now = step.state
    if (step.change) changes.push(step.change)
  }
  return { state: now, changes }
}

/** What was stored may be of another version; what is not understood is calm. */
function parseArousal(json: string): ZoneState {
  try {
    const { zone, raisedAt, stirred, lastOf } = JSON.parse(json) as Partial<ZoneState>
    if (zone !== 'green' && zone !== 'amber' && zone !== 'red') return CALM
    const times = Object.entries(lastOf ?? {}).filter(
      (one): one is [SignalKind, number] =>
        SIGNAL_KINDS.includes(one[0] as SignalKind) && typeof one[1] === 'number',
    )
    return {
      zone,
      raisedAt: typeof raisedAt === 'number' ? raisedAt : null,
      stirred: stirred === true,
      lastOf: Object.fromEntries(times),
    }
  } catch {
    return CALM
  }
}
