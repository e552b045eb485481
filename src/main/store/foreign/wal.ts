import { readSync } from 'node:fs'

// The write-ahead log beside a database (https://www.sqlite.org/fileformat2.html#walformat).

const HEADER = 32
const FRAME = 24
const BIG_ENDIAN = 0x377f0683
const LITTLE_ENDIAN = 0x377f0682
const BLOCK = 1024 * 1024

export interface Wal {
  pageSize: number
  /** The newest committed copy of each page: where its frame begins in the log. */
  frames: ReadonlyMap<number, number>
  /** Pages of the database after the last commit; 0 when the log holds none. */
  pages: number
  /** First bytes of the log: another run of it has other salts. */
  header: Buffer
}

export const readHeader = (fd: number): Buffer => {
  const header = Buffer.alloc(HEADER)
  return header.subarray(0, readSync(fd, header, 0, HEADER, 0))
}

/** Reads the index of a log: every frame up to the last whole commit. null when it holds nothing valid. */
export function readWal(fd: number, size: number): Wal | null {
  const header = readHeader(fd)
  if (header.length < HEADER) return null
  const magic = header.readUInt32BE(0)
  const pageSize = header.readUInt32BE(8)
  if ((magic !== BIG_ENDIAN && magic !== LITTLE_ENDIAN) || !isPageSize(pageSize)) return null
  const sums = new Sums(magic === LITTLE_ENDIAN)
  sums.add(header.subarray(0, 24))
  if (!sums.match(header, 24)) return null
  return index(fd, size, pageSize, header, sums)
}

function index(fd: number, size: number, pageSize: number, header: Buffer, sums: Sums): Wal {
  const step = FRAME + pageSize
  const frames = new Map<number, number>()
  const open = new Map<number, number>()
  const perBlock = Math.max(1, Math.floor(BLOCK / step))
  const block = Buffer.alloc(perBlock * step)
  let pages = 0
  for (let at = HEADER; at + step <= size; at += perBlock * step) {
    const got = readSync(fd, block, 0, Math.min(block.length, size - at), at)
    for (let from = 0; from + step <= got; from += step) {
      const frame = block.subarray(from, from + step)
      if (frame.compare(header, 16, 24, 8, 16) !== 0) return { pageSize, frames, pages, header }
      sums.add(frame.subarray(0, 8))
      sums.add(frame.subarray(FRAME))
      if (!sums.match(frame, 16)) return { pageSize, frames, pages, header }
      open.set(frame.readUInt32BE(0), at + from)
      const commit = frame.readUInt32BE(4)
      if (commit === 0) continue
      for (const [page, where] of open) frames.set(page, where)
      open.clear()
      pages = commit
    }
    if (got < block.length) break
  }
  return { pageSize, frames, pages, header }
}

/** The page in the frame at `at`, read into `page`; false when the log has begun anew there. */
export function readFrame(fd: number, wal: Wal, number: number, at: number, page: Buffer): boolean {
  const head = Buffer.alloc(FRAME)
  if (readSync(fd, head, 0, FRAME, at) < FRAME) return false
  if (head.readUInt32BE(0) !== number || head.compare(wal.header, 16, 24, 8, 16) !== 0) return false
  return readSync(fd, page, 0, wal.pageSize, at + FRAME) === wal.pageSize
}

export const isPageSize = (size: number): boolean =>
  size >= 512 && size <= 65_536 && (size & (size - 1)) === 0

/** The log's running checksum over pairs of 32-bit words. */
class Sums {
  private first = 0
  private second = 0

  constructor(private readonly little: boolean) {}

  add(bytes: Buffer): void {
    let { first, second } = this
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at < bytes.length; at += 8) {
      first = (first + view.getUint32(at, this.little) + second) >>> 0
      second = (second + view.getUint32(at + 4, this.little) + first) >>> 0
    }
    this.first = first
    this.second = second
  }

  match(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.first && bytes.readUInt32BE(at + 4) === this.second
  }
}
