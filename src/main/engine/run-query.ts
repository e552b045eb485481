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

interface QueryRunner {
  run(input: ParsedInput<'query.run'>): Promise<Output>
  /** Ends the query that runs, the way one ends that takes too long. */
  stop(): Promise<{ stopped: boolean }>
}

/**
 * Runs queries one after the other in the logic worker. One that is over its time ends with its thread, as does one
 * that is stopped and the thread of one that went over another limit, for its memory; the next query starts a new one.
 */
export function queryRunner(
  workers: Workers,
  { longestMs = LONGEST_MS, loadingMs = LOADING_MS } = {},
): QueryRunner {
  let last: Promise<unknown> = Promise.resolve()
  let stop: ((error: AppError) => void) | undefined
  return {
    run: (input) => {
      const mine = last.then(async () => {
        const stopped = new Promise<never>((_, reject) => {
          stop = reject
        })
        stopped.catch(() => undefined)
        try {
          // Loading the model is no part of the query's time. The name alone calls nearest/4: the sandbox sees to that.
          if (/nearest/.test(input.goal)) await Promise.race([modelLoaded(workers, loadingMs), stopped])
          return await run(workers, input, longestMs, stopped)
        } finally {
          stop = undefined
        }
      })
      last = mine.catch(() => undefined)
      return mine
    },
    stop: async () => {
      stop?.(new AppError('cancelled', 'The query was stopped.'))
      return { stopped: stop !== undefined }
    },
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

async function run(
  workers: Workers,
  input: ParsedInput<'query.run'>,
  longestMs: number,
  stopped: Promise<never>,
): Promise<Output> {
  const client = workers.client('logic')
  let timer: ReturnType<typeof setTimeout> | undefined
  let tooLate = (): void => undefined
  const late = new Promise<never>((_, reject) => {
    tooLate = () => reject(overLimit(`ran for ${Math.round(longestMs / 1000)} s`))
  })
  try {
    await Promise.race([client.call('ready', {}), stopped])
    timer = setTimeout(() => tooLate(), longestMs)
    const answer = (await Promise.race([client.call('query.run', input), late, stopped])) as Output & {
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
