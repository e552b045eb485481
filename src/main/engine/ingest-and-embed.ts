import type { IndexStatus, IngestReport } from '../../shared/journal'
import type { Workers } from '../workers/start'

/**
 * Reads in the ingest worker, then, unless told not to, waits until the index worker has nothing left to do. Indexing
 * rests while transcripts are read: both want the write lock and a core, and reading is what the person waits for.
 */
export async function runIngest(
  workers: Workers,
  name: 'ingest.run' | 'ingest.stream',
  input: { embed: boolean },
): Promise<IngestReport> {
  const report = await whileIndexRests(
    workers,
    () => workers.client('ingest').call(name, input) as Promise<IngestReport>,
  )
  if (!input.embed) {
    return { ...report, embeddings: { path: 'none', reason: 'embedding was left for later (--no-embed)' } }
  }
  const index = workers.client('index')
  await index.call('idle', {})
  const status = (await index.call('index.status', {})) as IndexStatus
  return {
    ...report,
    pendingEmbeddings: status.pending,
    embeddings: status.model ? { path: 'semantic', reason: null } : { path: 'none', reason: status.reason },
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
