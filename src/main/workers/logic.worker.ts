import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { findByWords } from '../hydration'
import { openRead } from '../store'
import { embedOverPort } from './logic/embed-now'
import { logicMethods } from './logic/logic-methods'
import { notify, serve } from './rpc'

// Questions in Prolog, in a thread of their own that can be ended while it computes. It can only read.

interface LogicWorkerData {
  dbPath: string
  embedder: MessagePort
}

const port = parentPort
if (!port) throw new Error('logic.worker runs as a worker only')

const { dbPath, embedder } = workerData as LogicWorkerData
const read = openRead(dbPath)
const log = (error: unknown, method: string): void =>
  notify(port, 'log', { method, error: error instanceof Error ? error.name : typeof error })
const methods = logicMethods(
  {
    read,
    embedNow: embedOverPort(embedder, () => notify(port, 'embedder.wanted', {}), Date.now),
    findWords: (text, k) => findByWords(read, text, k),
    onFault: (error) => log(error, 'query.run'),
  },
  () => performance.now(),
)
serve(port, methods, log)
