import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { EventName, EventPayload } from '../../shared/contract'
import { envelopeKey } from '../journal'
import { keepCodes, openWrite } from '../store'
import type { HandlerContext } from './context'
import { embedderOverPort } from './index/embedder-port'
import { cellHandlers } from './query/cell.handlers'
import { curatorHandlers } from './query/curator.handlers'
import { exportHandlers } from './query/export.handlers'
import { factHandlers } from './query/fact.handlers'
import { itemHandlers } from './query/item.handlers'
import { watchOutside } from './query/outside-changes'
import { recallHandlers } from './query/recall.handlers'
import { retentionHandlers } from './query/retention.handlers'
import { reviewHandlers } from './query/review.handlers'
import { settingsHandlers } from './query/settings.handlers'
import { timelineHandlers } from './query/timeline.handlers'
import { traceHandlers } from './query/trace.handlers'
import { notify, serve } from './rpc'

// Everything that reads memory: search, hydration, the timeline, gates, export. It has a connection of its own, so that
// neither the window nor the reading of transcripts waits for it.

interface QueryWorkerData {
  home: string
  dbPath: string
  config: string
  embedder: MessagePort
  /** Whether a window shows what other processes change. */
  watch: boolean
}

const port = parentPort
if (!port) throw new Error('query.worker runs as a worker only')

const data = workerData as QueryWorkerData
// One for both: what another connection commits empties this one's cache of pages, and every frame ends with its receipt.
const db = openWrite(data.dbPath, 64)
const context: HandlerContext = {
  home: data.home,
  read: db,
  write: db,
  embedder: embedderOverPort(data.embedder),
  clock: Date.now,
  emit: <N extends EventName>(event: N, payload: EventPayload<N>) => notify(port, event, payload),
  key: envelopeKey(data.config, (sentence) => notify(port, 'trouble', { sentence })),
}

export const queryMethods = (ctx: HandlerContext) => ({
  ...timelineHandlers(ctx),
  ...itemHandlers(ctx),
  ...cellHandlers(ctx),
  ...curatorHandlers(ctx),
  ...settingsHandlers(ctx),
  ...recallHandlers(ctx),
  ...reviewHandlers(ctx),
  ...traceHandlers(ctx),
  ...exportHandlers(ctx),
  ...factHandlers(ctx),
  ...retentionHandlers(ctx),
})

/** How long an opening window has the machine to itself before memory is filled, in milliseconds. */
const OPENING_MS = 2_000

/** An app stays and asks often: its codes are kept in memory. A single command is quicker with a scan of the table. */
function warmLater(): () => void {
  let stop = (): void => undefined
  const timer = setTimeout(() => {
    const codes = keepCodes(context.read)
    stop = () => codes.close()
    codes
      .warm()
      .catch((error: unknown) => notify(port as MessagePort, 'log', { method: 'warm', ...describe(error) }))
  }, OPENING_MS)
  timer.unref()
  return () => {
    clearTimeout(timer)
    stop()
  }
}

const endings = data.watch ? [watchOutside(context.read, context.emit), warmLater()] : []
const close = (): object => {
  for (const end of endings) end()
  db.close()
  return {}
}
serve(port, { ...queryMethods(context), close }, (error, method) =>
  notify(port, 'log', { method, ...describe(error) }),
)

function describe(error: unknown): Record<string, string> {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return {
    error: error instanceof Error ? error.name : typeof error,
    at: /([\w.-]+:\d+:\d+)\)?/.exec(stack)?.[1] ?? '',
  }
}
