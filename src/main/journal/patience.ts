import { AppError } from '../../shared/errors'
import { sqliteCode } from '../store'

const TRIES = 20
const PAUSE = 250

/**
 * Does work on the database again while another process holds it. Everything that was rolled back is read again from
 * the watermark, so that nothing is lost and nothing is there twice.
 * @throws AppError `busy` when it stays held, `unavailable` when the disk is full
 */
export async function patiently<T>(work: () => T | Promise<T>, pause = PAUSE): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (cause) {
      const code = sqliteCode(cause)
      if (code === 'SQLITE_FULL') {
        throw new AppError(
          'unavailable',
          'The disk is full. What was read so far is kept; free some space and read again.',
          { cause },
        )
      }
      if (!code.startsWith('SQLITE_BUSY') && !code.startsWith('SQLITE_LOCKED')) throw cause
      if (tries === TRIES) {
        throw new AppError(
          'busy',
          'Another program is holding the Fovea database. What was read so far is kept; try again later.',
          { cause },
        )
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
