import { availableParallelism } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { curate, RUNG_VERSION, recurateWhenChanged, tendNeighbourhoods } from '../curator'
import { linkGoals, openRedactor, rescan } from '../journal'
import { createEmbedder } from '../models'
import { openWrite } from '../store'
import { DailyRetention } from './index/daily-retention'
import { IndexLoop } from './index/index-loop'
import { indexMethods } from './index/index-methods'
import { notify, serve } from './rpc'

// Vectors and rungs, made in the background, and the embedder that every question goes through.

interface IndexWorkerData {
  dbPath: string
  modelsDir: string
  /** How long to leave the machine to the window that is opening, in milliseconds, before old work goes on. */
  restMs: number
  /** Whether this process stays: only then does something happen by itself once a day. */
  stays: boolean
}

const port = parentPort
if (!port) throw new Error('index.worker runs as a worker only')

const { dbPath, modelsDir, restMs, stays } = workerData as IndexWorkerData
const db = openWrite(dbPath)
// One core is left to the window and to reading: a second one gains little on two.
const threads = Math.max(1, Math.min(4, availableParallelism() - 1))
const embedder = createEmbedder({ modelsDir, threads })
const log = (error: unknown, method: string): void =>
  notify(port, 'log', { method, error: error instanceof Error ? error.name : typeof error })
const { redact } = openRedactor(db)
const loop = new IndexLoop({
  db,
  embedder,
  clock: Date.now,
  rescan: () => rescan(db, redact),
  curate: () => curate(db, { now: Date.now() }),
  link: () => linkGoals(db),
  relate: () => tendNeighbourhoods(db, { now: Date.now(), version: RUNG_VERSION }),
  onProgress: (status) => notify(port, 'index.progress', status),
  onFailure: (error) => log(error, 'index'),
})

recurateWhenChanged(db)
const retention = new DailyRetention({ db, clock: Date.now, onFailure: (error) => log(error, 'retention') })
serve(port, indexMethods(db, embedder, loop, retention), log)
// What an earlier run left.
setTimeout(() => {
  loop.kick()
  if (stays) retention.start()
}, restMs)
