import type { MessagePort } from 'node:worker_threads'
import type { FileJob, FileStep, GroupReader, JournalContext } from '../../journal'
import { notify } from '../rpc'

export interface ReaderData {
  dbPath: string
  config: string
  /** One number, which is 1 once the reading is to stop. */
  stop: Int32Array
  /** Shared with the first reader: see `turns`. */
  turn: Int32Array
}

export interface Wrote {
  path: string
  step: FileStep
}

export type ReaderMethods = ReturnType<typeof readerMethods>

/** What the second reader answers; what it wrote it tells as it goes. */
export function readerMethods(
  port: MessagePort,
  journal: JournalContext,
  read: GroupReader,
  stop: Int32Array,
) {
  let before: Promise<unknown> = Promise.resolve()
  const group = async (jobs: readonly FileJob[]) => {
    const whole = await read(jobs, {
      cancelled: () => Atomics.load(stop, 0) === 1,
      wrote: (path, step) => notify(port, 'wrote', { path, step } satisfies Wrote),
    })
    return { whole, strangers: journal.receipts.strangers }
  }
  return {
    /** One after another: what is asked for meanwhile waits. */
    group: ({ jobs }: { jobs: readonly FileJob[] }) => {
      const next = before.then(() => group(jobs))
      before = next.catch(() => undefined)
      return next
    },
    close: (_: object) => {
      journal.db.close()
      return {}
    },
  }
}
