import { hash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'

const HEAD = 4096
const TAIL = 1024

/** How far a file was read, and how to know it again. */
export interface Watermark {
  dev: string
  inode: string
  size: number
  mtimeMs: number
  /** Byte after the last record that was read. */
  offset: number
  headHash: string | null
  tailHash: string | null
}

export interface Stamp {
  dev: string
  inode: string
  size: number
  mtimeMs: number
}

export function stampOf(stat: { dev: number; ino: number; size: number; mtimeMs: number }): Stamp {
  return {
    dev: String(stat.dev),
    inode: String(stat.ino),
    size: stat.size,
    mtimeMs: Math.trunc(stat.mtimeMs),
  }
}

export const stamp = (fd: number): Stamp => stampOf(fstatSync(fd))

/** True when nothing about the file says that it changed, so that its content need not be read. */
export const unchanged = (known: Stamp, now: Stamp): boolean =>
  known.size === now.size &&
  known.mtimeMs === now.mtimeMs &&
  known.inode === now.inode &&
  known.dev === now.dev

/** Hashes of the first 4 KiB and of the last 1 KiB before `offset`: a file that still has both has only grown. */
export function hashesAt(
  fd: number,
  offset: number,
): { headHash: string; tailHash: string; tailOffset: number } {
  const tailOffset = Math.max(0, offset - TAIL)
  return { headHash: part(fd, 0, Math.min(HEAD, offset)), tailHash: part(fd, tailOffset, offset), tailOffset }
}

function part(fd: number, from: number, to: number): string {
  const bytes = Buffer.allocUnsafe(to - from)
  let got = 0
  while (got < bytes.length) {
    const read = readSync(fd, bytes, got, bytes.length - got, from + got)
    if (read === 0) break
    got += read
  }
  return hash('sha256', bytes.subarray(0, got), 'hex').slice(0, 32)
}

/**
 * Whether reading may go on from the watermark (`grown`), or the file is another one now (`rewritten`): shorter than
 * what was read, replaced (other inode), touched without growing, or other bytes at its head or before the mark.
 */
export function compare(fd: number, known: Watermark, now: Stamp): 'grown' | 'rewritten' {
  if (known.offset === 0) return 'grown'
  if (known.inode !== now.inode || known.dev !== now.dev) return 'rewritten'
  if (now.size < known.offset) return 'rewritten'
  // A time of 0 is the mark of an interrupted reading: then nothing is known about the whole file yet.
  if (known.mtimeMs !== 0 && now.size <= known.size) return 'rewritten'
  const hashes = hashesAt(fd, known.offset)
  return hashes.headHash === known.headHash && hashes.tailHash === known.tailHash ? 'grown' : 'rewritten'
}
