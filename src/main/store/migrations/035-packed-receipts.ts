import { packReceipt, type ReceiptText } from '../receipt-text'
import type { Migration } from './migration'

const PAGE = 200

/**
 * Receipts and their frames are packed. As a frame is taken out of its row a trigger keeps what text was wrapped for it
 * (migration 26), which is how an envelope is known again.
 */
export const packedReceipts: Migration = {
  version: 35,
  name: 'packed-receipts',
  compacts: true,
  up(db) {
    db.run('ALTER TABLE receipts ADD COLUMN packed BLOB')
    for (let after = -1; ; ) {
      const rows = db.all<ReceiptText & { rowid: number }>(
        'SELECT rowid, body, frame FROM receipts WHERE rowid > ? ORDER BY rowid LIMIT ?',
        [after, PAGE],
      )
      for (const { rowid, ...text } of rows) {
        const { body, frame, packed } = packReceipt(text)
        if (packed)
          db.run('UPDATE receipts SET body = ?, frame = ?, packed = ? WHERE rowid = ?', [
            body,
            frame,
            packed,
            rowid,
          ])
      }
      const last = rows.at(-1)
      if (!last) return
      after = last.rowid
    }
  },
}
