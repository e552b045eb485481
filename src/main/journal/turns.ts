/** Runs work that writes when it is this thread's turn. */
export type Turn = <T>(work: () => T) => T

/** After so many milliseconds the other thread is taken to have ended in the middle of its turn. */
const PATIENCE_MS = 10_000

export const sharedTurn = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))

/**
 * Threads of this process that write take turns. The database's own lock decides all the same; but who finds it taken
 * sleeps for a while and looks again, and two that write much would sleep half of the time.
 * @param taken one number that both share: 1 while one of them writes
 */
export function turns(taken: Int32Array, patienceMs = PATIENCE_MS): Turn {
  let depth = 0
  return (work) => {
    if (depth === 0) {
      const until = Date.now() + patienceMs
      while (Atomics.compareExchange(taken, 0, 0, 1) !== 0 && Date.now() < until) {
        Atomics.wait(taken, 0, 1, patienceMs)
      }
      Atomics.store(taken, 0, 1)
    }
    depth++
    try {
      return work()
    } finally {
      depth--
      if (depth === 0) {
        Atomics.store(taken, 0, 0)
        Atomics.notify(taken, 0, 1)
      }
    }
  }
}
