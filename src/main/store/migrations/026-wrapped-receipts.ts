import { type Migration, script } from './migration'

// Frames go into transcripts and come back. When a receipt goes, or its frame is taken out of it, what stays is that
// a text of so many characters was wrapped for it: so that its envelope is known again, and nobody else's passes for it.
const wrapped = `
INSERT OR IGNORE INTO wrapped_receipts (receipt, chars)
  SELECT OLD.id, CAST(substr(OLD.frame, instr(OLD.frame, ' receipt=' || OLD.id || ' chars=') + length(OLD.id) + 16) AS INTEGER)
  WHERE instr(OLD.frame, ' receipt=' || OLD.id || ' chars=') > 0`

export const wrappedReceipts: Migration = {
  version: 26,
  name: 'wrapped-receipts',
  up: (db) => {
    script(
      'CREATE TABLE wrapped_receipts (receipt TEXT PRIMARY KEY, chars INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
    )(db)
    db.run(`CREATE TRIGGER receipts_gone AFTER DELETE ON receipts BEGIN ${wrapped}; END`)
    db.run(
      `CREATE TRIGGER receipts_emptied AFTER UPDATE OF frame ON receipts WHEN OLD.frame IS NOT NEW.frame BEGIN ${wrapped}; END`,
    )
  },
}
