import { createHash } from 'node:crypto'
import type { RecallPorts } from '../../../src/main/hydration'
import { countTokens, type Embedder, noEmbedder } from '../../../src/main/models'
import { packText, vectorSql, type WriteDb } from '../../../src/main/store'
import type { ItemKind, ReceiptId } from '../../../src/shared/domain'
import { HydrateRequest } from '../../../src/shared/recall'
import { temporaryDb } from '../../support'

// A memory filled by hand, the way the journal fills it, and the ports a recall needs.

export interface Remembered {
  text: string
  kind?: ItemKind
  session?: string
  ts?: number
  name?: string
  project?: string
  goal?: string
  data?: Record<string, unknown>
  importance?: number
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
export const NOW = Date.UTC(2026, 10, 30, 12)
export const DAY = 86_400_000

export function handleFor(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return `itm_${Array.from(digest.subarray(0, 26), (byte) => LETTERS[byte & 31]).join('')}`
}

/** Writes items, their full-text rows and their sessions. Returns the handles. */
export function remember(db: WriteDb, items: readonly Remembered[]): string[] {
  return db.transaction(() => items.map((item) => rememberOne(db, item)))
}

function rememberOne(db: WriteDb, item: Remembered): string {
  const session = item.session ?? 'generic:s1'
  const ts = item.ts ?? NOW - DAY
  db.run(
    `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at) VALUES (?, ?, 'generic', ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)`,
    [session, session, item.project ?? null, ts, ts],
  )
  const count =
    db.get<{ n: number }>('SELECT count(*) AS n FROM items WHERE session_id = ?', [session])?.n ?? 0
  // As the journal does: positions grow, with gaps.
  const position = count * 1024
  const handle = handleFor(`${session} ${position} ${item.text}`)
  const packed = packText(item.text)
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, project, goal_handle, text, text_z, chars, data,
       importance, file_path, record_id, line, byte_offset, byte_length, record_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '/transcripts/a.jsonl', ?, ?, ?, 100, 'hash')`,
    [
      handle,
      item.kind ?? 'note',
      session,
      position,
      ts,
      item.project ?? null,
      item.goal ?? null,
      packed.text,
      packed.text_z,
      item.text.length,
      JSON.stringify({ ...item.data, ...(item.name ? { name: item.name } : {}) }),
      item.importance ?? 0.5,
      `r${count}`,
      count + 1,
      count * 100,
    ],
  )
  const indexed = item.name ? `${item.name}: ${item.text}` : item.text
  const date = new Date(ts)
  const words = `${date.getUTCDate()} ${date.toLocaleString('en', { month: 'long', timeZone: 'UTC' })} ${date.getUTCFullYear()}`
  db.run('INSERT INTO items_fts (rowid, text, dates) SELECT id, ?, ? FROM items WHERE handle = ?', [
    indexed,
    words,
    handle,
  ])
  return handle
}

export function putRung(db: WriteDb, handle: string, level: 'L1' | 'L2' | 'L3', text: string): void {
  db.run(
    `INSERT INTO rungs (subject, level, text, method, model, version, tokens, created_at) VALUES (?, ?, ?, 'test', NULL, 1, 0, 0)`,
    [handle, level, text],
  )
}

/** Words hashed into 384 places: texts that share words are near each other. Stands in for the model at the edge. */
export function wordVector(text: string): Float32Array {
  const vector = new Float32Array(384)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const digest = createHash('sha256').update(word).digest()
    for (let i = 0; i < 12; i++) {
      const at = digest.readUInt16LE(2 * i) % 384
      vector[at] = (vector[at] ?? 0) + ((digest[24 + (i % 8)] ?? 0) & 1 ? 1 : -1)
    }
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

export const wordEmbedder: Embedder = {
  status: async () => ({ state: 'ready', model: 'words', reason: null }),
  embed: async (texts) => texts.map(wordVector),
}

/** Gives every item its two vectors. */
export function embedAll(db: WriteDb): void {
  const rows = db.all<{ id: number; text: string }>('SELECT id, text FROM items WHERE text IS NOT NULL')
  db.transaction(() => {
    for (const { id, text } of rows) {
      for (const unit of ['item', 'context'] as const) {
        vectorSql.putVector(db, {
          itemId: id,
          unit,
          model: 'words',
          vector: wordVector(text),
          provenance: [],
          labels: [],
        })
      }
    }
  })
}

/** An envelope as plain as can be. */
export const plainWrap: RecallPorts['wrap'] = ({ source, receipt }, text) =>
  `[[fovea:begin source=${source} receipt=${receipt} chars=${text.length}]]\n${text}\n[[fovea:end receipt=${receipt} chars=${text.length}]]`

/** A memory on disk and ports on it. Receipt ids count upwards in base 32. */
export function memory(options: { embedder?: Embedder; db?: WriteDb } = {}): {
  db: WriteDb
  ports: RecallPorts
} {
  const db = options.db ?? temporaryDb()
  let drawn = 0
  const ports: RecallPorts = {
    read: db,
    write: db,
    embedder: options.embedder ?? noEmbedder('The model is not installed.'),
    clock: () => NOW,
    receiptId: () => {
      drawn += 1
      const letters = Array.from({ length: 16 }, (_, i) => LETTERS[Math.floor(drawn / 32 ** i) % 32]).join('')
      return `rcp_${letters}` as ReceiptId
    },
    wrap: plainWrap,
    countTokens,
  }
  return { db, ports }
}

/** A request at the tests' moment. */
export const ask = (goal: string, more: Partial<HydrateRequest> = {}): HydrateRequest =>
  HydrateRequest.parse({ goal, asOf: NOW, ...more })

/** Two sessions in two projects. */
export const payments: Remembered[] = [
  {
    kind: 'goal',
    text: 'Make the payments webhook retry when the provider times out',
    session: 'a:1',
    project: 'shop',
  },
  {
    kind: 'file_op',
    text: 'src/payments/webhook.ts',
    session: 'a:1',
    project: 'shop',
    data: { path: 'src/payments/webhook.ts' },
  },
  { kind: 'error', text: 'Test failed: webhook was delivered twice', session: 'a:1', project: 'shop' },
  {
    kind: 'conclusion',
    text: 'The webhook now retries three times, keyed by event id.',
    session: 'a:1',
    project: 'shop',
  },
  { kind: 'goal', text: 'Change the colour of the landing page', session: 'a:2', project: 'site' },
  { kind: 'conclusion', text: 'The landing page is green.', session: 'a:2', project: 'site' },
]
