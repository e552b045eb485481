import { availableParallelism } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { EventName, EventPayload } from '../../shared/contract'
import { updateArcs } from '../curator'
import { envelopeKey, facultySettings, journalContext, LiveAttention, sharedTurn, turns } from '../journal'
import { openWrite } from '../store'
import { ingestMethods } from './ingest/ingest-methods'
import { secondReader } from './ingest/second-reader'
import { IngestService } from './ingest/service'
import { notify, serve } from './rpc'

// Reads transcripts into the journal: sources, watching, items, and with them their arcs.

interface IngestWorkerData {
  home: string
  dbPath: string
  config: string
  resources: string
  watch: boolean
}

const port = parentPort
if (!port) throw new Error('ingest.worker runs as a worker only')

const { home, dbPath, config, resources, watch } = workerData as IngestWorkerData
const db = openWrite(dbPath)
const turn = sharedTurn()
const journal = journalContext(db, {
  afterWrite: (handle, sessions) => void updateArcs(handle, sessions),
  turn: turns(turn),
  key: envelopeKey(config, (sentence) => notify(port, 'trouble', { sentence })),
})
const attention = new LiveAttention(db, Date.now, () => {
  const { adaptive, interrupts } = facultySettings(db)
  return adaptive && interrupts
})
const emit = <N extends EventName>(event: N, payload: EventPayload<N>): void => notify(port, event, payload)
/** Attention must not cost a reading: what went wrong is logged, and the next change tells it again. */
function attend(sessions: readonly string[]): void {
  try {
    attention.changed(sessions)
  } catch (error) {
    if (port) notify(port, 'log', { method: 'attention', ...describe(error) })
  }
}
const service = new IngestService({
  journal,
  emit,
  skip: [home],
  watch,
  ...(watch ? { changed: attend } : {}),
  ...(availableParallelism() > 1 ? { beside: () => secondReader({ dbPath, config, turn }) } : {}),
})

serve(port, ingestMethods(journal, service, resources), (error, method) =>
  notify(port, 'log', { method, ...describe(error) }),
)
service.start()

/** Where it came from, not what it says: messages can quote content. */
function describe(error: unknown): Record<string, string> {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return {
    error: error instanceof Error ? error.name : typeof error,
    code: String((error as { code?: unknown }).code ?? ''),
    at: /([\w.-]+:\d+:\d+)\)?/.exec(stack)?.[1] ?? '',
  }
}
