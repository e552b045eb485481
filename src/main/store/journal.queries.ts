import type { ReadDb, WriteDb } from './db'
import { numberOf } from './item-names'
import { pathOf } from './item-place'

// Items: what the journal's writer and dump need.

export interface ItemRow {
  id: number
  handle: string
  kind: string
  session_id: string
  position: number
  ts: number
  role: string | null
  tool: string | null
  project: string | null
  goal_handle: string | null
  text: string | null
  text_z: Uint8Array | null
  chars: number
  data: string
  importance: number
  indexed: number
  file_id: number | null
  file_path: string
  record_id: string | null
  line: number
  byte_offset: number
  byte_length: number
  record_hash: string
  labels: string
  known: number
  stale: number
  masked: number
  /** 1 when the person went back behind it and on another way. */
  rewound: number
}

/** What an insert or a replacement sets; the rest has defaults. */
export type ItemValues = Omit<
  ItemRow,
  'id' | 'labels' | 'indexed' | 'stale' | 'rewound' | 'file_path' | 'file_id'
> & { file_id: number }

/** Enough of a stored item to decide whether another sighting of it wins. */
export interface ItemPlace {
  id: number
  session_id: string
  file_id: number | null
  file_path: string
  byte_offset: number
  known: number
  stale: number
  indexed: number
  masked: number
  chars: number
  record_hash: string
}

