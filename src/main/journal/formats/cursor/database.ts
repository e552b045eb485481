import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ForeignDb, ForeignRow } from '../../../store'
import { sha256 } from '../../handles'
import { nameHash, noted, type Store, type StoredRecord, type StoredSession } from '../../stores/store'
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import type { Json } from './calls'
import { blobRecords } from './chat-blobs'
import { type ChatRoot, readRoot } from './chat-root'
import { headerOf } from './composer-header'
import { inlineRecords, rowRecords } from './conversation'
import { cursorRows } from './rows'
import { folderOf } from './uri'

// `state.vscdb`: one table of keys and values for Cursor's chats, one for everything else of the editor, tokens among it.
// Of the first only the rows of conversations are looked at, and of the agent's messages those that a conversation lists
// which has no others; of the second only three keys.

const CHATS = 'cursorDiskKV'
const ITEMS = 'ItemTable'
const COMPOSER = 'composerData:'
/** Of the agent's: messages under the hash of their content. */
const BLOB = 'agentKv:blob:'
/** Of newer versions: what is known of every conversation, and where it was held. */
const HEADERS = 'composer.composerHeaders'
/** Of a workspace: its conversations; to early 2025 with all that was said in them. */
const LISTED = 'composer.composerData'
/** Of a workspace, to 2024. */
const TABS = 'workbench.panel.aichat.view.aichat.chatdata'
/** A value longer than this is not taken into memory. */
const LIMIT = 256 * 1024 * 1024
const RECENT_MS = 3_600_000

interface Saved {
  /** Stamps of the conversations' own rows, by the hash of their names. */
  stamps: Record<string, string>
  /** Conversations that were used within an hour of the newest: their messages may change without their own row. */
  recent: string[]
}

/** The store in an open database; null when it is not Cursor's. */
export function openCursorDatabase(db: ForeignDb, path: string): Store | null {
  const known = [CHATS, ITEMS].some((table) => db.has(table, 'key', 'value'))
  return known ? new CursorDatabase(db, path) : null
}

class CursorDatabase implements Store {
  readonly format = cursorRows
  readonly damage: string[] = []
  private readonly stamps: Record<string, string> = {}
  private readonly used = new Map<string, number>()
  private headers: Map<string, Json> | null = null

  constructor(
    private readonly db: ForeignDb,
    private readonly path: string,
  ) {}

  check(): void {
    this.db.check()
  }

  close(): void {
    this.db.close()
  }

  state(): Saved {
    const newest = Math.max(0, ...this.used.values())
    const recent = [...this.used].filter(([, at]) => at >= newest - RECENT_MS).map(([id]) => nameHash(id))
    return { stamps: this.stamps, recent }
  }

  *sessions(saved: unknown, waits: (key: string) => boolean): Generator<StoredSession> {
    const known = isSaved(saved) ? saved : null
    const recent = new Set(known?.recent)
    for (const row of this.range(COMPOSER)) {
      const key = asString(row.value('key'))
      if (key === null) continue
      const id = key.slice(COMPOSER.length)
      const stamp = sha256(row.stamp).slice(0, 16)
      const name = nameHash(id)
      this.stamps[name] = stamp
      if (known?.stamps[name] === stamp && !recent.has(name) && !waits(id)) continue
      const session = this.composer(id, row)
      if (session) yield session
    }
    yield* this.ofWorkspace()
  }

  session(key: string): StoredSession | null {
    const row = this.db.has(CHATS, 'key') ? this.db.find(CHATS, 'key', COMPOSER + key) : null
    if (row) return this.composer(key, row)
    for (const session of this.ofWorkspace()) if (session.key === key) return session
    return null
  }

  private *range(prefix: string): Generator<ForeignRow> {
    if (!this.db.has(CHATS, 'key', 'value')) return
    const onDamage = (reason: string): void => noted(this.damage, reason)
    // Behind the colon comes the semicolon.
    yield* this.db.range(CHATS, 'key', prefix, `${prefix.slice(0, -1)};`, onDamage)
  }

  private composer(id: string, row: ForeignRow): StoredSession | null {
    const value = row.size('value') > LIMIT ? null : parsed(row.bytes('value'))
    if (!value) {
      // Cursor leaves a row without a value where a conversation was deleted.
      if (row.size('value') > 0) noted(this.damage, 'a conversation that cannot be read')
      return null
    }
    const listed = this.listedHeaders().get(id) ?? {}
    const updatedAt =
      timestampOf(value.lastUpdatedAt) ?? timestampOf(listed.lastUpdatedAt) ?? timestampOf(value.createdAt)
    if (updatedAt !== null) this.used.set(id, updatedAt)
    const bubbles = this.bubbles(id)
    const header = headerOf(id, { ...listed, ...value })
    // A conversation without rows of its own for its messages may still have those that the agent was given.
    const agents = bubbles.size === 0 && inline(value).length === 0 ? rootOf(value.conversationState) : null
    return {
      key: id,
      header: { ...header, cwd: header.cwd ?? agents?.folder ?? null },
      updatedAt,
      records: () => {
        if (agents) return this.agentRecords(agents)
        const read = (rowid: number) => this.db.at(CHATS, rowid)?.bytes('value') ?? null
        const rows = bubbles.size > 0 || inline(value).length === 0
        return rows ? rowRecords(id, value, bubbles, read) : inlineRecords(id, inline(value))
      },
    }
  }

