import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../shared/errors'

/** With less than this free on a disk, what cannot be written or mapped is laid to its being full. */
const LEAST_FREE = 256 * 1024

export const fullDisk = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'The disk is full; what was read before is kept. Free some space and try again.',
    { cause },
  )

/**
 * Whether an error with the database at that path is that its disk is full. SQLite says so only where a page is written:
 * without room for its shared memory or its log it speaks of input and output, or of a file that cannot be opened.
 */
export function isFull(path: string, error: unknown, free: (path: string) => number = freeBytes): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return true
  return /^SQLITE_(?:IOERR|CANTOPEN)/.test(code) && free(path) < LEAST_FREE
}

/** Of the disk that a file lies on, or would. */
function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const SENTENCES: readonly (readonly [code: RegExp, as: AppError['code'], sentence: string])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy', 'Another program is holding the Fovea database; try again later.'],
  [
    /^SQLITE_(?:CORRUPT|NOTADB)/,
    'corrupt',
    'The Fovea database is damaged. Restore a backup, or move it away to start anew.',
  ],
  [
    /^SQLITE_READONLY/,
    'forbidden',
    'The Fovea database, or a file beside it (fovea.db-wal, fovea.db-shm), may not be written. Allow it and try again.',
  ],
  [
    /^SQLITE_(?:IOERR|CANTOPEN)/,
    'unreadable',
    'The disk with the Fovea database cannot be read or written; what was stored before is kept.',
  ],
]

/** A table that somebody took away while Fovea works. */
const LOST = /^no such table: (?:main\.)?(\w+)/

/** SQLite's code of an error, also of one that was made an AppError; '' when it is none of SQLite's. */
export function sqliteCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const found = [code, cause?.code].find((each) => typeof each === 'string' && each.startsWith('SQLITE_'))
  return typeof found === 'string' ? found : ''
}

/**
 * What the disk or another process does to the database, as an error for a person. Everything else (a broken rule of
 * the schema, a mistake in a statement) comes back as it is: it is a fault of the caller's.
 */
export function storeError(error: unknown, path = ''): unknown {
  if (error instanceof AppError) return error
  if (isFull(path, error)) return fullDisk(error)
  const code = sqliteCode(error)
  const known = code === '' ? undefined : SENTENCES.find(([pattern]) => pattern.test(code))
  if (known) return new AppError(known[1], known[2], { cause: error })
  const lost = code === 'SQLITE_ERROR' ? LOST.exec((error as Error).message)?.[1] : undefined
  return lost === undefined ? error : new AppError('corrupt', lostTable(lost), { cause: error })
}

/** Does work on the database; see `storeError`. @throws AppError `unavailable`, `busy`, `corrupt`, `unreadable` */
export function guarded<T>(work: () => T, path = ''): T {
  try {
    return work()
  } catch (error) {
    throw storeError(error, path)
  }
}

const lostTable = (table: string): string =>
  `The Fovea database has lost its table ${table}. Start Fovea again: what can be made anew is made anew; otherwise restore a backup.`
