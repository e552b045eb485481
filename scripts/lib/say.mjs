// Progress goes to stderr: the standard output belongs to what a command was asked for (a benchmark's JSON).

/**
 * @param {string} step
 * @param {string} text
 */
export function say(step, text) {
  process.stderr.write(`[${step}] ${text}\n`)
}

/** @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

/** @param {number} since a `Date.now()` value */
export const secondsSince = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/**
 * Says every few seconds that a long wait goes on; returns the function that stops it.
 * @param {(seconds: number) => void} tick
 */
export function everyFewSeconds(tick, interval = 10_000) {
  const started = Date.now()
  const timer = setInterval(() => tick(Math.round((Date.now() - started) / 1000)), interval)
  timer.unref()
  return () => clearInterval(timer)
}
