import type { WriteDb } from '../db'
import { type PackedText, packText } from '../item-text'
import { type Migration, script } from './migration'

// What most items said twice is said once: their own session, and the path of the file they stand in.
const once = script(`
-- item_sessions: the sessions that hold an item besides its own.
DELETE FROM item_sessions WHERE session_id = (SELECT session_id FROM items WHERE id = item_sessions.item_id);

-- file_path: '' while the file's row says it.
UPDATE items SET file_path = '' WHERE file_path = (SELECT path FROM files WHERE id = items.file_id);
CREATE TRIGGER files_left BEFORE DELETE ON files BEGIN UPDATE items SET file_path = OLD.path WHERE file_id = OLD.id AND file_path = ''; END;
`)

const PAGE = 500
/** As long as texts were packed from before; what is longer and plain does not get smaller. */
const PACKED_FROM = 1_024

/** Short texts are packed too now. What an item says stays the same, so nothing that was made from it goes. */
function packShort(db: WriteDb): void {
  db.run('INSERT INTO retention_now (one) VALUES (1)')
  for (let after = 0; ; ) {
    const rows = db.all<{ id: number; text: string | null }>(
      `SELECT id, CASE WHEN text_z IS NULL AND length(text) < ${PACKED_FROM} THEN text END AS text
       FROM items WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
      [after],
    )
    for (const { id, text } of rows) {
      const packed: PackedText | null = text === null ? null : packText(text)
      if (packed?.text_z) db.run('UPDATE items SET text = NULL, text_z = ? WHERE id = ?', [packed.text_z, id])
      after = id
    }
    if (rows.length < PAGE) break
  }
  db.run('DELETE FROM retention_now')
}

export const smallerItems: Migration = {
  version: 22,
  name: 'smaller-items',
  compacts: true,
  up: (db) => {
    once(db)
    packShort(db)
  },
}
