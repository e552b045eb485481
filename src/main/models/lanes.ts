interface Job<T> {
  work: () => Promise<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

/**
 * Runs one piece of work at a time: what is urgent goes before all that waits in the background, and between two
 * pieces the thread takes its messages, so that something urgent is seen at all.
 */
export class Lanes<T> {
  readonly #urgent: Job<T>[] = []
  readonly #background: Job<T>[] = []
  #running: Promise<void> | null = null

  urgent(work: () => Promise<T>): Promise<T> {
    return this.#add(this.#urgent, work)
  }

  background(work: () => Promise<T>): Promise<T> {
    return this.#add(this.#background, work)
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  #add(lane: Job<T>[], work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      lane.push({ work, resolve, reject })
      this.#running ??= this.#pump()
    })
  }

  async #pump(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const job = this.#urgent.shift() ?? this.#background.shift()
      if (!job) break
      try {
        job.resolve(await job.work())
      } catch (error) {
        job.reject(error)
      }
    }
    this.#running = null
  }
}
