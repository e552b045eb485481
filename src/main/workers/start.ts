import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { type EventName, type EventPayload, events } from '../../shared/contract'
import type { LogFields } from '../log'
import createIndexWorker from './index.worker?nodeWorker'
import createIngestWorker from './ingest.worker?nodeWorker'
import createLogicWorker from './logic.worker?nodeWorker'
import createQueryWorker from './query.worker?nodeWorker'
import type { WorkerName } from './routes'
import { type Client, connect, type Methods } from './rpc'

export interface WorkerSettings {
  home: string
  dbPath: string
  /** The person's configuration folder. */
  config: string
  resources: string
  watch: boolean
  /** Old work waits for another process. */
  answersOnly: boolean
  /** What the machine runs on; null when nobody can say. */
  onBattery: () => boolean | null
}

/** How long an opening window has the machine to itself, in milliseconds. */
const OPENING_MS = 2_000

/**
 * The model's runtime looks through the process's command line with a recursive expression: a long argument
 * overflows a thread's usual 4 MB of stack and ends the process.
 */
const MODEL_STACK_MB = 256
/** What is read of a transcript lives for a chunk: a larger nursery takes memory and saves little time. */
const READER_YOUNG_MB = 16

interface Listeners {
  onEvent: <N extends EventName>(event: N, payload: EventPayload<N>) => void
  onLog: (worker: WorkerName, fields: LogFields) => void
  /** Something runs on a lesser path; a sentence for the person. */
  onTrouble: (sentence: string) => void
}

/** The workers, each started at its first use: a command that only reads never loads the transcript reader. */
export class Workers {
  private readonly running = new Map<WorkerName, { worker: Worker; client: Client<Methods> }>()
  private readonly settings: WorkerSettings
  private logicEmbedder: MessagePort | undefined
  private readonly listeners: Listeners

  constructor(settings: WorkerSettings, listeners: Listeners) {
    this.settings = settings
    this.listeners = listeners
  }

  client(name: WorkerName): Client<Methods> {
    return this.start(name).client
  }

  isRunning(name: WorkerName): boolean {
    return this.running.has(name)
  }

  /** Asks each worker to finish what it is writing, then ends it. */
  async close(): Promise<void> {
    // The query worker holds a port to the index worker, so it goes first.
    for (const name of ['query', 'logic', 'ingest', 'index'] as const) {
      const one = this.running.get(name)
      if (!one) continue
      this.running.delete(name)
      await Promise.race([one.client.call('close', {}).catch(() => undefined), patience(name)])
      await one.worker.terminate()
    }
  }

  /** Ends a worker where it stands; its open calls fail, and the next call starts a new one. Only for one that reads. */
  async end(name: 'logic'): Promise<void> {
    const one = this.running.get(name)
    this.running.delete(name)
    await one?.worker.terminate()
  }

  private start(name: WorkerName): { worker: Worker; client: Client<Methods> } {
    const known = this.running.get(name)
    if (known) return known
    const worker = this.create(name)
    const client = connect<Methods>(worker, {
      name,
      onEvent: (event, payload) => this.hear(name, event, payload),
    })
    const started = { worker, client }
    this.running.set(name, started)
    // An uncaught error ends the thread; the next call starts a new one, and open calls fail with `unavailable`.
    worker.on('error', () => this.listeners.onLog(name, { event: 'worker-failed' }))
    worker.on('exit', () => {
      if (this.running.get(name) === started) this.running.delete(name)
    })
    return started
  }

  private create(name: WorkerName): Worker {
    const { home, dbPath, config, resources, watch, answersOnly, onBattery } = this.settings
    if (name === 'ingest') {
      return createIngestWorker({
        workerData: { home, dbPath, config, resources, watch },
        resourceLimits: { maxYoungGenerationSizeMb: READER_YOUNG_MB },
      })
    }
    if (name === 'index') {
      const restMs = answersOnly ? null : watch ? OPENING_MS : 0
      return createIndexWorker({
        workerData: { home, dbPath, modelsDir: `${resources}/models`, restMs, watch, onBattery: onBattery() },
        resourceLimits: { stackSizeMb: MODEL_STACK_MB },
      })
    }
    if (name === 'logic') {
      const { port1, port2 } = new MessageChannel()
      this.logicEmbedder = port2
      return createLogicWorker({ workerData: { dbPath, embedder: port1 }, transferList: [port1] })
    }
    const { port1, port2 } = new MessageChannel()
    const index = this.start('index')
    index.client.call('connect', { port: port2 }, [port2]).catch(() => port1.close())
    return createQueryWorker({
      workerData: { home, dbPath, config, resources, watch, embedder: port1 },
      transferList: [port1],
    })
  }

  /** A query asks for a vector: only then is the model needed. The request waits in the port until it is served. */
  private serveLogic(): void {
    const port = this.logicEmbedder
    this.logicEmbedder = undefined
    if (!port) return
    this.start('index')
      .client.call('connect', { port }, [port])
      .catch(() => port.close())
  }

  private hear(worker: WorkerName, event: string, payload: unknown): void {
    if (event === 'log') {
      this.listeners.onLog(worker, payload as LogFields)
      return
    }
    if (event === 'trouble') {
      this.listeners.onTrouble((payload as { sentence: string }).sentence)
      return
    }
    if (event === 'embedder.wanted') {
      this.serveLogic()
      return
    }
    if (!Object.hasOwn(events, event)) return
    const name = event as EventName
    const parsed = events[name].safeParse(payload)
    if (parsed.success) this.listeners.onEvent(name, parsed.data as EventPayload<typeof name>)
    else this.listeners.onLog(worker, { event: 'bad-event', name })
  }
}

/**
 * How long a worker may take to finish what it is writing, in milliseconds. The model's thread gets longer: ended in
 * the middle of native work it takes the whole process down with it.
 */
const PATIENCE_MS = 5_000
const MODEL_PATIENCE_MS = 60_000

const patience = (name: WorkerName): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, name === 'index' ? MODEL_PATIENCE_MS : PATIENCE_MS).unref()
  })
