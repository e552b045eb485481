import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../../shared/errors'

/**
 * Writes a file whole or not at all, with the rights it had; a link stays a link.
 * @param check called at the last moment; what it throws leaves the file as it is
 * @throws AppError `unreadable` when it cannot be written
 */
export function writeWhole(file: string, text: string, check: () => void = () => undefined): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const target = existsSync(file) ? realpathSync(file) : file
    const mode = statSync(target, { throwIfNoEntry: false })?.mode
    const fresh = `${target}.fovea-${process.pid}`
    try {
      writeFileSync(fresh, text, { mode: 0o600 })
      if (mode !== undefined) chmodSync(fresh, mode & 0o777)
      check()
      renameSync(fresh, target)
    } finally {
      rmSync(fresh, { force: true })
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('unreadable', `${file} cannot be written.`, { cause })
  }
}
