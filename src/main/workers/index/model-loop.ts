import type { CuratorStatus } from '../../../shared/models'
import { curatorStatus, type ModelPorts, modelStep, type Rest, releaseLease, type Step } from '../../curator'
import type { WriteDb } from '../../store'

export interface ModelLoopOptions {
  db: WriteDb
  ports: Omit<ModelPorts, 'signal'>
  /** Something was made: what is derived from it may go on. */
  onMade: () => void
  onStatus: (status: CuratorStatus) => void
  /** For the log: what failed, without text. */
  onFailure: (error: unknown) => void
  /** Waits; a test's clock need not. */
  wake?: (ms: number, then: () => void) => () => void
}

/** A resting loop looks again at least that often: another process may have changed a setting or added work. */
const LOOK_MS = 60_000
/** After a fault of the server: half a minute, then twice as long each time, at most half an hour. */
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 30 * 60_000
/** Steps that fail inside Fovea, one after the other, before the loop waits for the next kick. */
const PATIENCE = 3
/** Status is told at most that often while calls go on. */
const TELL_MS = 500

/** Works with the language model, one call at a time, as long as it may; rests, and wakes by itself or when kicked. */
export class ModelLoop {
  readonly #options: ModelLoopOptions
  readonly #end = new AbortController()
  #running: Promise<void> | null = null
  #again = false
  #closed = false
  /** Null before the first step told. */
  #rest: Rest | null = null
  #faults = 0
  #cancelWake: (() => void) | null = null
  #toldAt = 0

  constructor(options: ModelLoopOptions) {
    this.#options = options
  }

  /** There may be more to do. A server that failed is left alone until it is time. */
  nudge(): void {
    const rest = this.#rest
    if (rest?.state === 'waiting' && this.#options.ports.clock() < (rest.resumesAt ?? 0)) return
    this.kick()
  }

  /** What stood in the way may have changed: a setting, the power, a gate. */
  kick(): void {
    if (this.#closed) return
    this.#cancelWake?.()
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
      if (this.#again) this.kick()
    })
  }

  /** Resolves when nothing can be asked now, whatever the reason. */
  async settled(): Promise<CuratorStatus> {
    this.kick()
    while (this.#running) await this.#running
    return this.status()
  }

  status(): CuratorStatus {
    return curatorStatus(this.#options.db, this.#options.ports, this.#rest)
  }

  /** Ends the call that is under way; what it was about waits for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelWake?.()
    this.#end.abort()
    await this.#running
    releaseLease(this.#options.db, this.#options.ports.owner)
  }

  async #run(): Promise<void> {
    let failures = 0
    while (this.#again && !this.#closed) {
      this.#again = false
      const step = await this.#step()
      if (step === null) {
        failures += 1
        this.#again = failures < PATIENCE
        continue
      }
      failures = 0
      if ('did' in step) this.#went(step)
      else this.#rested(step)
      // Between two steps the thread takes its messages.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (!this.#closed) this.#tell(true)
  }

  async #step(): Promise<Step | null> {
    const { db, ports, onFailure } = this.#options
    try {
      return await modelStep(db, { ...ports, signal: this.#end.signal })
    } catch (error) {
      onFailure(error)
      return null
    }
  }

  #went({ did }: Extract<Step, { did: string }>): void {
    this.#again = true
    if (did !== 'asked') return
    this.#faults = 0
    this.#rest = { state: 'working', reason: null, resumesAt: null }
    this.#options.onMade()
    this.#tell(false)
  }

  #rested({ resting, reason, until, fault }: Extract<Step, { resting: string }>): void {
    if (this.#closed) return
    const now = this.#options.ports.clock()
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#faults)
    if (fault) this.#faults += 1
    const resumesAt = fault ? now + wait : until
    this.#rest = { state: resting, reason, resumesAt }
    const ms = Math.max(
      1_000,
      Math.min(fault ? wait : LOOK_MS, (resumesAt ?? Number.POSITIVE_INFINITY) - now),
    )
    const wake = this.#options.wake ?? wakeLater
    this.#cancelWake?.()
    this.#cancelWake = wake(ms, () => this.kick())
  }

  #tell(always: boolean): void {
    const now = performance.now()
    if (!always && now < this.#toldAt + TELL_MS) return
    this.#toldAt = now
    this.#options.onStatus(this.status())
  }
}

function wakeLater(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
