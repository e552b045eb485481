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

-- The few items each one is most related to; item_id is the one that was looked at later. weight: 0 to 3.
CREATE TABLE item_links (
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  other_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  weight REAL NOT NULL,
  PRIMARY KEY (item_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_links_other ON item_links (other_id);

-- A neighbourhood of related items within one project. What is aggregated here is stale while 'changed' is 1.
CREATE TABLE cells (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  -- 1 when the person gave the name. named_items: how many items it had when it was named.
  named INTEGER NOT NULL DEFAULT 0,
  named_items INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  sessions INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL DEFAULT '[]',
  entities TEXT NOT NULL DEFAULT '[]',
  changed INTEGER NOT NULL DEFAULT 1,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX cells_project ON cells (project, items);
CREATE INDEX cells_changed ON cells (id) WHERE changed = 1;

CREATE TABLE cell_items (
  item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
  cell_id TEXT NOT NULL REFERENCES cells (id) ON DELETE CASCADE,
  -- How strongly it is tied to the others of the cell.
  weight REAL NOT NULL
) STRICT;
CREATE INDEX cell_items_cell ON cell_items (cell_id, item_id);

-- adjacent: another cell that links lead to. contains: an arc most of which lies in the cell. weight: a share, 0 to 1.
CREATE TABLE cell_edges (
  cell_id TEXT NOT NULL REFERENCES cells (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('contains', 'adjacent')),
  other TEXT NOT NULL,
  weight REAL NOT NULL,
  PRIMARY KEY (cell_id, kind, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX cell_edges_other ON cell_edges (other);

-- How much has joined since the cells of a project were last balanced.
CREATE TABLE cell_balance (project TEXT PRIMARY KEY, joined INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- A summary quotes its items: it goes as soon as one of them changes or leaves, and is made again.
CREATE TRIGGER cell_items_gone AFTER DELETE ON cell_items BEGIN DELETE FROM rungs WHERE subject = OLD.cell_id; UPDATE cells SET changed = 1, provenance = '[]', tags = '[]', entities = '[]' WHERE id = OLD.cell_id; END;
CREATE TRIGGER items_cell_changed AFTER UPDATE OF text, text_z, kind, labels ON items WHEN (OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.kind <> NEW.kind OR OLD.labels <> NEW.labels) AND EXISTS (SELECT 1 FROM cell_items WHERE item_id = NEW.id) BEGIN DELETE FROM rungs WHERE subject = (SELECT cell_id FROM cell_items WHERE item_id = NEW.id); UPDATE cells SET changed = 1, provenance = '[]', tags = '[]', entities = '[]' WHERE id = (SELECT cell_id FROM cell_items WHERE item_id = NEW.id); END;
CREATE TRIGGER cells_gone AFTER DELETE ON cells BEGIN DELETE FROM rungs WHERE subject = OLD.id; DELETE FROM cell_edges WHERE other = OLD.id; END;

-- Summaries over arcs that wait to be made again: ses_<session>, day_<local day>/<project>, prj_<project>; the project
-- '*' stands for all. They quote their arcs, so they go as soon as an item in them changes or is gone.
CREATE TABLE rollup_queue (subject TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER arcs_rollups AFTER DELETE ON arcs BEGIN INSERT OR IGNORE INTO rollup_queue VALUES ('ses_' || OLD.session_id), ('prj_' || coalesce(OLD.project, '')), ('day_' || date(OLD.started_at / 1000, 'unixepoch', 'localtime') || '/' || coalesce(OLD.project, '')), ('day_' || date(OLD.started_at / 1000, 'unixepoch', 'localtime') || '/*'); END;
CREATE TRIGGER items_rollups_changed AFTER UPDATE OF text, text_z, labels ON items WHEN OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.labels <> NEW.labels BEGIN DELETE FROM rungs WHERE subject IN ('ses_' || OLD.session_id, 'prj_' || coalesce(OLD.project, '')) OR subject IN (SELECT 'day_' || date(a.started_at / 1000, 'unixepoch', 'localtime') || p.tail FROM arcs AS a, (SELECT '/*' AS tail UNION ALL SELECT '/' || coalesce(OLD.project, '')) AS p WHERE a.id = OLD.arc_id); END;
CREATE TRIGGER items_rollups_gone AFTER DELETE ON items BEGIN DELETE FROM rungs WHERE subject IN ('ses_' || OLD.session_id, 'prj_' || coalesce(OLD.project, '')) OR subject IN (SELECT 'day_' || date(a.started_at / 1000, 'unixepoch', 'localtime') || p.tail FROM arcs AS a, (SELECT '/*' AS tail UNION ALL SELECT '/' || coalesce(OLD.project, '')) AS p WHERE a.id = OLD.arc_id); END;

INSERT INTO neighbour_queue SELECT item_id FROM vectors WHERE unit = 'item';
`),
}
