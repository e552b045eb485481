import type { CallOutput, ParsedInput } from '../../shared/contract'
import { AppError } from '../../shared/errors'
import { overLimit } from '../curator'
import type { Workers } from '../workers/start'

/** The longest a query may run, in milliseconds; arithmetic on huge numbers ends no other way. */
const LONGEST_MS = 10_000

/** Bytes an idle engine may hold: a large query leaves its memory behind. */
const LARGEST_IDLE = 200 * 1024 * 1024

/** How long a query by meaning waits for a model that loads, in milliseconds: a busy machine takes its time. */
const LOADING_MS = 60_000

type Output = CallOutput<'query.run'>

/**
 * Runs queries one after the other in the logic worker. One that is over its time ends with its thread, as does the
 * thread of one that went over another limit, for its memory; the next query starts a new one.
 */
export function queryRunner(workers: Workers, { longestMs = LONGEST_MS, loadingMs = LOADING_MS } = {}) {
  let last: Promise<unknown> = Promise.resolve()
  return (input: ParsedInput<'query.run'>): Promise<Output> => {
    const mine = last.then(async () => {
      // Loading the model is no part of the query's time. The name alone calls nearest/4: the sandbox sees to that.
      if (/nearest/.test(input.goal)) await modelLoaded(workers, loadingMs)
      return run(workers, input, longestMs)
    })
    last = mine.catch(() => undefined)
    return mine
  }
}

/** @throws AppError `unavailable` when the model is still loading after that time; one that cannot load says so later */
async function modelLoaded(workers: Workers, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stillLoading()), ms)
  })
  try {
    await Promise.race([workers.client('index').call('loaded', {}), late])
  } finally {
    clearTimeout(timer)
  }
}

const stillLoading = (): AppError =>
  new AppError(
    'unavailable',
    'nearest/4 needs the embedding model, which is still loading: ask again in a moment. words/4 finds by words.',
  )

async function run(workers: Workers, input: ParsedInput<'query.run'>, longestMs: number): Promise<Output> {
  const client = workers.client('logic')
  await client.call('ready', {})
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(overLimit(`ran for ${Math.round(longestMs / 1000)} s`)), longestMs)
  })
  try {
    const answer = (await Promise.race([client.call('query.run', input), late])) as Output & {
      heapBytes: number
    }
    const { heapBytes, ...output } = answer
    if (heapBytes > LARGEST_IDLE) await workers.end('logic')
    return output
  } catch (error) {
    if (error instanceof AppError && error.code === 'cancelled') await workers.end('logic')
    throw error
  } finally {
    clearTimeout(timer)
  }
}
