import { basename, dirname } from 'node:path'
import type { ForeignDb } from '../../../store'
import { noted, type Store, type StoredRecord, type StoredSession } from '../../stores/store'
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import type { Json } from './calls'
import { blobRecords, LIMIT } from './chat-blobs'
import { cursorChats } from './chat-reader'
import { type ChatRoot, readRoot } from './chat-root'

// `~/.cursor/chats/<workspace>/<id>/store.db`, of Cursor's agent in the terminal: one conversation. Its messages are
// blobs of JSON under the hash of their content; a blob of another kind, the root, lists those that make up the
// conversation, in their order.

const BLOBS = 'blobs'
const META = 'meta'

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

  private root(id: string | null): ChatRoot {
    const bytes = id === null ? null : this.content(id)
    // A conversation in which nothing was said has none.
    const root = bytes && readRoot(bytes)
    if (bytes && !root) noted(this.damage, 'a list of messages that cannot be read')
    return root ?? { messages: [], folder: null }
  }

  private records(ids: readonly string[]): StoredRecord[] {
    const missing = (): void => noted(this.damage, 'a message that is not there')
    return blobRecords(ids, { find: (id) => this.db.find(BLOBS, 'id', id), column: 'data', missing })
  }

  private content(id: string): Buffer | null {
    const row = this.db.find(BLOBS, 'id', id)
    return row && row.size('data') <= LIMIT ? row.bytes('data') : null
  }
}

function parsed(bytes: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
