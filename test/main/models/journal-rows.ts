import { createHash } from 'node:crypto'
import type { WriteDb } from '../../../src/main/store'
import type { ItemKind } from '../../../src/shared/domain'

export interface TestItem {
  kind?: ItemKind
  session?: string
  position?: number
  ts?: number
  text?: string
  project?: string | null
  goal?: string | null
  data?: Record<string, unknown>
  labels?: string[]
  tool?: string
  indexed?: boolean
  name?: string
  queued?: boolean
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** A well-formed handle made from a name, the same every time. */
export function handleOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest()
  let text = ''
  for (let i = 0; i < 26; i++) text += alphabet[(bytes[i] ?? 0) & 31]
  return `itm_${text}`
}

/** Puts one item into the journal the way an ingest does, with its queue rows. */
export function insertItem(db: WriteDb, item: TestItem = {}): { id: number; handle: string } {
  const session = item.session ?? 'generic:s1'
  const position = item.position ?? (db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n ?? 0) + 1
  const handle = handleOf(item.name ?? `${session}/${position}`)
  const ts = item.ts ?? 1_700_000_000_000 + position * 1000
  db.run(
    `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at) VALUES (?, ?, 'generic', ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)`,
    [session, session.split(':')[1] ?? session, item.project ?? null, ts, ts],
  )
  const text = item.text ?? `Item ${position} of ${session}.`
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, tool, project, goal_handle, text, chars, data, indexed,
       file_path, line, byte_offset, byte_length, record_hash, labels)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '/t/a.jsonl', ?, 0, 1, ?, ?)`,
    [
      handle,
      item.kind ?? 'note',
      session,
      position,
      ts,
      item.tool ?? null,
      item.project ?? null,
      item.goal ?? null,
      text,
      text.length,
      JSON.stringify(item.data ?? {}),
      item.indexed === false ? 0 : 1,
      position,
      createHash('sha256').update(text).digest('hex'),
      JSON.stringify(item.labels ?? []),
    ],
  )
  const id = db.get<{ id: number }>('SELECT id FROM items WHERE handle = ?', [handle])?.id ?? 0
  if (item.queued !== false) {
    db.run('INSERT INTO embed_queue (item_id) VALUES (?)', [id])
    db.run('INSERT INTO curate_queue (subject) VALUES (?)', [handle])
  }
  return { id, handle }
}

/** A unit vector of 384 numbers from a seed. */
export function seededVector(seed: number): Float32Array {
  let state = (seed * 2654435761) >>> 0
  const vector = new Float32Array(384)
  let length = 0
  for (let i = 0; i < 384; i++) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393 + i) >>> 0
    vector[i] = state / 2 ** 31 - 1
    length += (vector[i] ?? 0) ** 2
  }
  return vector.map((value) => value / Math.sqrt(length))
}

/** `base` moved towards `other` by `share`, unit length again. */
export function between(base: Float32Array, other: Float32Array, share: number): Float32Array {
  const mixed = base.map((value, i) => value * (1 - share) + (other[i] ?? 0) * share)
  const length = Math.sqrt(mixed.reduce((sum, value) => sum + value * value, 0))
  return mixed.map((value) => value / length)
}
