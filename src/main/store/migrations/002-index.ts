import { type Migration, script } from './migration'

// Both indexes are derived: they carry their version in meta and can be rebuilt from the journal at any time.
export const index: Migration = {
  version: 2,
  name: 'index',
  up: script(`
-- rowid = items.id. Contentless: the journal holds the text. 'dates' holds the day and month in words.
CREATE VIRTUAL TABLE items_fts USING fts5 (
  text, dates,
  content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);

-- One row per embedded unit. 'item' is the text alone, 'context' the text behind its predecessor.
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  unit TEXT NOT NULL CHECK (unit IN ('item', 'context', 'arc', 'session')),
  model TEXT NOT NULL,
  -- 384 little-endian float32, unit length.
  embedding BLOB NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]',
  UNIQUE (item_id, unit)
) STRICT;

-- vector_id = vectors.id. Signs only: the candidates, rescored exactly from 'vectors'.
CREATE VIRTUAL TABLE vectors_bit USING vec0 (vector_id INTEGER PRIMARY KEY, code bit[384]);

-- What still waits for its vector; a row is deleted in the transaction that writes the vector.
CREATE TABLE embed_queue (
  item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE
) STRICT;
`),
}
