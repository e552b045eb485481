import type { IndexStatus } from '../../../shared/journal'
import { EMBEDDING_TEXT_VERSION } from '../../curator'
import type { BacklogEmbedder, EmbedderStatus } from '../../models'
import { indexSql, settingsSql, vectorSql, type WriteDb } from '../../store'
import type { Clock } from '../context'
import { embedStep } from './embed-step'

export interface IndexLoopOptions {
  db: WriteDb
  embedder: BacklogEmbedder
  clock: Clock
  /** Looks through some of what older rules let through; how many rows it did. Synchronous and short. */
  rescan?: () => number
  /** Makes some of the waiting rungs; how many subjects it did, 0 when none wait. Synchronous and short. */
  curate: () => number
  /** Links some of the goals that have new vectors; how many, 0 when none wait. Synchronous and short. */
  link?: () => number
  /** Looks for the neighbours of some items that have vectors; how many it did. Synchronous and short. */
  relate?: () => number
  /** Brings the full-text index a step nearer to one part; whether there was something to do. Synchronous and short. */
  merge?: () => boolean
  onProgress: (status: IndexStatus) => void
  /** For the log: what failed, without text. */
  onFailure: (error: unknown) => void
}

/** Progress is told at most every 250 ms, and never so often that counting takes more than a twentieth of the time. */
const TELL_MS = 250
const COUNT_SHARE = 20
/** Failures in a row (a full disk, a locked file) after which the loop waits for the next kick. */
const PATIENCE = 3
const MODEL_KEY = 'index.model'

/** Works through the queues of rungs and vectors until nothing waits, sleeps, and starts again when kicked. */
export class IndexLoop {
  readonly #options: IndexLoopOptions
  #running: Promise<void> | null = null
  #again = false
  #paused = false
  #closed = false
  #tellAt = 0
  #checkedModel: string | null = null

  constructor(options: IndexLoopOptions) {
    this.#options = options
  }

  /** There may be something to do. */
  kick(): void {
    if (this.#closed || this.#paused) return
    this.#again = true
    if (!this.#running) this.#running = this.#run().finally(() => this.#stopped())
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.kick()
  }

  /** Resolves when nothing is left that can be done now: done, paused, or without a model. */
  async idle(): Promise<void> {
    this.kick()
    while (this.#running) await this.#running
  }

  /** Ends after the transaction that is being written. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async status(): Promise<IndexStatus> {
    const { db, embedder } = this.#options
    const { state, model, reason } = await embedder.status()
    const counts = { vectors: vectorSql.countVectors(db), pending: indexSql.countPending(db) }
    return this.#paused
      ? { ...counts, model, state: 'paused', reason: 'Indexing is paused.' }
      : { ...counts, model, state, reason }
  }

  #stopped(): void {
    this.#running = null
    if (this.#again) this.kick()
  }

  async #run(): Promise<void> {
    let failures = 0
    while (this.#again && !this.#paused && !this.#closed) {
      this.#again = false
      try {
        while (!this.#paused && !this.#closed && (await this.#step())) await this.#tell()
        failures = 0
      } catch (error) {
        this.#options.onFailure(error)
        this.#again = ++failures < PATIENCE
      }
    }
    if (this.#closed) return
    this.#tellAt = 0
    await this.#tell()
  }

  /**
   * Rungs and links first: they are quick, and what is shown of an item is made of them. Neighbours behind vectors, which
   * they need. Last what only makes looking up quicker.
   */
  async #step(): Promise<boolean> {
    const { rescan, curate, link, relate, merge } = this.#options
    // Before anything more is made from it.
    const worked = (rescan?.() ?? 0) > 0 || curate() + (link?.() ?? 0) > 0
    if (!worked && (await this.#embed()) > 0) return true
    if (!worked && (this.#closed || !((relate?.() ?? 0) > 0 || merge?.()))) return false
    // Between two steps the thread takes its messages.
    await new Promise((resolve) => setImmediate(resolve))
    return true
  }

  async #embed(): Promise<number> {
    const { db, embedder } = this.#options
    const status = await embedder.loaded()
    if (status.state !== 'ready' || status.model === null || this.#closed) return 0
    this.#rebuildWhenModelChanged(status)
    return embedStep(db, embedder, status.model)
  }

  /** Vectors of another model, or of other texts, cannot be compared with these. */
  #rebuildWhenModelChanged({ model }: EmbedderStatus): void {
    if (model === null || this.#checkedModel === model) return
    const { db } = this.#options
    const now = `${model}+text${EMBEDDING_TEXT_VERSION}`
    db.transaction(() => {
      const before = settingsSql.readMeta(db, MODEL_KEY)
      if (before === now) return
      if (before !== undefined) indexSql.requeueAll(db)
      settingsSql.writeMeta(db, MODEL_KEY, now)
    })
    this.#checkedModel = model
  }

  async #tell(): Promise<void> {
    const { clock, onProgress } = this.#options
    const now = clock()
    if (now < this.#tellAt) return
    const status = await this.status()
    this.#tellAt = clock() + Math.max(TELL_MS, COUNT_SHARE * (clock() - now))
    onProgress(status)
  }
}
