import { hash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'
import type { Place } from '../drafts'
import { readRange } from './frames'
import { fileLines, LineReader } from './lines'
import { loadRecord, parseRecord } from './place'
import { isLines, SNIFFED_BYTES, SNIFFED_TEXT, type Sniffed, sniff } from './sniff'
import { compare, hashesAt, type Stamp, type Watermark } from './watermark'
import { isCompressed, ZstContent } from './zst'

/** What reading needs of an open file, plain or compressed. Positions are those of the content. */
export interface Content {
  /** Lines from `from` to what the file held when its stamp was taken. */
  lines(from: number, now: Stamp): LineReader
  /** The beginning, for choosing the format. */
  sniff(now: Stamp): Sniffed
  load(place: Place): unknown
  marks(offset: number): { headHash: string; tailHash: string; tailOffset: number }
  compare(known: Watermark, now: Stamp): 'grown' | 'rewritten'
}

export const contentOf = (path: string, fd: number): Content =>
  isCompressed(path) ? compressed(path, fd) : plain(path, fd)

const plain = (path: string, fd: number): Content => ({
  lines: (from, now) => fileLines(fd, from, now.size),
  sniff: ({ size }) =>
    sniff({
      path,
      size,
      lines: fileLines(fd, 0, isLines(path) ? size : Math.min(size, SNIFFED_BYTES)),
      bytes: readRange(fd, 0, Math.min(size, SNIFFED_TEXT)),
    }),
  load: (place) => loadRecord(fd, place),
  marks: (offset) => hashesAt(fd, offset),
  compare: (known, now) => compare(fd, known, now),
})

function compressed(path: string, fd: number): Content {
  const content = new ZstContent(fd)
  const read = (into: Buffer, at: number, length: number, position: number): number =>
    content.read(into, at, length, position)
  return {
    lines: (from) => new LineReader(read, from, Number.POSITIVE_INFINITY),
    // It is whole: what is there to tell the format by is there already.
    // Only lines are ever compressed: there is no document to tell by its text.
    sniff: () =>
      sniff({
        path,
        size: Number.POSITIVE_INFINITY,
        lines: new LineReader(read, 0, Number.POSITIVE_INFINITY),
        bytes: Buffer.alloc(0),
      }),
    load: (place) => {
      const bytes = Buffer.allocUnsafe(place.byteLength)
      // Its own pass over the content: the lines are being read from the other one.
      const got = new ZstContent(fd).read(bytes, 0, place.byteLength, place.byteOffset)
      return got === place.byteLength ? parseRecord(bytes, place) : null
    },
    marks: () => ({ ...compressedMarks(fd), tailOffset: 0 }),
    compare: (known, now) => {
      if (known.offset === 0) return 'grown'
      if (known.inode !== now.inode || known.dev !== now.dev) return 'rewritten'
      const marks = compressedMarks(fd)
      const same = marks.headHash === known.headHash && marks.tailHash === known.tailHash
      return same ? 'grown' : 'rewritten'
    },
  }
}

const MARK = 4096

/** A compressed file is written once: its size, its first and its last bytes tell it from another. */
function compressedMarks(fd: number): { headHash: string; tailHash: string } {
  const { size } = fstatSync(fd)
  const part = (from: number): string => {
    const bytes = Buffer.alloc(Math.min(MARK, size - from))
    readSync(fd, bytes, 0, bytes.length, from)
    return hash('sha256', Buffer.concat([bytes, Buffer.from(String(size))]), 'hex').slice(0, 32)
  }
  return { headHash: part(0), tailHash: part(Math.max(0, size - MARK)) }
}
