/** A failure the person can act on: which step, what happened, what to do. Shown without a stack trace. */
export class StepError extends Error {
  /**
   * @param {string} step
   * @param {string} message one plain sentence
   * @param {{ todo?: string, cause?: unknown }} [more] `todo`: what the person can do about it
   */
  constructor(step, message, { todo, cause } = {}) {
    super(message, { cause })
    this.name = 'StepError'
    this.step = step
    this.todo = todo
  }
}

/** @param {unknown} error */
export function describe(error) {
  if (!(error instanceof StepError)) return `Failed: ${error instanceof Error ? error.message : error}`
  return `Failed at "${error.step}": ${error.message}${error.todo ? ` ${error.todo}` : ''}`
}

/**
 * Runs a script's main function: a failure becomes one sentence and exit code 1.
 * @param {() => Promise<number | undefined>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    console.error(describe(error))
    if (process.env.FOVEA_DEBUG) console.error(error)
    process.exitCode = 1
  }
}
