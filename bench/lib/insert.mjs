import { createHash } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Puts items into a journal the way an ingest does, with their queue rows. Returns ids by name. */
export function insertItems(store, db, rows) {
  const ids = new Map()
  db.transaction(() => {
    for (const row of rows) ids.set(row.name, insert(store, db, row))
  })
  return ids
}

/** The handle of a name, the same every time. */
export function handleOf(name) {
  const bytes = createHash('sha256').update(name).digest()
  return `itm_${Array.from({ length: 26 }, (_, i) => LETTERS[bytes[i] & 31]).join('')}`
}

function insert(store, db, row) {
  const session = `generic:${row.session}`
  db.run(
    `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at) VALUES (?, ?, 'generic', ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)`,
    [session, row.session, row.project, row.ts, row.ts],
  )
  const packed = store.packText(row.text)
  const handle = handleOf(row.name)
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, project, goal_handle, text, text_z, chars, data,
       file_path, line, byte_offset, byte_length, record_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '/b.jsonl', ?, 0, 1, ?)`,
    [
      handle,
      row.kind,
      session,
      row.position,
      row.ts,
      row.project,
      row.goal ?? null,
      packed.text,
      packed.text_z,
      row.text.length,
      JSON.stringify(row.data ?? {}),
      row.position + 1,
      handle,
    ],
  )
  const { id } = db.get('SELECT id FROM items WHERE handle = ?', [handle])
  db.run('INSERT INTO embed_queue (item_id) VALUES (?)', [id])
  db.run('INSERT INTO curate_queue (subject) VALUES (?)', [handle])
  return id
}
