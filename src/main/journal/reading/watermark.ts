import { hash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'

const HEAD = 4096
const TAIL = 4096
/** Blocks in between that are remembered: a small file whole, a larger one at up to so many places. */
const SAMPLES = 16
const BLOCK = 4096

/** How far a file was read, and how to know it again. */
export interface Watermark {
  dev: string
  inode: string
  size: number
  mtimeMs: number
  /** Byte after the last record that was read. */
  offset: number
  /** Hash of the head; behind it, `position:hash` of sampled blocks. */
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

/**
 * Hashes of the first 4 KiB, of sampled blocks, and of the last 4 KiB before `offset`: a file that still has them has
 * only grown. An edit that moves what follows it changes the last; one that keeps every length is seen in the blocks,
 * for sure in a file of up to 64 KiB, by chance in a larger one.
 */
export function hashesAt(
  fd: number,
  offset: number,
): { headHash: string; tailHash: string; tailOffset: number } {
  const tailOffset = Math.max(0, offset - TAIL)
  const head = part(fd, 0, Math.min(HEAD, offset))
  const samples = sampled(offset).map((at) => `${at}:${part(fd, at, at + BLOCK).slice(0, 12)}`)
  return { headHash: [head, ...samples].join(';'), tailHash: part(fd, tailOffset, offset), tailOffset }
}

/** Where blocks lie that are wholly before `offset`: a power of two apart, so that they stay as the file grows. */
function sampled(offset: number): number[] {
  let stride = BLOCK
  while (offset / stride > SAMPLES) stride *= 2
  const places: number[] = []
  for (let at = stride; at + BLOCK <= offset; at += stride) places.push(at)
  return places
}

function hasMarks(fd: number, marks: string, offset: number): boolean {
  const [head, ...samples] = marks.split(';')
  if (head !== part(fd, 0, Math.min(HEAD, offset))) return false
  return samples.every((sample) => {
    const [at = '', hashed] = sample.split(':')
    return part(fd, Number(at), Number(at) + BLOCK).slice(0, 12) === hashed
  })
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
  const tail = part(fd, Math.max(0, known.offset - TAIL), known.offset)
  const same =
    tail === known.tailHash && known.headHash !== null && hasMarks(fd, known.headHash, known.offset)
  return same ? 'grown' : 'rewritten'
}
