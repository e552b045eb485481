import type { MessagePort } from 'node:worker_threads'
import type { FileJob, FileStep, GroupReader, JournalContext } from '../../journal'
import { notify } from '../rpc'

export interface ReaderData {
  dbPath: string
  /** One number, which is 1 once the reading is to stop. */
  stop: Int32Array
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
  return {
    group: async ({ jobs }: { jobs: readonly FileJob[] }) => {
      const whole = await read(jobs, {
        cancelled: () => Atomics.load(stop, 0) === 1,
        wrote: (path, step) => notify(port, 'wrote', { path, step } satisfies Wrote),
      })
      return { whole, strangers: journal.receipts.strangers }
    },
    close: (_: object) => {
      journal.db.close()
      return {}
    },
  }
}
