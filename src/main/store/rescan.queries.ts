import type { ReadDb, SqlValue, WriteDb } from './db'
import { numberOf } from './item-names'
import { packText, unpackText } from './item-text'
import { type PackedReceipt, packReceipt, type ReceiptText, unpackReceipt } from './receipt-text'
import { writeAnew } from './write-anew'

// Looking through everything that is stored. Which tables and columns there are is read from the schema, so that a
// table added later is looked through too.

/** A table with text in it. */
export interface TextTable {
  name: string
  /** What a row is found by: its primary key, or its row id. */
  key: readonly string[]
  columns: readonly string[]
}

export type RowKey = readonly (string | number)[]
export interface TextRow {
  key: RowKey
  /** By column; null where there is none. */
  texts: Readonly<Record<string, string | null>>
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Every ordinary table that holds text; first the one that others refer to by a text. No index of a virtual table. */
export function textTables(db: ReadDb): TextTable[] {
  const tables = db.all<{ name: string; wr: number; shadow: number }>(
    `SELECT name, wr, type = 'shadow' AS shadow FROM pragma_table_list
     WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%' ORDER BY name <> 'sessions', name`,
  )
  return tables.flatMap(({ name, wr, shadow }) => {
    if (shadow === 1) return []
    const columns = db.all<{ name: string; type: string; pk: number }>(
      'SELECT name, type, pk FROM pragma_table_info(?)',
      [name],
    )
    const texts = columns.filter(({ type }) => type === 'TEXT').map((column) => column.name)
    if (texts.length === 0) return []
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    return [{ name, key: wr === 1 ? primary.map((column) => column.name) : ['rowid'], columns: texts }]
  })
}

/** The next rows of a table behind a key; from its beginning when there is none. */
export function textRows(db: ReadDb, table: TextTable, after: RowKey | null, limit: number): TextRow[] {
  const keys = table.key
    .map((name, at) => `${name === 'rowid' ? 'rowid' : quoted(name)} AS k${at}`)
    .join(', ')
  const order = table.key.map((name) => (name === 'rowid' ? 'rowid' : quoted(name))).join(', ')
  const where = after === null ? '' : `WHERE (${order}) > (${after.map(() => '?').join(', ')})`
  const columns = table.columns.map((name, at) => `${quoted(name)} AS c${at}`).join(', ')
  const packed = PACKED.get(table.name)
  const rows = db.all<Record<string, SqlValue>>(
    `SELECT ${keys}, ${columns}${packed ? `, ${packed.column} AS packed` : ''} FROM ${quoted(table.name)} ${where}
     ORDER BY ${order} LIMIT ?`,
    [...(after ?? []), limit],
  )
  return rows.map((row) => {
    const texts = Object.fromEntries(table.columns.map((name, at) => [name, row[`c${at}`] as string | null]))
    return {
      key: table.key.map((_, at) => row[`k${at}`] as string | number),
      texts: packed && row.packed ? { ...texts, ...packed.unpack(row.packed as Uint8Array) } : texts,
    }
  })
}

type Texts = Readonly<Record<string, string>>

/** Tables whose texts are packed: in which column, what it holds, and how a row is written with other texts. */
const PACKED = new Map<
  string,
  { column: string; unpack: (bytes: Uint8Array) => Texts; pack: (texts: Texts) => Record<string, SqlValue> }
>([
  [
    'item_rows',
    {
      column: 'text_z',
      unpack: (bytes) => ({ text: unpackText({ text: null, text_z: bytes }) }),
      pack: ({ text, ...rest }) =>
        text === undefined ? rest : { ...rest, ...packText(text), chars: text.length },
    },
  ],
  [
    'receipts',
    {
      column: 'packed',
      unpack: (bytes) => ({ ...unpackReceipt({ body: '', frame: '', packed: bytes }) }),
      pack: ({ body = '', frame = '', ...rest }) => ({ ...rest, ...packReceipt({ body, frame }) }),
    },
  ],
])

/** Replaces texts of one row. A row that becomes equal to another one takes its place. */
export function putTexts(db: WriteDb, table: TextTable, key: RowKey, texts: Texts): void {
  const where = table.key.map((name) => `${name === 'rowid' ? 'rowid' : quoted(name)} = ?`).join(' AND ')
  const values = PACKED.get(table.name)?.pack({ ...besides(db, table, key), ...texts }) ?? texts
  const set = Object.keys(values).map((name) => `${quoted(name)} = ?`)
  db.run(`UPDATE OR REPLACE ${quoted(table.name)} SET ${set.join(', ')} WHERE ${where}`, [
    ...Object.values(values),
    ...key,
  ])
}

/** What is packed together with a text that changes. */
function besides(db: ReadDb, table: TextTable, key: RowKey): Partial<ReceiptText> {
  if (table.name !== 'receipts') return {}
  const row = db.get<PackedReceipt>('SELECT body, frame, packed FROM receipts WHERE rowid = ?', [...key])
  return row ? unpackReceipt(row) : {}
}

/** A session goes by another id, in every table that names it. */
export function renameSession(db: WriteDb, from: string, to: string): void {
  db.run('PRAGMA defer_foreign_keys = ON')
  for (const table of textTables(db)) {
    const own = table.name === 'sessions' ? ['id', 'parent_id'] : ['session_id', 'parent_id']
    for (const column of table.columns.filter((name) => own.includes(name)))
      db.run(
        `UPDATE OR REPLACE ${quoted(table.name)} SET ${quoted(column)} = ? WHERE ${quoted(column)} = ?`,
        [to, from],
      )
  }
  db.run('INSERT OR IGNORE INTO names (name) VALUES (?)', [to])
  db.run(`UPDATE item_rows SET session = ${numberOf()} WHERE session = ${numberOf()}`, [to, from])
  db.run('DELETE FROM names WHERE name = ?', [from])
  db.run('DELETE FROM rungs WHERE subject = ?', [`ses_${from}`])
  db.run('INSERT OR IGNORE INTO rollup_queue VALUES (?)', [`ses_${to}`])
}

/** A prediction that still waits for its decision is made and sealed again. */
export function dropOpenPrediction(db: WriteDb, gateId: string): void {
  db.run(
    `DELETE FROM predictions WHERE gate_id = ? AND gate_id IN (SELECT id FROM gates WHERE status = 'open')`,
    [gateId],
  )
}

/** Vectors of a chunk's old words; they are made again when the proxy next reads it. */
export function dropChunkVectors(db: WriteDb, key: RowKey): void {
  db.run(
    `UPDATE chunks SET vector_model = NULL, v_situation = NULL, v_artifact = NULL, v_stimulus = NULL,
       v_response = NULL, v_salience = NULL WHERE rowid = ?`,
    [...key],
  )
}

export function itemOf(db: ReadDb, key: RowKey): { id: number; handle: string; indexed: number } | undefined {
  return db.get('SELECT id, handle, indexed FROM items WHERE id = ?', [...key])
}

/**
 * Leaves nothing of what was replaced or deleted: the full-text index is merged into one segment without it, the file
 * is written anew, and the log of changes is emptied. Cannot run inside a transaction.
 * @throws AppError `busy` while another process reads or writes
 */
export function wipeRemains(db: WriteDb): void {
  db.run(`INSERT INTO items_fts (items_fts) VALUES ('optimize')`)
  writeAnew(db)
  db.get('PRAGMA wal_checkpoint(TRUNCATE)')
}
