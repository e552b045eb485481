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
INSERT INTO goal_link_queue SELECT v.id FROM vectors v JOIN items i ON i.id = v.item_id WHERE v.unit = 'item' AND i.kind = 'goal';
`),
}
