import { type Migration, script } from './migration'

export const journalLinks: Migration = {
  version: 9,
  name: 'journal-links',
  up: script(`
-- Goals of different sessions that say the same. 'handle' was linked later than 'same_as'; the threshold is in the code.
CREATE TABLE goal_links (
  handle TEXT NOT NULL,
  same_as TEXT NOT NULL,
  similarity REAL NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (handle, same_as)
) STRICT, WITHOUT ROWID;
CREATE INDEX goal_links_same ON goal_links (same_as);

-- Goals that were compared with all the others; a new one is compared with these.
CREATE TABLE goals_linked (
  vector_id INTEGER PRIMARY KEY REFERENCES vectors (id) ON DELETE CASCADE,
  handle TEXT NOT NULL,
  session_id TEXT NOT NULL,
  code BLOB NOT NULL
) STRICT;
CREATE TABLE goal_link_queue (vector_id INTEGER PRIMARY KEY REFERENCES vectors (id) ON DELETE CASCADE) STRICT;
CREATE TRIGGER vectors_goal AFTER INSERT ON vectors WHEN NEW.unit = 'item' BEGIN INSERT OR IGNORE INTO goal_link_queue SELECT NEW.id FROM items WHERE id = NEW.item_id AND kind = 'goal'; END;
-- A link goes with either of its goals, and with the vector it was measured by.
CREATE TRIGGER goals_unlinked AFTER DELETE ON goals_linked BEGIN DELETE FROM goal_links WHERE handle = OLD.handle OR same_as = OLD.handle; END;
-- Which call started a sub-agent's session; its goal is the call's.
CREATE TABLE session_calls (
  session_id TEXT NOT NULL,
  call_handle TEXT NOT NULL,
  PRIMARY KEY (session_id, call_handle)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_calls_call ON session_calls (call_handle);

-- A person went back in a session and on from there: what lies between the two turns is kept, and is off the branch.
CREATE TABLE rewinds (
  session_id TEXT NOT NULL,
  from_handle TEXT NOT NULL,
  to_handle TEXT NOT NULL,
  file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  PRIMARY KEY (session_id, from_handle, to_handle, file_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rewinds_file ON rewinds (file_id);
ALTER TABLE items ADD COLUMN rewound INTEGER NOT NULL DEFAULT 0;
CREATE INDEX items_rewound ON items (session_id) WHERE rewound = 1;
-- A project under an old name; project_given is an item's own old name, where its session has another.
CREATE TABLE project_aliases (
  alias TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  merged_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE items ADD COLUMN project_given TEXT;
CREATE INDEX items_given ON items (project_given) WHERE project_given IS NOT NULL;
-- Small pictures, by the hash of the picture they were made from; a JPEG of at most 96 pixels a side.
CREATE TABLE thumbnails (
  sha256 TEXT PRIMARY KEY,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  jpeg BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX items_picture ON items (json_extract(data, '$.sha256')) WHERE kind = 'image';
CREATE TRIGGER items_picture_gone AFTER DELETE ON items WHEN OLD.kind = 'image' BEGIN DELETE FROM thumbnails WHERE sha256 = json_extract(OLD.data, '$.sha256') AND NOT EXISTS (SELECT 1 FROM items WHERE kind = 'image' AND json_extract(data, '$.sha256') = thumbnails.sha256); END;
CREATE TRIGGER items_rewind AFTER UPDATE OF rewound ON items WHEN OLD.rewound <> NEW.rewound BEGIN INSERT OR IGNORE INTO arcs_stale VALUES (NEW.session_id); END;
INSERT INTO goal_link_queue SELECT v.id FROM vectors v JOIN items i ON i.id = v.item_id WHERE v.unit = 'item' AND i.kind = 'goal';
`),
}
