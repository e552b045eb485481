import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { AppError } from '../../shared/errors'
import { makeFolder, refuseForbidden } from './access'
import type { ReadDb, SqlParams, WriteDb } from './db'
import { fullDisk, guarded as guardedAt, isFull } from './errors'

// The one place that knows better-sqlite3 and sqlite-vec.

/** How long a connection waits for another process's write, in milliseconds. */
const BUSY_MS = 10_000

type Statement = Database.Statement<unknown[], unknown>

function connect(path: string, readonly: boolean): Database.Database {
  // The packaged binary needs Node-API 10 and crashes the process on an older runtime; setup then builds one
  // for Node-API 9 and says where it is.
  const binding = Number(process.versions.napi ?? 0) < 10 ? process.env.FOVEA_SQLITE_BINDING : undefined
  if (Number(process.versions.napi ?? 0) < 10 && !binding) {
    throw new AppError('unsupported', 'This runtime needs its own SQLite binary. Run "npm run setup" once.')
  }
  try {
    const db = new Database(path, {
      readonly,
      fileMustExist: readonly,
      timeout: BUSY_MS,
      ...(binding ? { nativeBinding: binding } : {}),
    })
    sqliteVec.load(db)
    return db
  } catch (cause) {
    throw openError(path, cause)
  }
}

function openError(path: string, cause: unknown): AppError {
  const code = (cause as { code?: string }).code ?? ''
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return new AppError(
      'corrupt',
      `${path} is not a readable Fovea database. Restore a backup, or move it away to start anew.`,
      { cause },
    )
  }
  if (isFull(path, cause)) return fullDisk(cause)
  if (code === 'SQLITE_BUSY')
    return new AppError('busy', 'Another program is holding the Fovea database.', { cause })
  return new AppError(
    'unreadable',
    `The database ${path} cannot be opened. Check that the folder is writable.`,
    { cause },
  )
}

function makeHandle(db: Database.Database, path: string): WriteDb {
  const statements = new Map<string, Statement>()
  const guarded = <T>(work: () => T): T => guardedAt(work, path)
  const prepare = (sql: string): Statement => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = db.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  const args = (params: SqlParams | undefined): unknown[] =>
    params === undefined ? [] : Array.isArray(params) ? [...params] : [params]
  const immediate = <T>(work: () => T): T =>
    guarded(() => (db.inTransaction ? work() : db.transaction(work).immediate()))
  let moment: object | null = null
  const snapshot = <T>(read: () => T): T => {
    if (db.inTransaction) return read()
    moment = {}
    try {
      return db.transaction(read).deferred()
    } finally {
      moment = null
    }
  }
  const handle = {
    path,
    get moment() {
      return moment
    },
    get inTransaction() {
      return db.inTransaction
    },
    all: <T>(sql: string, params?: SqlParams) => guarded(() => prepare(sql).all(...args(params)) as T[]),
    get: <T>(sql: string, params?: SqlParams) =>
      guarded(() => prepare(sql).get(...args(params)) as T | undefined),
    iterate: <T>(sql: string, params?: SqlParams) =>
      prepare(sql).iterate(...args(params)) as IterableIterator<T>,
    snapshot: <T>(read: () => T) => guarded(() => snapshot(read)),
    run: (sql: string, params?: SqlParams) => {
      moment = null
      const info = guarded(() => prepare(sql).run(...args(params)))
      return { changes: info.changes, lastInsertRowid: Number(info.lastInsertRowid) }
    },
    transaction: immediate,
    waits: (each: boolean) => void guarded(() => db.pragma(`synchronous = ${each ? 'FULL' : 'NORMAL'}`)),
    // Inside a transaction better-sqlite3 makes a nested one a savepoint.
    attempt: <T>(work: () => T): T => guarded(() => db.transaction(work)()),
    close: () => db.close(),
  }
  return handle as unknown as WriteDb
}

/**
 * An empty file where a database was is no new database: a crash, a full disk or a careless copy left it so. What lies
 * beside it would be lost by starting anew.
 */
function refuseEmptied(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > 0) return
  const name = basename(path)
  const isLeft = (file: string): boolean =>
    (file === `${name}-wal` && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) ||
    (size === 0 && file.startsWith(`${name}.`) && file.endsWith('.bak'))
  const left = readdirSync(dirname(path)).filter(isLeft).sort()
  if (left.length === 0) return
  const what = size === 0 ? 'is empty' : 'is gone'
  const backup = left.findLast((file) => file.endsWith('.bak'))
  throw new AppError(
    'corrupt',
    `${path} ${what}, but ${left.join(' and ')} beside it ${left.length > 1 ? 'hold' : 'holds'} earlier memory; nothing was changed. ${
      backup ? `Copy ${backup} over ${name}` : 'Restore a backup of it'
    }, or move ${left.length > 1 ? 'them' : 'it'} away to start anew.`,
  )
}

/**
 * Opens the database for writing, creating the folder (0700) and the file (0600) when they are missing.
 * WAL with synchronous=FULL: what a transaction acknowledged survives kill -9 and power loss (see `waits`).
 * @param cacheMb how many megabytes of pages the connection keeps in memory at most
 * @throws AppError `unreadable`, `corrupt`, `busy`, `forbidden`
 */
export function openWrite(path: string, cacheMb = 32): WriteDb {
  const folder = dirname(path)
  if (!existsSync(folder)) {
    try {
      makeFolder(folder)
    } catch (cause) {
      if (isFull(dirname(folder), cause)) throw fullDisk(cause)
      throw new AppError('unreadable', `The data folder ${folder} cannot be created.`, { cause })
    }
  }
  refuseForbidden(path)
  refuseEmptied(path)
  const db = connect(path, false)
  try {
    db.pragma('journal_mode = WAL')
    // Set after the switch to WAL: the switch itself changes what the pragma reads.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma('trusted_schema = OFF')
    db.pragma('temp_store = MEMORY')
    db.pragma(`cache_size = -${cacheMb * 1000}`)
    // 32 MB of log: with the usual 4 MB a reading of many transcripts writes the same index pages back again and again.
    db.pragma('wal_autocheckpoint = 8000')
    chmodSync(path, 0o600)
  } catch (cause) {
    db.close()
    throw openError(path, cause)
  }
  return makeHandle(db, path)
}

/**
 * Opens an existing database for reading only.
 * @throws AppError `unreadable`, `corrupt`, `busy`
 */
export function openRead(path: string): ReadDb {
  const db = connect(path, true)
  db.pragma('query_only = ON')
  db.pragma('cache_size = -64000')
  return makeHandle(db, path)
}

/** A database in memory with these tables, for what SQLite works out and nobody keeps. */
export function openScratch(tables: string): WriteDb {
  const db = connect(':memory:', false)
  db.exec(tables)
  return makeHandle(db, ':memory:')
}

/** A plain copy of a WAL database loses rows; the backup interface does not. */
export async function backupTo(db: ReadDb, file: string): Promise<void> {
  const source = new Database(db.path, {
    readonly: true,
    timeout: BUSY_MS,
    ...(process.env.FOVEA_SQLITE_BINDING && Number(process.versions.napi) < 10
      ? { nativeBinding: process.env.FOVEA_SQLITE_BINDING }
      : {}),
  })
  try {
    await source.backup(file)
    chmodSync(file, 0o600)
  } finally {
    source.close()
  }
}
