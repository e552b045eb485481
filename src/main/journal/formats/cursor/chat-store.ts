import { basename, dirname } from 'node:path'
import type { ForeignDb } from '../../../store'
import { noted, type Store, type StoredRecord, type StoredSession } from '../../stores/store'
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import type { Json } from './calls'
import { cursorChats } from './chat-reader'
import { folderOf } from './uri'

// `~/.cursor/chats/<workspace>/<id>/store.db`, of Cursor's agent in the terminal: one conversation. Its messages are
// blobs of JSON under the hash of their content; a blob of another kind, the root, lists those that make up the
// conversation, in their order.

const BLOBS = 'blobs'
const META = 'meta'
/** A message longer than this is not taken into memory. */
const LIMIT = 64 * 1024 * 1024
/** The root: field 1 holds the hash of a message, once for each; field 9 the folder it was held in. */
const MESSAGE_FIELD = 1
const FOLDER_FIELD = 9
const HASH_BYTES = 32

/** The store in an open database; null when it is none of these. */
export function openCursorChat(db: ForeignDb, path: string): Store | null {
  const known = db.has(BLOBS, 'id', 'data') && db.has(META, 'key', 'value')
  return known ? new CursorChat(db, basename(dirname(path))) : null
}

class CursorChat implements Store {
  readonly format = cursorChats
  readonly damage: string[] = []

  constructor(
    private readonly db: ForeignDb,
    private readonly key: string,
  ) {}

  check(): void {
    this.db.check()
  }

  close(): void {
    this.db.close()
  }

  state(): unknown {
    return null
  }

  *sessions(): Generator<StoredSession> {
    const session = this.session(this.key)
    if (session) yield session
  }

  session(key: string): StoredSession | null {
    const meta = key === this.key ? this.meta() : null
    if (!meta) return null
    const root = this.root(asString(meta.latestRootBlobId))
    const createdAt = timestampOf(meta.createdAt)
    return {
      key,
      header: { id: key, title: meta.name, cwd: root.folder, createdAt },
      updatedAt: createdAt,
      records: () => this.records(root.messages),
    }
  }

  /** One row, whose value is JSON in hex; another version writes the JSON itself. */
  private meta(): Json | null {
    const value = asString(this.db.find(META, 'key', '0')?.value('value')) ?? ''
    const meta = parsed(/^[0-9a-f]+$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value))
    if (!meta) noted(this.damage, 'a conversation that cannot be read')
    return meta
  }

  private root(id: string | null): Root {
    const bytes = id === null ? null : this.content(id)
    // A conversation in which nothing was said has none.
    const root = bytes && readRoot(bytes)
    if (bytes && !root) noted(this.damage, 'a list of messages that cannot be read')
    return root ?? { messages: [], folder: null }
  }

  private records(ids: readonly string[]): StoredRecord[] {
    const times = new Map<string, number>()
    return ids.flatMap((id): StoredRecord[] => {
      const row = this.db.find(BLOBS, 'id', id)
      if (!row) {
        noted(this.damage, 'a message that is not there')
        return []
      }
      // The same words may be said twice.
      const time = times.get(id) ?? 0
      times.set(id, time + 1)
      return [
        {
          key: time === 0 ? id : `${id}#${time}`,
          stamp: id.slice(0, 16),
          size: row.size('data'),
          closed: true,
          about: null,
          read: () => this.content(id),
        },
      ]
    })
  }

  private content(id: string): Buffer | null {
    const row = this.db.find(BLOBS, 'id', id)
    return row && row.size('data') <= LIMIT ? row.bytes('data') : null
  }
}

interface Root {
  messages: string[]
  folder: string | null
}

/** The fields of a protocol buffer that are needed here; null when it is none. */
function readRoot(bytes: Buffer): Root | null {
  const root: Root = { messages: [], folder: null }
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at)
    if (!tag) return null
    const [field, kind] = [Math.floor(tag.value / 8), tag.value % 8]
    at = tag.end
    if (kind === 0) {
      const skipped = varint(bytes, at)
      if (!skipped) return null
      at = skipped.end
    } else if (kind === 1) at += 8
    else if (kind === 5) at += 4
    else if (kind === 2) {
      const length = varint(bytes, at)
      if (!length || length.end + length.value > bytes.length) return null
      const part = bytes.subarray(length.end, length.end + length.value)
      if (field === MESSAGE_FIELD && part.length === HASH_BYTES) root.messages.push(part.toString('hex'))
      else if (field === FOLDER_FIELD) root.folder ??= folderIn(part.toString('utf8'))
      at = length.end + length.value
    } else return null
  }
  return root
}

const folderIn = (text: string): string | null =>
  /^(?:\/|[A-Za-z]:[\\/])[^\0\n]{0,4000}$/.test(text) ? text : folderOf(text)

function varint(bytes: Buffer, from: number): { value: number; end: number } | null {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 7); at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return null
}

function parsed(bytes: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
