import { closeSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

// Stores hold many sessions under one name on the disk, or one session in many small files. To the rest of the journal
// each is one path with one stamp.

/** What is looked at to see whether a path changed. */
export type FileStat = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'>

const DATABASE = /^(?:state\.vscdb|store\.db|opencode(?:-[\w.]{1,40})?\.db)$/
const LOG = /-wal$/
/**
 * `storage/session/<project>/ses_….json`; its messages and their parts lie in folders beside. To mid-2025 each project
 * had such a folder of its own, with the sessions under `info`, and messages and parts beside that.
 */
const TREE =
  /[\\/]storage[\\/]session[\\/](?!(?:message|part|share)[\\/])[^\\/]+[\\/]ses_[^\\/]{1,200}\.json$/
const OLDER = /[\\/]storage[\\/]session[\\/]info[\\/][^\\/]+$/
const MESSAGE = /[\\/]storage[\\/](?:message|session[\\/](?:message|part))[\\/](ses_[^\\/]{1,200})[\\/]/
const MAGIC = 'SQLite format 3\0'

export const isDatabaseName = (path: string): boolean => DATABASE.test(basename(path))
export const isTree = (path: string): boolean => TREE.test(path)

/** Whether what lies at a path is a store: by its name, and else by its first bytes. */
export function isStore(path: string): boolean {
  return (
    isDatabaseName(path) || isTree(path) || (!/\.(?:jsonl?|ndjson|md|zst)$/i.test(path) && isDatabase(path))
  )
}

function isDatabase(path: string): boolean {
  try {
    const fd = openSync(path, 'r')
    try {
      const head = Buffer.alloc(MAGIC.length)
      return readSync(fd, head, 0, head.length, 0) === head.length && head.toString('latin1') === MAGIC
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

/** The path whose stamp tells of a change at `path`: a database of its log, a session of one of its messages. */
export function ownerOf(path: string): string {
  const base = path.replace(LOG, '')
  if (base !== path && isDatabaseName(base)) return base
  const message = MESSAGE.exec(path)
  return message ? sessionFile(path.slice(0, message.index), message[1] as string, path) : path
}

function sessionFile(root: string, session: string, path: string): string {
  const folder = join(root, 'storage', 'session')
  const found = names(folder)
    .map((project) => join(folder, project, `${session}.json`))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
  return found ?? path
}

/** A store's stamp takes in all that belongs to it. @throws as `statSync` does */
export function statOf(path: string): FileStat {
  const stat = statSync(path)
  if (!stat.isFile()) return stat
  if (isTree(path)) return treeStat(path, stat)
  const log = isDatabaseName(path) ? statSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined
  return log ? sum([stat, log]) : stat
}

export const statIf = (path: string): FileStat | null => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? statOf(path) : null
  } catch {
    return null
  }
}

function sum([first, ...rest]: readonly [Stats, ...Stats[]]): FileStat {
  const { dev, ino } = first
  let { size, mtimeMs } = first
  for (const stat of rest) {
    size += stat.size
    mtimeMs = Math.max(mtimeMs, stat.mtimeMs)
  }
  return { dev, ino, size, mtimeMs }
}

function treeStat(path: string, own: Stats): FileStat {
  const { messages, partsOf } = treeFolders(path)
  const all: Stats[] = []
  const take = (folder: string): void => {
    for (const name of names(folder)) {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false })
      if (stat?.isFile()) all.push(stat)
    }
  }
  take(messages)
  for (const name of names(messages)) take(partsOf(name.replace(/\.json$/, '')))
  return sum([own, ...all])
}

/** Where the messages of a session lie, and the parts of each. */
export function treeFolders(path: string): { messages: string; partsOf: (message: string) => string } {
  const older = OLDER.test(path)
  const storage = older ? dirname(dirname(path)) : dirname(dirname(dirname(path)))
  const session = basename(path).replace(/\.json$/, '')
  return {
    messages: join(storage, 'message', session),
    partsOf: (message) => (older ? join(storage, 'part', session, message) : join(storage, 'part', message)),
  }
}

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** The store a path of the journal lies in, where it is no file itself; null when it lies in none. */
export function storeOf(path: string): { store: string; session: string } | null {
  if (statIf(path)) return null
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (statIf(folder))
      return isStore(folder) ? { store: folder, session: path.slice(folder.length + sep.length) } : null
  }
  return null
}
