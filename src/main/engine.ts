import {
  type CallInput,
  type CallName,
  type CallOutput,
  calls,
  type EventName,
  type EventPayload,
  type ParsedInput,
} from '../shared/contract'
import { AppError } from '../shared/errors'
import type { IndexStatus } from '../shared/journal'
import { plainProblem } from '../shared/plain-issue'
import { appInfo, degraded, doctor, makeBackup } from './engine/health'
import { hookHandlers } from './engine/hooks'
import { type HostHandlers, hostCalls } from './engine/host-calls'
import { ingestRunner } from './engine/ingest-and-embed'
import { queryRunner } from './engine/run-query'
import { type Places, placesFor } from './home'
import { fileLog, type Log } from './log'
import { isOlder, migrate, openWrite } from './store'
import { type OwnCall, routes } from './workers/routes'
import { Workers } from './workers/start'
import { upgradeInThread } from './workers/upgrade'

// The composition root: opens the database, starts the workers when they are first needed, and sends each call of the
// contract to whoever answers it, validated on the way in and on the way out.

export interface EngineOptions {
  /** The data folder; the platform's own when left out. */
  home?: string | undefined
  /** Folder with the bundled sample, planes and `models/`. */
  resources: string
  /** Whether enrolled sources are watched; the app does, a single command does not. */
  watch: boolean
  /** Old work waits for another process: somebody waits for an answer of this one. */
  answersOnly?: boolean
  version: string
  /** Calls that only this host can answer, such as the ones that open a dialog. */
  host?: HostHandlers
  /** What the machine runs on, where the host can tell. */
  power?: PowerPort
  log?: Log
  /** Hears once of each lesser path that something runs on, in a sentence for the person. */
  onTrouble?: (sentence: string) => void
}

/** Mains or battery, as the host knows it. */
export interface PowerPort {
  /** Null: unknown. */
  onBattery(): boolean | null
  /** Returns the way to stop listening. */
  onChange(listener: (onBattery: boolean | null) => void): () => void
}

export type EventListener = <N extends EventName>(event: N, payload: EventPayload<N>) => void

export interface Engine {
  readonly places: Places
  /** @throws AppError `bad-input` naming the field, or whatever the call itself may throw. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  /** Returns the way to stop listening. */
  on(listener: EventListener): () => void
  close(): Promise<void>
}

/** @throws AppError `unreadable`, `corrupt`, `newer-database` when the data folder cannot be used. */
export function createEngine(options: EngineOptions): Engine {
  const places = placesFor(options.home, process.env)
  const log = options.log ?? fileLog(places.log)
  prepareDatabase(places.db, log)

  const listeners = new Set<EventListener>()
  /** Lesser paths that were told since the start. */
  const troubles = new Set<string>()
  const workers = new Workers(
    {
      home: places.home,
      dbPath: places.db,
      config: places.config,
      resources: options.resources,
      watch: options.watch,
      answersOnly: options.answersOnly ?? false,
      onBattery: options.power?.onBattery ?? (() => null),
    },
    {
      onEvent: (event, payload) => {
        // What was read has to be indexed; the index worker sleeps until it is told. A command that only reads
        // transcripts does not start it for that: it finds its queue whenever it starts.
        if (event === 'journal.changed' && workers.isRunning('index')) {
          void workers
            .client('index')
            .call('kick', {})
            .catch(() => undefined)
        }
        if (event === 'gates.changed') kickModels({})
        for (const listener of listeners) listener(event, payload)
      },
      onLog: (worker, fields) => log('worker', { worker, ...fields }),
      onTrouble: (sentence) => {
        if (troubles.has(sentence)) return
        troubles.add(sentence)
        log('trouble')
        options.onTrouble?.(sentence)
        void tellHealth().catch(() => undefined)
      },
    },
  )
  /** What the model may do depends on settings, gates and power. */
  const kickModels = (change: { onBattery?: boolean | null }): void => {
    if (!options.watch || !workers.isRunning('index')) return
    void workers
      .client('index')
      .call('models.kick', change)
      .catch(() => undefined)
  }
  /** A window shows what runs on a lesser path; a command has said it. */
  const tellHealth = async (): Promise<void> => {
    if (!options.watch) return
    const index = (await workers.client('index').call('index.status', {})) as IndexStatus
    const payload = { degraded: [...degraded(index), ...troubles] }
    for (const listener of listeners) listener('health.changed', payload)
  }
  const stopListening = options.power?.onChange((onBattery) => kickModels({ onBattery }))
  const queries = queryRunner(workers)
  const own: { [K in OwnCall]: (input: ParsedInput<K>) => Promise<CallOutput<K>> } = {
    ...hostCalls(options.host),
    ...hookHandlers(places, options.resources),
    'app.info': () => appInfo(workers, places, { version: options.version, troubles }),
    'doctor.run': () => doctor(workers, places),
    'backup.run': ({ out }) => makeBackup(places, out),
    'query.run': queries.run,
    'query.stop': queries.stop,
  }

  const ingest = ingestRunner(workers)
  const answer = (name: CallName, input: unknown): Promise<unknown> => {
    if (isOwn(name)) return (own[name] as (input: unknown) => Promise<unknown>)(input)
    if (name === 'ingest.run' || name === 'ingest.stream')
      return ingest.run(name, input as { embed: boolean })
    if (name === 'ingest.cancel' && ingest.stopWaiting()) return Promise.resolve({ cancelled: true })
    return workers.client(routes[name]).call(name, input)
  }

  if (options.watch) {
    for (const name of ['ingest', 'index', 'query'] as const) workers.client(name)
  }
  return {
    places,
    call: async (name, input) => {
      const started = performance.now()
      const value = await answer(name, validInput(name, input))
      if (name === 'settings.set') kickModels({})
      log('call', { name, ms: Math.round(performance.now() - started) })
      return validOutput(name, value)
    },
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      stopListening?.()
      return workers.close()
    },
  }
}

function prepareDatabase(path: string, log: Log): void {
  const db = openWrite(path)
  try {
    const { from, to } = (isOlder(db) ? upgradeInThread(path) : null) ?? migrate(db)
    if (from !== to) log('migrated', { from, to })
  } finally {
    db.close()
  }
}

const isOwn = (name: CallName): name is OwnCall => !Object.hasOwn(routes, name)

function validInput<N extends CallName>(name: N, input: unknown): ParsedInput<N> {
  const parsed = calls[name].input.safeParse(input ?? {})
  if (parsed.success) return parsed.data as ParsedInput<N>
  throw new AppError('bad-input', plainProblem(parsed.error))
}

function validOutput<N extends CallName>(name: N, value: unknown): CallOutput<N> {
  const parsed = calls[name].output.safeParse(value)
  if (parsed.success) return parsed.data as CallOutput<N>
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new AppError(
    'internal',
    `${name} gave an answer of the wrong shape (${where}). This is a fault in Fovea.`,
  )
}
