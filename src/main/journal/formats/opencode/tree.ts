import { closeSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256 } from '../../handles'
import { treeFolders } from '../../stores/names'
import { noted, type Store, type StoredRecord, type StoredSession } from '../../stores/store'
import { asString, isObject } from '../../text'
import { inlineParts, plainMessage } from './inline'
import { aboutOf, briefOf, inOrder, type MessageBrief } from './messages'
import { opencode } from './reader'

// opencode to version 1.1: one small file for each session, message and part. To mid-2025 they lay in a folder for each
// project, and a session did not say where it was held; its answers do. Before that the parts stood inside the messages.

const LIMIT = 64 * 1024 * 1024

interface Known {
  path: string
  id: string
  message: string
  size: number
  mtimeMs: number
  created: number
  /** A part that stands inside of its message's file. */
  inline?: Buffer
}

/** The store of one session, by its file. @throws as `readFileSync` does */
export function openOpencodeTree(path: string): Store {
  return new OpencodeTree(path)
}

class OpencodeTree implements Store {
  readonly format = opencode
  readonly damage: string[] = []
  private readonly said: Record<string, unknown>
  private readonly key: string

  constructor(private readonly path: string) {
    this.key = basename(path).replace(/\.json$/, '')
    const value = parsed(content(path))
    if (value === null) noted(this.damage, 'broken JSON')
    this.said = { ...value, id: this.key }
  }

  check(): void {}
  close(): void {}
  state(): unknown {
    return null
  }

  *sessions(): Generator<StoredSession> {
    yield this.made()
  }

  session(key: string): StoredSession | null {
    return key === this.key ? this.made() : null
  }

  /** The folder an answer was given in, where the session's own file does not name one. */
  private header(messages: readonly Known[]): Record<string, unknown> {
    if (asString(this.said.directory) !== null) return this.said
    for (const { path } of messages) {
      const message = parsed(content(path))
      const at = message && plainMessage(message).path
      const directory = isObject(at) ? (asString(at.cwd) ?? asString(at.root)) : null
      if (directory !== null) return { ...this.said, directory }
    }
    return this.said
  }

  private made(): StoredSession {
    const { messages, partsOf } = treeFolders(this.path)
    const found = filesIn(messages, 'msg_').map((file) => ({ ...file, message: file.id }))
    const parts = found.flatMap((message) => {
      const files = filesIn(partsOf(message.id), 'prt_').map((file) => ({ ...file, message: message.id }))
      return files.length > 0 ? files : partsInside(message)
    })
    const newest = Math.max(statSync(this.path).mtimeMs, ...[...found, ...parts].map((file) => file.mtimeMs))
    return {
      key: this.key,
      header: this.header(found),
      updatedAt: Math.trunc(newest),
      records: () => this.records(found, parts),
    }
  }

  private records(messages: readonly Known[], parts: readonly Known[]): StoredRecord[] {
    const briefs: (Known & { brief: MessageBrief })[] = messages.map((message) => ({
      ...message,
      brief: briefOf(plain(content(message.path)), 0),
    }))
    return inOrder(briefs, parts).map(({ entry, of, closed }) => ({
      key: entry.id,
      stamp: entry === of ? sha256(JSON.stringify(of.brief)).slice(0, 16) : stampOf(entry),
      size: entry.size,
      closed,
      about: aboutOf(entry === of ? 'message' : 'part', of.brief, null),
      read: () => entry.inline ?? plain(content(entry.path)),
    }))
  }
}

const stampOf = ({ inline, size, mtimeMs }: Known): string =>
  inline ? sha256(inline).slice(0, 16) : `${size}:${mtimeMs}`

/** A message without its parts, as later versions write it; any other one as it is. */
function plain(bytes: Buffer | null): Buffer | null {
  const message = parsed(bytes)
  return message && Array.isArray(message.parts) ? Buffer.from(JSON.stringify(plainMessage(message))) : bytes
}

function partsInside(message: Known): Known[] {
  const parts = inlineParts(parsed(content(message.path))) ?? []
  return parts.map((part, at) => {
    const inline = Buffer.from(JSON.stringify(part))
    // In the order of their places, also when they are put in order by their names.
    const id = `${message.id}:${String(at).padStart(6, '0')}`
    return { ...message, id, message: message.id, size: inline.length, inline }
  })
}

function filesIn(folder: string, prefix: string): Known[] {
  let names: string[]
  try {
    names = readdirSync(folder).sort()
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const path = join(folder, name)
    const stat =
      name.startsWith(prefix) && name.endsWith('.json') ? statSync(path, { throwIfNoEntry: false }) : null
    if (!stat?.isFile()) return []
    const id = name.slice(0, -'.json'.length)
    return [{ path, id, message: '', size: stat.size, mtimeMs: stat.mtimeMs, created: 0 }]
  })
}

/** A file's bytes; null when it is gone or too large to be one of these. */
function content(path: string): Buffer | null {
  try {
    const fd = openSync(path, 'r')
    try {
      return fstatSync(fd).size > LIMIT ? null : readFileSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    return null
  }
}

function parsed(bytes: Buffer | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    return isObject(value) && asString(value.id) !== '' ? value : null
  } catch {
    return null
  }
}
