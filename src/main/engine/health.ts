import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { CallOutput } from '../../shared/contract'
import { AppError } from '../../shared/errors'
import type { IndexStatus, Stats } from '../../shared/journal'
import type { Places } from '../home'
import { keyFile, keyProblem } from '../journal'
import { ollamaModel } from '../models'
import { backupTo, checkIntegrity, openRead, schemaVersion, sqliteVersion } from '../store'
import type { Workers } from '../workers/start'

export async function appInfo(
  workers: Workers,
  places: Places,
  { version, troubles }: { version: string; troubles: ReadonlySet<string> },
): Promise<CallOutput<'app.info'>> {
  const [index, stats] = await Promise.all([
    workers.client('index').call('index.status', {}) as Promise<IndexStatus>,
    workers.client('query').call('stats.get', {}) as Promise<Stats>,
  ])
  return {
    version,
    home: places.home,
    userHome: homedir(),
    platform: `${process.platform}-${process.arch}`,
    electron: process.versions.electron ?? null,
    node: process.versions.node,
    sqlite: withRead(places.db, sqliteVersion),
    degraded: [...degraded(index), ...troubles],
    firstRun: stats.sources === 0,
  }
}

/** One plain sentence for each lesser path that is in use now. */
export function degraded(index: IndexStatus): string[] {
  if (index.state === 'ready' || index.state === 'loading') return []
  return [`Recall by words only: ${index.reason ?? 'the embedding model is not there'}`]
}

type Check = CallOutput<'doctor.run'>['checks'][number]

/** The model is waited for so long: a slow disk is no fault. */
const LOADING_MS = 15_000

export async function doctor(
  workers: Workers,
  places: Places,
  loadingMs = LOADING_MS,
): Promise<CallOutput<'doctor.run'>> {
  const client = workers.client('index')
  const waiting = new AbortController()
  await Promise.race([client.call('loaded', {}), setTimeout(loadingMs, undefined, waiting)])
  waiting.abort()
  const index = (await client.call('index.status', {})) as IndexStatus
  const checks = [
    ...databaseChecks(places),
    embeddingCheck(index),
    keyCheck(places),
    await languageModelCheck(),
  ]
  return { ok: checks.every((check) => check.ok), checks }
}

function databaseChecks(places: Places): Check[] {
  return withRead(places.db, (db) => {
    const integrity = checkIntegrity(db, 'full')
    return [
      { name: 'data folder', ok: true, detail: places.home },
      { name: 'sqlite', ok: true, detail: `${sqliteVersion(db)}, schema ${schemaVersion(db)}` },
      {
        name: 'database',
        ok: integrity.ok,
        detail: integrity.ok ? 'sound' : integrity.problems.slice(0, 3).join('; '),
        ...(integrity.ok
          ? {}
          : { fix: 'Restore the newest backup: fovea.db.v*.bak in the data folder, or your own.' }),
      },
    ]
  })
}

function embeddingCheck(index: IndexStatus): Check {
  const ok = index.state === 'ready' || index.state === 'loading'
  return {
    name: 'embeddings',
    ok,
    detail: ok
      ? `${index.model ?? 'still loading; until then recall goes by words'}, ${index.vectors} vectors, ${index.pending} waiting`
      : (index.reason ?? ''),
    ...(ok ? {} : { fix: 'npm run setup puts the model in place. Until then recall goes by words.' }),
  }
}

/** Read as it is: it is made when it is first needed. */
function keyCheck({ config }: Places): Check {
  const problem = keyProblem(config)
  return {
    name: 'envelope key',
    ok: problem === null,
    detail: problem ?? keyFile(config),
    ...(problem === null
      ? {}
      : { fix: 'Until then frames are known again by their receipts, in the data folder that made them.' }),
  }
}

/** The language model is optional: its absence is told, and is no fault. */
async function languageModelCheck(): Promise<Check> {
  const status = await ollamaModel().status()
  const detail =
    status.models.length > 0 ? status.models.join(', ') : `${status.reason ?? 'none'} Not needed.`
  return { name: 'language model', ok: true, detail }
}

/** @throws AppError `conflict` when `out` exists, `unreadable` when it cannot be written. */
export async function makeBackup(places: Places, out: string): Promise<CallOutput<'backup.run'>> {
  const file = resolve(out)
  if (existsSync(file)) throw new AppError('conflict', `${file} exists already; nothing was written.`)
  const db = openRead(places.db)
  try {
    await backupTo(db, file)
  } catch (cause) {
    throw new AppError('unreadable', `The backup ${file} cannot be written.`, { cause })
  } finally {
    db.close()
  }
  return { file, bytes: statSync(file).size }
}

function withRead<T>(path: string, read: (db: ReturnType<typeof openRead>) => T): T {
  const db = openRead(path)
  try {
    return read(db)
  } finally {
    db.close()
  }
}