/** Those of these handles that are stored, and where. */
export function itemPlaces(db: ReadDb, handles: readonly string[]): Map<string, ItemPlace> {
  const rows = db.all<ItemPlace & { handle: string }>(
    `SELECT handle, id, session_id, file_id, ${pathOf('items')} AS file_path, byte_offset, known, stale, indexed,
       masked, chars, record_hash
     FROM items WHERE handle IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(handles)],
  )
  return new Map(rows.map(({ handle, ...place }) => [handle, place]))
}

export function itemText(
  db: ReadDb,
  id: number,
):
  | Pick<ItemRow, 'text' | 'text_z' | 'kind' | 'data' | 'goal_handle' | 'importance' | 'project' | 'ts'>
  | undefined {
  return db.get(
    'SELECT text, text_z, kind, data, goal_handle, importance, project, ts FROM items WHERE id = ?',
    [id],
  )
}

export function insertItem(db: WriteDb, item: ItemValues): number {
  nameThem(db, item)
  return db.run(
    `INSERT INTO item_rows (handle, kind, session, position, ts, role, tool, project, goal, text, text_z, chars, data,
       importance, file_id, record_uuid, record_id, line, byte_offset, byte_length, record_hash, known, masked)
     VALUES (?, ?, ${numberOf()}, ?, ?, ?, ?, ?, ${numberOf()}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    itemParams(item),
  ).lastInsertRowid
}

function nameThem(db: WriteDb, item: Pick<ItemValues, 'session_id' | 'goal_handle'>): void {
  db.run('INSERT OR IGNORE INTO names (name) VALUES (?), (?)', [item.session_id, item.goal_handle])
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const HASH = /^[0-9a-f]{32}$/

/** A UUID in 16 bytes in place of 36; null when it is none in its usual form. */
const uuidBytes = (id: string | null): Buffer | null =>
  id !== null && UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : null

const itemParams = (item: ItemValues) => {
  const uuid = uuidBytes(item.record_id)
  return [
    item.handle,
    item.kind,
    item.session_id,
    item.position,
    item.ts,
    item.role,
    item.tool,
    item.project,
    item.goal_handle,
    item.text,
    item.text_z,
    item.chars,
    item.data,
    item.importance,
    item.file_id,
    uuid,
    uuid ? null : item.record_id,
    item.line,
    item.byte_offset,
    item.byte_length,
    Buffer.from(item.record_hash, HASH.test(item.record_hash) ? 'hex' : 'utf8'),
    item.known,
    item.masked,
  ] as const
}

export function replaceItem(db: WriteDb, id: number, item: ItemValues): void {
  nameThem(db, item)
  db.run(
    `UPDATE item_rows SET handle = ?, kind = ?, session = ${numberOf()}, position = ?, ts = ?, role = ?, tool = ?,
       project = ?, goal = ${numberOf()}, text = ?, text_z = ?, chars = ?, data = ?, importance = ?, file_id = ?,
       file_path = '', record_uuid = ?, record_id = ?, line = ?, byte_offset = ?, byte_length = ?, record_hash = ?,
       known = ?, masked = ?, stale = 0
     WHERE id = ?`,
    [...itemParams(item), id],
  )
}

/** An item that was found again as it was, after its file had changed. */
export function freshen(db: WriteDb, id: number): void {
  db.run('UPDATE item_rows SET stale = 0 WHERE id = ?', [id])
}

/** Attaches an item to a session that holds it too; its own one holds it anyway. */
export function attachItem(db: WriteDb, itemId: number, sessionId: string): void {
  db.run(
    `INSERT OR IGNORE INTO item_sessions (item_id, session_id)
     SELECT id, :session FROM item_rows WHERE id = :id AND session IS NOT ${numberOf(':session')}`,
    { id: itemId, session: sessionId },
  )
}

/** Another session's telling of an item takes over: the one whose own it was stays attached. Before the replacement. */
export function passOn(db: WriteDb, itemId: number, from: string, to: string): void {
  db.run('INSERT OR IGNORE INTO item_sessions (item_id, session_id) VALUES (?, ?)', [itemId, from])
  db.run('DELETE FROM item_sessions WHERE item_id = ? AND session_id = ?', [itemId, to])
}

/** Whether a session holds an item, as its own or attached. */
export function isHeld(db: ReadDb, itemId: number, sessionId: string): boolean {
  return (
    db.get(
      `SELECT 1 AS n FROM item_rows WHERE id = :id AND session = ${numberOf(':session')}
       UNION ALL SELECT 1 FROM item_sessions WHERE item_id = :id AND session_id = :session`,
      { id: itemId, session: sessionId },
    ) !== undefined
  )
}

// --- index and queues ---------------------------------------------------------------------------------------

export function indexItem(db: WriteDb, id: number, text: string, dates: string): void {
  db.run('INSERT INTO items_fts (rowid, text, dates) VALUES (?, ?, ?)', [id, text, dates])
}

/** Who keeps the lengths of its texts in memory hears of it: whatever takes its place gets the same number. */
export function unindexItem(db: WriteDb, id: number): void {
  db.run('DELETE FROM items_fts WHERE rowid = ?', [id])
  db.run('INSERT INTO recall_changes (item_id) VALUES (?)', [id])
  db.run('DELETE FROM recall_changes WHERE seq <= (SELECT max(seq) FROM recall_changes) - 20000')
}

/** What people look for first is embedded first; the same order as the queue's own trigger, given here to spare it. */
const EMBED_PRIORITY: Record<string, number> = {
  goal: 0,
  conclusion: 1,
  plan: 1,
  decision: 1,
  error: 2,
  note: 3,
  image: 4,
  command: 5,
}

const PRIORITY_OF_KIND = `CASE kind ${Object.entries(EMBED_PRIORITY)
  .map(([kind, priority]) => `WHEN '${kind}' THEN ${priority}`)
  .join(' ')} ELSE 6 END`

/** Queues every item from this row on: those that a transaction has added so far. */
export function queueFrom(db: WriteDb, firstId: number): void {
  db.run(
    `INSERT OR IGNORE INTO embed_queue (item_id, priority) SELECT id, ${PRIORITY_OF_KIND} FROM item_rows NOT INDEXED WHERE id >= ?`,
    [firstId],
  )
  // In their order: neighbours in the queue's tree are written one after another. By no index: one that holds all that
  // is asked for would be read from its beginning.
  db.run(
    `INSERT OR IGNORE INTO curate_queue (subject)
     SELECT handle FROM item_rows NOT INDEXED WHERE id >= ? ORDER BY handle`,
    [firstId],
  )
}

export function queueItem(db: WriteDb, id: number, handle: string, kind: string): void {
  db.run('INSERT OR IGNORE INTO embed_queue (item_id, priority) VALUES (?, ?)', [
    id,
    EMBED_PRIORITY[kind] ?? 6,
  ])
  db.run('INSERT OR IGNORE INTO curate_queue (subject) VALUES (?)', [handle])
}

/** Counts the items written since it was last called, so that nobody who asks how many there are has to. */
export function tallyItems(db: WriteDb): void {
  db.run(
    `UPDATE tallies SET n = n + (SELECT count(*) FROM item_rows NOT INDEXED WHERE id > upto),
       upto = max(upto, (SELECT coalesce(max(id), 0) FROM items)) WHERE name = 'items'`,
  )
}

/** Its vectors' codes go with them by a foreign key. */
export function dropVectors(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM embed_queue WHERE item_id = ?', [itemId])
  db.run('DELETE FROM vectors WHERE item_id = ?', [itemId])
}

export function countEmbedQueue(db: ReadDb): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM embed_queue')?.n ?? 0
}

/** Items of a file's unfinished records that have not been told again since it was rewritten. */
export function unfinishedItems(
  db: ReadDb,
  fileId: number,
): { id: number; handle: string; session_id: string; record_id: string | null }[] {
  return db.all(
    'SELECT id, handle, session_id, record_id FROM items WHERE file_id = ? AND stale = 1 AND known < 2',
    [fileId],
  )
}

/** Removes an item and its index row; vectors, queue rows and rungs go with it by keys and triggers. */
export function deleteItem(db: WriteDb, id: number): void {
  unindexItem(db, id)
  db.run('DELETE FROM item_rows WHERE id = ?', [id])
}

// --- two renderings of one session ---------------------------------------------------------------------------

/** What of an item tells whether another one is the same. */
export interface ToldItem
  extends Pick<ItemRow, 'id' | 'handle' | 'kind' | 'ts' | 'role' | 'tool' | 'text' | 'text_z' | 'data'> {
  /** 0 when its file is the session's own; higher when it tells a session that another file tells better. */
  rank: number
}

/** Items of a session and of its sub-agents, earliest first; none when no file of it is a rendering. */
export function toldItems(
  db: ReadDb,
  sessionId: string,
  renderings: readonly { agent: string; rank: number; files: string }[],
): ToldItem[] {
  const list = JSON.stringify(renderings)
  const rank = `coalesce((SELECT max(r.value ->> 'rank') FROM json_each(?) r
      WHERE f.format = r.value ->> 'agent' AND f.path LIKE r.value ->> 'files'),
    i.file_id IS NULL AND i.file_path LIKE '%.md')`
  const any = db.get<{ n: number }>(
    `SELECT EXISTS (SELECT 1 FROM items i LEFT JOIN files f ON f.id = i.file_id
       WHERE i.session = ${numberOf()} AND ${rank} > 0) AS n`,
    [sessionId, list],
  )
  if (any?.n !== 1) return []
  return db.all<ToldItem>(
    `SELECT i.id, i.handle, i.kind, i.ts, i.role, i.tool, i.text, i.text_z, i.data, ${rank} AS rank
     FROM items i LEFT JOIN files f ON f.id = i.file_id
     WHERE i.session = ${numberOf()} OR i.session IN (SELECT n FROM sessions JOIN names ON name = sessions.id WHERE parent_id = ?)
     ORDER BY i.ts, i.handle`,
    [list, sessionId, sessionId],
  )
}

/** Takes an item out in favour of another one that says the same; its handle keeps leading there. */
export function aliasItem(db: WriteDb, item: { id: number; handle: string }, target: string): void {
  db.run('INSERT OR IGNORE INTO names (name) VALUES (?)', [target])
  db.run(`UPDATE item_rows SET goal = ${numberOf()} WHERE goal = ${numberOf()}`, [target, item.handle])
  db.run('UPDATE item_aliases SET target = ? WHERE target = ?', [target, item.handle])
  deleteItem(db, item.id)
  db.run('INSERT OR REPLACE INTO item_aliases (handle, target) VALUES (?, ?)', [item.handle, target])
}

export function aliasOf(db: ReadDb, handle: string): string | null {
  return (
    db.get<{ target: string }>('SELECT target FROM item_aliases WHERE handle = ?', [handle])?.target ?? null
  )
}

export function putThumbnail(
  db: WriteDb,
  sha256: string,
  picture: { width: number; height: number; bytes: Uint8Array },
): void {
  db.run('INSERT OR IGNORE INTO thumbnails (sha256, width, height, jpeg) VALUES (?, ?, ?, ?)', [
    sha256,
    picture.width,
    picture.height,
    picture.bytes,
  ])
}

export function thumbnail(
  db: ReadDb,
  sha256: string,
): { width: number; height: number; jpeg: Uint8Array } | undefined {
  return db.get('SELECT width, height, jpeg FROM thumbnails WHERE sha256 = ?', [sha256])
}

export interface DumpRow extends ItemRow {
  agent: string
  /** Ids of every session that holds the item, sorted, joined by newlines. */
  sessions: string
  /** Levels that were let go, joined by commas. */
  let_go: string | null
}

export function dumpRows(db: ReadDb): IterableIterator<DumpRow> {
  return db.iterate<DumpRow>(
    // Of two columns of one name the last counts.
    `SELECT i.*, ${pathOf('i')} AS file_path, s.agent, (SELECT group_concat(session_id, char(10)) FROM
        (SELECT i.session_id UNION SELECT session_id FROM item_sessions WHERE item_id = i.id ORDER BY 1)) AS sessions,
       (SELECT group_concat(level) FROM (SELECT level FROM let_go WHERE item_id = i.id ORDER BY level)) AS let_go
     FROM items i JOIN sessions s ON s.id = i.session_id ORDER BY i.handle`,
  )
}

export function meta(db: ReadDb, key: string): string | null {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value ?? null
}

/** Sets a value only when there is none yet, and answers what stands there afterwards. */
export function metaOnce(db: WriteDb, key: string, value: string): string {
  db.run('INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)', [key, value])
  return meta(db, key) ?? value
}
