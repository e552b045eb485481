import { openRead, type ReadDb, unpackText, type WriteDb } from '../src/main/store'
import { type PackedReceipt, packReceipt, unpackReceipt } from '../src/main/store/receipt-text'

// What a search through the bytes of a data folder does not see, and receipts as they read.

/** The texts a Fovea database holds packed, of whatever version it is. */
export function packedTexts(path: string): string {
  const db = openRead(path)
  try {
    const texts = has(db, 'items', 'text_z')
      ? db
          .all<{ text_z: Uint8Array }>('SELECT text_z FROM items WHERE text_z IS NOT NULL')
          .map(({ text_z }) => unpackText({ text: null, text_z }))
      : []
    const receipts = has(db, 'receipts', 'packed')
      ? db
          .all<PackedReceipt>('SELECT body, frame, packed FROM receipts WHERE packed IS NOT NULL')
          .map(unpackReceipt)
          .flatMap(({ body, frame }) => [body, frame])
      : []
    return [...texts, ...receipts, ''].join('\n')
  } finally {
    db.close()
  }
}

const has = (db: ReadDb, table: string, column: string): boolean =>
  db.get('SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?', [table, column]) !== undefined

/** The stored receipts as JSON, oldest first. */
export const receiptBodies = (db: ReadDb): string[] =>
  db
    .all<PackedReceipt>('SELECT body, frame, packed FROM receipts ORDER BY rowid')
    .map((row) => unpackReceipt(row).body)

/** Writes every stored receipt anew. */
export function changeReceipts(db: WriteDb, change: (body: string) => string): void {
  for (const { rowid, ...row } of db.all<PackedReceipt & { rowid: number }>(
    'SELECT rowid, body, frame, packed FROM receipts',
  )) {
    const { body, frame } = unpackReceipt(row)
    const packed = packReceipt({ body: change(body), frame })
    db.run('UPDATE receipts SET body = ?, frame = ?, packed = ? WHERE rowid = ?', [
      packed.body,
      packed.frame,
      packed.packed,
      rowid,
    ])
  }
}
