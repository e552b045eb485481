import type { SecondReader } from '../../journal'
import createReaderWorker from '../reader.worker?nodeWorker'
import { connect } from '../rpc'
import type { ReaderData, ReaderMethods, Wrote } from './reader-methods'

const YOUNG_MB = 16

/** A thread that reads groups of files for a run. */
export function secondReader(place: Omit<ReaderData, 'stop'>): SecondReader {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const worker = createReaderWorker({
    workerData: { ...place, stop } satisfies ReaderData,
    // What it reads lives for a chunk: a small nursery keeps the process as small as with one reader.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  let wrote: (told: Wrote) => void = () => {}
  let strangers = 0
  const client = connect<ReaderMethods>(worker, {
    name: 'reading',
    onEvent: (_, told) => wrote(told as Wrote),
  })
  return {
    read: async (jobs, hooks) => {
      wrote = ({ path, step }) => {
        hooks.wrote(path, step)
        if (hooks.cancelled()) Atomics.store(stop, 0, 1)
      }
      const answer = await client.call('group', { jobs })
      strangers = answer.strangers
      return answer.whole
    },
    strangers: () => strangers,
    close: async () => {
      await client.call('close', {}).catch(() => undefined)
      await worker.terminate()
    },
  }
}
