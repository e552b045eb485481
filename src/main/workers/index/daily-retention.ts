import { keepRetention } from '../../curator'
import type { WriteDb } from '../../store'
import type { Clock } from '../context'

/** How often it is looked whether a day has passed: a laptop that slept is not a day late. */
const LOOK_MS = 3_600_000

/** Follows the rules of retention once a day, where the person wants that, until it is closed. */
export class DailyRetention {
  readonly #options: { db: WriteDb; clock: Clock; onFailure: (error: unknown) => void }
  #timer: ReturnType<typeof setInterval> | undefined
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: { db: WriteDb; clock: Clock; onFailure: (error: unknown) => void }) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS)
    this.#timer.unref()
    void this.look()
  }

  /** Lets go what is due, if it is the time; a failure is logged, and the next look tries again. */
  look(): Promise<void> {
    this.#running = this.#running.then(() => this.#keep())
    return this.#running
  }

  /** Ends after the transaction that is being written. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #keep(): Promise<void> {
    const { db, clock, onFailure } = this.#options
    try {
      if (!this.#closed) await keepRetention(db, { now: clock(), rest: () => this.#rest() })
    } catch (error) {
      if (error !== STOPPED) onFailure(error)
    }
  }

  /** Between two transactions the thread takes its messages. */
  async #rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    if (this.#closed) throw STOPPED
  }
}

/** What ends a run that is in the middle when the thread closes. */
const STOPPED = new Error('closed')
