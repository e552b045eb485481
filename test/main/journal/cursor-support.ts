import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../support'
import { type Json, put } from './transcripts'

// Hand-made conversations as Cursor's state.vscdb holds them.

export const ID = '0b6d1f52-9a34-4c1e-8f77-3a2b1c0d9e8f'
export const T0 = Date.parse('2026-06-08T09:00:00Z')
export const LATER = T0 + 3 * 3_600_000
export const clock = () => LATER

export interface Bubble {
  id: string
  value: Json
}

/** One conversation; ids and times count up, so that the same calls give the same rows. */
export function conversation(id = ID, extra: Json = {}) {
  let n = 0
  const bubbles: Bubble[] = []
  const add = (value: Json): Bubble => {
    n++
    const bubble = {
      id: `${id.slice(0, 8)}-b${n}`,
      value: { _v: 3, createdAt: new Date(T0 + n * 1000).toISOString(), ...value },
    }
    bubbles.push(bubble)
    return bubble
  }
  return {
    id,
    bubbles,
    user: (text: string, more: Json = {}) =>
      add({ type: 1, text, workspaceUris: ['file:///srv/my%20shop'], ...more }),
    said: (text: string, more: Json = {}) => add({ type: 2, text, ...more }),
    tool: (name: string, args: Json, more: Json = {}) =>
      add({
        type: 2,
        text: '',
        toolFormerData: {
          name,
          toolCallId: `call_${n}`,
          status: 'completed',
          rawArgs: JSON.stringify(args),
          ...more,
        },
      }),
    composer: (more: Json = {}): Json => ({
      _v: 10,
      composerId: id,
      name: 'The shop',
      createdAt: T0,
      lastUpdatedAt: T0 + n * 1000,
      status: 'completed',
      fullConversationHeadersOnly: bubbles.map((bubble) => ({
        bubbleId: bubble.id,
        type: bubble.value.type,
      })),
      ...extra,
      ...more,
    }),
  }
}
export type Conversation = ReturnType<typeof conversation>

/** Cursor's own database, open as Cursor keeps it. */
export function cursorDatabase(path: string) {
  put(path, '')
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = OFF')
  for (const table of ['ItemTable', 'cursorDiskKV'])
    db.exec(`CREATE TABLE IF NOT EXISTS ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
  const set = (table: string, key: string, value: unknown): void => {
    const text = typeof value === 'string' || value === null ? value : JSON.stringify(value)
    db.prepare(`INSERT INTO ${table} (key, value) VALUES (?, ?)`).run(key, text)
  }
  set('ItemTable', 'cursorAuth/accessToken', 'eyJhbGciOiJIUzI1NiJ9.never.read')
  set('cursorDiskKV', 'agentKv:blob:aa', '{"role":"user","content":"never read"}')
  return {
    db,
    set,
    bubble: (of: Conversation, { id, value }: Bubble) =>
      set('cursorDiskKV', `bubbleId:${of.id}:${id}`, value),
    composer: (of: Conversation, more: Json = {}) =>
      set('cursorDiskKV', `composerData:${of.id}`, of.composer(more)),
    all(of: Conversation): void {
      for (const bubble of of.bubbles) this.bubble(of, bubble)
      this.composer(of)
    },
  }
}

export function openCursor(root = temporaryFolder()) {
  const path = join(root, 'globalStorage', 'state.vscdb')
  const own = cursorDatabase(path)
  onTestFinished(() => void own.db.close())
  return { root, path, own }
}

/** A field of a protocol buffer that holds bytes. */
export function field(number: number, bytes: Buffer): Buffer {
  const varint: number[] = []
  for (let rest = bytes.length; ; rest >>= 7) {
    varint.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) break
  }
  return Buffer.concat([Buffer.from([number * 8 + 2, ...varint]), bytes])
}
