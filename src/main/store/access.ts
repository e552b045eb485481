import { accessSync, constants, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../shared/errors'

// SQLite says of what it may not open or write only that something went wrong with the database. Which file it is, and
// what to do about it, is looked up before it is asked.

const FOLDER = constants.R_OK | constants.W_OK | constants.X_OK
const FILE = constants.R_OK | constants.W_OK

/**
 * Whether the data folder, the database and what lies beside it may be used by this person.
 * @throws AppError `forbidden` that names what may not, and says what to do
 */
export function refuseForbidden(path: string): void {
  const folder = dirname(path)
  if (!may(folder, FOLDER))
    throw forbidden(
      `The data folder ${folder} may not be read and written. Allow it to your user (chmod u+rwx), or give another with --home or FOVEA_HOME.`,
    )
  if (!may(path, FILE)) throw forbidden(`The database ${path} may not be read and written. ${ALLOW}`)
  if (!may(`${path}-wal`, FILE))
    throw forbidden(
      `${path}-wal may not be read and written; it holds the newest memory, so keep it. ${ALLOW}`,
    )
  if (!may(`${path}-shm`, FILE))
    throw forbidden(
      `${path}-shm may not be read and written: another user, or a program that was ended, left it. End every Fovea that uses this folder and remove that file; it holds no memory.`,
    )
}

const ALLOW = 'Make it your user’s own, or allow it (chmod u+rw).'

const forbidden = (sentence: string): AppError => new AppError('forbidden', sentence)

/** What is not there may be made. */
function may(path: string, how: number): boolean {
  try {
    accessSync(path, how)
    return true
  } catch (error) {
    return !['EACCES', 'EPERM', 'EROFS'].includes(String((error as { code?: unknown }).code))
  }
}

/**
 * Makes a folder and those above it, for its owner alone. Not by `recursive`: where nothing can be made, as under
 * /proc, that never comes back.
 * @throws as `mkdirSync` does
 */
export function makeFolder(folder: string): void {
  const make = (): void => mkdirSync(folder, { mode: 0o700 })
  try {
    make()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    make()
  }
}
