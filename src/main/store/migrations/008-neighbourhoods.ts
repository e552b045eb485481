import { type Migration, script } from './migration'

// Which items say the same, and which belong together. All of it is derived and can be made again from the journal.
export const neighbourhoods: Migration = {
  version: 8,
  name: 'neighbourhoods',
  up: script(`
-- Bands of MinHash signatures: items that share one may be alike. Band 0 of a text is the hash of the whole of it.
CREATE TABLE text_bands (
  band INTEGER NOT NULL,
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  PRIMARY KEY (band, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_bands_item ON text_bands (item_id);

-- An item that repeats an earlier one, linked to the first that said it. Holds no text: the two items are its
-- provenance, and it goes with either. echo: the item gives back what a receipt's frame had put before the agent:
-- first_id is then the item the frame had it from, receipt_id the frame's.
CREATE TABLE duplicates (
  item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
  first_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('exact', 'near', 'paraphrase', 'echo')),
  similarity REAL NOT NULL CHECK (similarity BETWEEN 0 AND 1),
  receipt_id TEXT REFERENCES receipts (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX duplicates_first ON duplicates (first_id);

-- Items whose neighbours by meaning have not been looked for since they were embedded.
CREATE TABLE neighbour_queue (item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE) STRICT;
CREATE TRIGGER vectors_neighbours AFTER INSERT ON vectors WHEN NEW.unit = 'item' BEGIN INSERT OR IGNORE INTO neighbour_queue VALUES (NEW.item_id); END;
INSERT INTO neighbour_queue SELECT item_id FROM vectors WHERE unit = 'item';
`),
}
