import type { IndexStatus, IngestReport } from '../../shared/journal'
import type { Workers } from '../workers/start'

/** Reads transcripts and waits for what is made of them; one run at a time can be cut short. */
export interface IngestRunner {
  run(name: 'ingest.run' | 'ingest.stream', input: { embed: boolean }): Promise<IngestReport>
  /** Ends the waiting; what still has no vector gets it later. */
  stopWaiting(): boolean
}

/**
 * Reads in the ingest worker, then, unless told not to, waits until the index worker has nothing left to do. Indexing
 * rests while transcripts are read: both want the write lock and a core, and reading is what the person waits for.
 */
export function ingestRunner(workers: Workers): IngestRunner {
  let stop: (() => void) | null = null
  return {
    run: async (name, input) => {
      const report = await whileIndexRests(
        workers,
        () => workers.client('ingest').call(name, input) as Promise<IngestReport>,
      )
      if (!input.embed || report.cancelled) {
        const reason = report.cancelled
          ? 'the run was interrupted'
          : 'embedding was left for later (--no-embed)'
        return { ...report, embeddings: { path: 'none', reason } }
      }
      const index = workers.client('index')
      const stopped = new Promise<'stopped'>((resolve) => {
        stop = () => resolve('stopped')
      })
      const ended = await Promise.race([index.call('idle', {}), stopped])
      stop = null
      const status = (await index.call('index.status', {})) as IndexStatus
      return {
        ...report,
        cancelled: ended === 'stopped',
        pendingEmbeddings: status.pending,
        embeddings: status.model
          ? { path: 'semantic', reason: null }
          : { path: 'none', reason: status.reason },
      }
    },
    stopWaiting: () => {
      stop?.()
      return stop !== null
    },
  }
}

async function whileIndexRests<T>(workers: Workers, work: () => Promise<T>): Promise<T> {
  if (!workers.isRunning('index')) return work()
  const index = workers.client('index')
  await index.call('pause', {})
  try {
    return await work()
  } finally {
    await index.call('resume', {})
  }
}
