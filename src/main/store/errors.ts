import { AppError } from '../../shared/errors'

const SENTENCES: readonly (readonly [code: RegExp, as: AppError['code'], sentence: string])[] = [
  [
    /^SQLITE_FULL/,
    'unavailable',
    'The disk is full; what was read before is kept. Free some space and try again.',
  ],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy', 'Another program is holding the Fovea database; try again later.'],
  [
    /^SQLITE_(?:CORRUPT|NOTADB)/,
    'corrupt',
    'The Fovea database is damaged. Restore a backup, or move it away to start anew.',
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
export function storeError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = sqliteCode(error)
  const known = code === '' ? undefined : SENTENCES.find(([pattern]) => pattern.test(code))
  if (known) return new AppError(known[1], known[2], { cause: error })
  const lost = code === 'SQLITE_ERROR' ? LOST.exec((error as Error).message)?.[1] : undefined
  return lost === undefined ? error : new AppError('corrupt', lostTable(lost), { cause: error })
}

/** Does work on the database; see `storeError`. @throws AppError `unavailable`, `busy`, `corrupt`, `unreadable` */
export function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storeError(error)
  }
}

const lostTable = (table: string): string =>
  `The Fovea database has lost its table ${table}. Start Fovea again: what can be made anew is made anew; otherwise restore a backup.`