  private agentRecords({ messages }: ChatRoot): StoredRecord[] {
    return blobRecords(messages, {
      find: (hash) => this.db.find(CHATS, 'key', BLOB + hash),
      column: 'value',
      missing: () => noted(this.damage, 'a message that is not there'),
      about: { kind: 'chat' },
    })
  }

  /** The conversation's messages: their ids are in their keys only. */
  private bubbles(id: string): Map<string, { rowid: number; stamp: string; size: number }> {
    const prefix = `bubbleId:${id}:`
    const found = new Map<string, { rowid: number; stamp: string; size: number }>()
    for (const row of this.range(prefix)) {
      const key = asString(row.value('key')) ?? ''
      const size = row.size('value')
      // A row without a value is a message that was deleted.
      if (size > 0) found.set(key.slice(prefix.length), { rowid: row.rowid, stamp: row.stamp, size })
    }
    return found
  }

  private listedHeaders(): Map<string, Json> {
    if (this.headers) return this.headers
    this.headers = new Map()
    for (const one of composersIn(this.item(HEADERS))) {
      const id = asString(one.composerId)
      if (id) this.headers.set(id, one)
    }
    return this.headers
  }

  /** What older versions keep with the workspace, and where the workspace's conversations were held. */
  private *ofWorkspace(): Generator<StoredSession> {
    const folder = workspaceFolder(this.path)
    const listed = composersIn(this.item(LISTED))
    for (const one of listed) {
      const id = asString(one.composerId)
      if (!id || inline(one).length === 0) continue
      const header = { ...headerOf(id, one), cwd: folder }
      yield { key: id, header, updatedAt: updatedAt(one), records: () => inlineRecords(id, inline(one)) }
    }
    const names = listed.filter((one) => asString(one.composerId) && inline(one).length === 0)
    if (names.length > 0) {
      const header = {
        id: 'composers',
        title: null,
        cwd: folder,
        parent: null,
        createdAt: null,
        branch: null,
      }
      yield { key: 'composers', header, updatedAt: null, records: () => names.map(listedRecord) }
    }
    const tabs = this.item(TABS)
    for (const tab of Array.isArray(tabs?.tabs) ? tabs.tabs.filter(isObject) : []) {
      const id = asString(tab.tabId) ?? asString(tab.id)
      const said = Array.isArray(tab.bubbles) ? tab.bubbles : []
      if (!id || said.length === 0) continue
      const at = timestampOf(tab.lastSendTime) ?? timestampOf(tab.createdAt)
      const title = tab.chatTitle ?? tab.title
      const header = { ...headerOf(id, { name: title, createdAt: at }), cwd: folder }
      yield { key: id, header, updatedAt: at, records: () => inlineRecords(id, said) }
    }
  }

  private item(key: string): Json | null {
    if (!this.db.has(ITEMS, 'key', 'value')) return null
    const row = this.db.find(ITEMS, 'key', key)
    return row && row.size('value') <= LIMIT ? parsed(row.bytes('value')) : null
  }
}

/** One that only tells what a conversation is called and where it was held. */
function listedRecord(value: Json): StoredRecord {
  const { composerId, name, createdAt } = value
  const bytes = Buffer.from(JSON.stringify({ composerId, name, createdAt }))
  return {
    key: `${LISTED}:${String(composerId)}`,
    stamp: sha256(bytes).slice(0, 16),
    size: bytes.length,
    closed: true,
    about: { kind: 'listed' },
    read: () => bytes,
  }
}

/** `~` and base64, or hex: the list of the agent's messages. null when there is none. */
function rootOf(state: unknown): ChatRoot | null {
  const text = asString(state) ?? ''
  if (text.length < 2) return null
  return readRoot(text.startsWith('~') ? Buffer.from(text.slice(1), 'base64') : Buffer.from(text, 'hex'))
}

const inline = (value: Json): unknown[] => (Array.isArray(value.conversation) ? value.conversation : [])
const composersIn = (value: Json | null): Json[] =>
  Array.isArray(value?.allComposers) ? value.allComposers.filter(isObject) : []
const updatedAt = (value: Json): number | null =>
  timestampOf(value.lastUpdatedAt) ?? timestampOf(value.createdAt)

function parsed(bytes: Buffer | null): Json | null {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** `workspaceStorage/<hash>/workspace.json` names the folder that the workspace is. */
function workspaceFolder(path: string): string | null {
  try {
    const beside = join(dirname(path), 'workspace.json')
    if (statSync(beside).size > 64 * 1024) return null
    return folderOf(parsed(readFileSync(beside))?.folder)
  } catch {
    return null
  }
}

const isSaved = (value: unknown): value is Saved =>
  isObject(value) && isObject(value.stamps) && Array.isArray(value.recent)
