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
-- AUTOINCREMENT: an id is never given to another vector.
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  unit TEXT NOT NULL CHECK (unit IN ('item', 'context', 'arc', 'session')),
  model TEXT NOT NULL,
  -- 384 little-endian float32, unit length.
  embedding BLOB NOT NULL CHECK (length(embedding) = 1536),
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]',
  UNIQUE (item_id, unit)
) STRICT;

-- The signs of a vector, 384 bits: the candidates, rescored exactly from 'vectors'. An ordinary narrow table that
-- is scanned with sqlite-vec's hamming distance, not a vec0 table: at 200 k codes and k = 400 the scan takes 17 ms
-- and vec0 84 (its cost grows with k), it takes filters, and it goes with its vector by a foreign key.
CREATE TABLE vector_codes (
  vector_id INTEGER PRIMARY KEY REFERENCES vectors (id) ON DELETE CASCADE,
  item_id INTEGER NOT NULL,
  unit TEXT NOT NULL,
  code BLOB NOT NULL CHECK (length(code) = 48)
) STRICT;

-- What still waits for its vectors; a row is deleted in the transaction that writes them.
-- priority: what people look for first; where it is not given the trigger takes it from the item's kind.
CREATE TABLE embed_queue (
  item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
  priority INTEGER NOT NULL DEFAULT 9
) STRICT;
CREATE INDEX embed_queue_priority ON embed_queue (priority, item_id);
CREATE TRIGGER embed_queue_kind AFTER INSERT ON embed_queue WHEN NEW.priority = 9 BEGIN UPDATE embed_queue SET priority = coalesce((SELECT CASE kind WHEN 'goal' THEN 0 WHEN 'conclusion' THEN 1 WHEN 'plan' THEN 1 WHEN 'decision' THEN 1 WHEN 'error' THEN 2 WHEN 'note' THEN 3 WHEN 'image' THEN 4 WHEN 'command' THEN 5 ELSE 6 END FROM items WHERE id = NEW.item_id), 9) WHERE item_id = NEW.item_id; END;
`),
}
