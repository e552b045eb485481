import type { WriteDb } from '../db'
import { type PackedText, packText, unpackText } from '../item-text'
import type { Migration } from './migration'

const PAGE = 500
/** In characters; longer texts are packed as they were. */
const LONGEST = 4_096

/**
 * Texts of a few hundred characters are packed with words given beforehand, which say half of them. What an item says
 * stays the same, so nothing that was made from it goes. Sentences that stand for texts that were let go stay as they
 * are, and so does a text that cannot be unpacked.
 */
export const packedWithWords: Migration = {
  version: 31,
  name: 'packed-with-words',
  compacts: true,
  up(db) {
    db.run('INSERT INTO retention_now (one) VALUES (1)')
    for (let after: number | undefined = -1; after !== undefined; ) after = packPage(db, after)
    db.run('DELETE FROM retention_now')
  },
}

/** @returns the last row looked at; undefined when there are no more */
function packPage(db: WriteDb, after: number): number | undefined {
  const rows = db.all<PackedText & { id: number; size: number }>(
    `SELECT id, text, text_z, coalesce(length(text_z), octet_length(text)) AS size FROM item_rows
     WHERE id > ? AND chars BETWEEN 100 AND ${LONGEST} AND NOT EXISTS (SELECT 1 FROM let_go WHERE item_id = id)
     ORDER BY id LIMIT ${PAGE}`,
    [after],
  )
  for (const row of rows) {
    const packed = smaller(row)
    if (packed) db.run('UPDATE item_rows SET text = NULL, text_z = ? WHERE id = ?', [packed, row.id])
  }
  return rows.at(-1)?.id
}

function smaller(row: PackedText & { size: number }): Uint8Array | null {
  try {
    const { text_z } = packText(unpackText(row))
    return text_z && text_z.length < row.size ? text_z : null
  } catch {
    return null
  }
}
