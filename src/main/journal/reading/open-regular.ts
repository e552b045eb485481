import { closeSync, constants, fstatSync, openSync } from 'node:fs'

/**
 * Opens a file for reading. What was a file when it was listed may be a pipe by now, whose opening would wait for a writer.
 * @throws as `openSync` does; with the code `ENOTFILE` when it is no file
 */
export function openRegular(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw Object.assign(new Error('no regular file'), { code: 'ENOTFILE' })
}
