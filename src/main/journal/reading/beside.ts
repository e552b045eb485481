import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, sep } from 'node:path'

/** What is read of a file beside a transcript, in bytes: of a longer one its head and its tail. */
const LIMIT = 512 * 1024
/** Only what agents write beside their transcripts; a transcript may name any file of the machine. */
const KIND = /\.(?:txt|md|log|json)$|[\\/]\.(?:project_root|workspace-trusted)$/i

/**
 * Reads a text file that a transcript names. Only a plain file whose real place is inside the source: a path in a
 * transcript is foreign text, and so is a link. null for anything else.
 */
export function readBeside(root: string, path: string, limit = LIMIT): string | null {
  if (!isAbsolute(path) || path.includes('\0') || !KIND.test(path)) return null
  try {
    const real = realpathSync(path)
    const inside = realpathSync(root)
    if (!real.startsWith(inside.endsWith(sep) ? inside : inside + sep) || !KIND.test(real)) return null
    const fd = openSync(real, 'r')
    try {
      const stat = fstatSync(fd)
      return stat.isFile() ? readEnds(fd, stat.size, limit) : null
    } finally {
      closeSync(fd)
    }
  } catch {
    return null
  }
}

function readEnds(fd: number, size: number, limit: number): string {
  if (size <= limit) return part(fd, 0, size)
  const half = Math.floor(limit / 2)
  const left = size - 2 * half
  return `${part(fd, 0, half)}\n[… ${left} bytes left out …]\n${part(fd, size - half, half)}`
}

function part(fd: number, from: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length)
  let got = 0
  while (got < length) {
    const read = readSync(fd, bytes, got, length - got, from + got)
    if (read === 0) break
    got += read
  }
  return bytes.toString('utf8', 0, got)
}
