import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { curate, RUNG_VERSION, recurateWhenChanged, tendNeighbourhoods } from '../curator'
import { linkGoals, openRedactor, rescan } from '../journal'
import { createEmbedder } from '../models'
import { gatesSql, mergeWords, openWrite } from '../store'
import { DailyRetention } from './index/daily-retention'
import { IndexLoop } from './index/index-loop'
import { indexMethods } from './index/index-methods'
import { modelFor } from './index/model-for'
import { ModelLoop } from './index/model-loop'
import { notify, serve } from './rpc'

// Vectors and rungs, made in the background, and the embedder that every question goes through.

interface IndexWorkerData {
  dbPath: string
  modelsDir: string
  /** How long to leave the machine to the window that is opening, in milliseconds, before old work goes on; null: it does not. */
  restMs: number | null
  /** Whether a window is open: then a chosen model and retention work by themselves, else only when asked to. */
  watch: boolean
  onBattery: boolean | null
}

const port = parentPort
if (!port) throw new Error('index.worker runs as a worker only')

const { dbPath, modelsDir, restMs, watch, ...given } = workerData as IndexWorkerData
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
  merge: () => mergeWords(db),
  onProgress: (status) => {
    notify(port, 'index.progress', status)
    if (watch) models.nudge()
  },
  onFailure: (error) => log(error, 'index'),
})
let onBattery = given.onBattery
const models = new ModelLoop({
  db,
  ports: {
    model: modelFor(db),
    clock: Date.now,
    mask: (text) => redact(text).text,
    onBattery: () => onBattery,
    gateOpen: () => gatesSql.anyOpen(db),
    owner: `${process.pid}:${randomUUID()}`,
  },
  onMade: () => loop.kick(),
  onStatus: (status) => notify(port, 'curator.progress', status),
  onFailure: (error) => log(error, 'models'),
})

recurateWhenChanged(db)
const power = (now: boolean | null): void => {
  onBattery = now
}
const retention = new DailyRetention({ db, clock: Date.now, onFailure: (error) => log(error, 'retention') })
serve(port, indexMethods({ db, embedder, loop, models, retention, power }), log)
// What an earlier run left.
if (restMs !== null)
  setTimeout(() => {
    loop.kick()
    if (watch) retention.start()
  }, restMs)
