import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { changing, damaged, ForeignProblem } from './problem'
import { isPageSize, readFrame, readHeader, readWal, type Wal } from './wal'

// Pages of a database that belongs to another program. SQLite itself cannot be asked: to read a database in WAL mode
// it makes and writes a `-shm` beside it, its `immutable` mode leaves out what is in the log, and a copy of many
// gigabytes for each change is none. Here nothing is locked and nothing written; instead every reading is checked
// afterwards, and thrown away when the file was written meanwhile.

const MAGIC = 'SQLite format 3\0'
const HEADER = 100
const CACHED_BYTES = 4 * 1024 * 1024
/** Two writes within one tick of the file system's clock have one time; a file this young may not be told apart. */
const TICK_MS = 25n
const PATIENCE = 8

export interface FileHead {
  pageSize: number
  /** Bytes of a page that hold content. */
  usable: number
  encoding: 'utf8' | 'utf16le' | 'utf16be'
}

/** A snapshot of one database, page by page. Holds at most a few megabytes of it. */
export class Pager {
  readonly head: FileHead
  readonly pages: number
  private readonly cache = new Map<number, Buffer>()

  private constructor(
    private readonly path: string,
    private readonly fd: number,
    private readonly walFd: number | null,
    private readonly wal: Wal | null,
    private readonly seen: BigIntStats,
  ) {
    const first = this.raw(1, Math.max(wal?.pageSize ?? 0, 512))
    this.head = headOf(first, wal)
    const own = Number(seen.size / BigInt(this.head.pageSize))
    this.pages = wal && wal.pages > 0 ? wal.pages : own
  }

  /**
   * Opens a snapshot; null for an empty file. Waits a moment for a writer that is just busy.
   * @throws ForeignProblem; an error of the file system
   */
  static open(path: string): Pager | null {
    for (let attempt = 1; ; attempt++) {
      const fd = openSync(path, 'r')
      let walFd: number | null = null
      try {
        const seen = fstatSync(fd, { bigint: true })
        const age = BigInt(Date.now()) - seen.mtimeMs
        if (age >= 0n && age < TICK_MS && attempt < PATIENCE) throw changing()
        if (isHot(`${path}-journal`)) {
          throw new ForeignProblem(
            'busy',
            'a write to the database is not finished; it is read when its program has finished it',
          )
        }
        walFd = openIf(`${path}-wal`)
        const wal = walFd === null ? null : readWal(walFd, fstatSync(walFd).size)
        if (seen.size === 0n && (wal === null || wal.pages === 0)) {
          closeAll(fd, walFd)
          return null
        }
        const pager = new Pager(path, fd, walFd, wal, seen)
        pager.check()
        return pager
      } catch (error) {
        closeAll(fd, walFd)
        const passing = error instanceof ForeignProblem && error.kind === 'busy' && attempt < PATIENCE
        if (!passing) throw error
        sleep(Number(TICK_MS))
      }
    }
  }

  close(): void {
    closeAll(this.fd, this.walFd)
    this.cache.clear()
  }

  /** Page `number`, counted from 1. Not to be written to. @throws ForeignProblem */
  page(number: number): Buffer {
    const known = this.cache.get(number)
    if (known) {
      this.cache.delete(number)
      this.cache.set(number, known)
      return known
    }
    if (number < 1 || number > this.pages) throw damaged(`there is no page ${number}`)
    const page = this.raw(number, this.head.pageSize)
    if (page.length < this.head.pageSize) throw damaged(`page ${number} is not whole`)
    this.cache.set(number, page)
    const room = Math.max(16, CACHED_BYTES / this.head.pageSize)
    for (const [oldest] of this.cache) {
      if (this.cache.size <= room) break
      this.cache.delete(oldest)
    }
    return page
  }

  /**
   * What was read since the opening is one state of the database. Call it before what was read is used.
   * @throws ForeignProblem `busy` when it was written meanwhile
   */
  check(): void {
    const now = fstatSync(this.fd, { bigint: true })
    const { seen } = this
    if (now.mtimeNs !== seen.mtimeNs || now.size !== seen.size) throw changing()
    // A log that begins anew takes the place of frames that were read; one that only grows takes nothing away.
    if (this.walFd !== null && this.wal && !readHeader(this.walFd).equals(this.wal.header)) throw changing()
    if (isHot(`${this.path}-journal`)) throw changing()
  }

  private raw(number: number, size: number): Buffer {
    const page = Buffer.alloc(size)
    const frame = this.wal?.frames.get(number)
    if (this.wal && this.walFd !== null && frame !== undefined) {
      if (!readFrame(this.walFd, this.wal, number, frame, page)) throw changing()
      return page
    }
    const position = number === 1 ? 0 : (number - 1) * size
    return page.subarray(0, readSync(this.fd, page, 0, size, position))
  }
}

function headOf(first: Buffer, wal: Wal | null): FileHead {
  if (first.length < HEADER || first.toString('latin1', 0, 16) !== MAGIC) {
    throw new ForeignProblem('damaged', 'no SQLite database, or an encrypted one')
  }
  const stated = first.readUInt16BE(16)
  const pageSize = stated === 1 ? 65_536 : stated
  if (!isPageSize(pageSize)) throw damaged('its page size is none')
  if (wal && wal.pages > 0 && wal.pageSize !== pageSize) throw damaged('its log is another one’s')
  if ((first[19] ?? 0) > 2 || first.readUInt32BE(44) > 4) {
    throw new ForeignProblem('damaged', 'a database of a newer SQLite than Fovea can read')
  }
  const usable = pageSize - (first[20] ?? 0)
  if (usable < 480) throw damaged('its pages have no room')
  const encoding = (['utf8', 'utf8', 'utf16le', 'utf16be'] as const)[first.readUInt32BE(56)]
  if (!encoding) throw damaged('its text encoding is none')
  return { pageSize, usable, encoding }
}

/** A rollback journal that still counts: an unfinished transaction, or one that a crash cut off. */
function isHot(path: string): boolean {
  const fd = openIf(path)
  if (fd === null) return false
  try {
    const head = Buffer.alloc(8)
    return readSync(fd, head, 0, 8, 0) === 8 && head.some((byte) => byte !== 0)
  } finally {
    closeSync(fd)
  }
}

function openIf(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

function closeAll(...fds: readonly (number | null)[]): void {
  for (const fd of fds) if (fd !== null) closeSync(fd)
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
