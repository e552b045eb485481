import { type Migration, script } from './migration'

// What recall asks before each frame and would have to count, and what a thread that keeps codes in memory must hear.
export const recallSpeed: Migration = {
  version: 15,
  name: 'recall-speed',
  up: script(`
-- How many rows there are: counting a million takes longer than finding the best of them. Items are counted up to an id,
-- by whoever writes many; those above it are few. Not by a trigger on each insert: with one, SQLite keeps a copy of every
-- page an insert touches, and reading transcripts takes a third longer.
CREATE TABLE tallies (name TEXT PRIMARY KEY, n INTEGER NOT NULL, upto INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO tallies VALUES ('items', (SELECT count(*) FROM items), (SELECT coalesce(max(id), 0) FROM items)), ('vectors', (SELECT count(*) FROM vectors), 0);
-- An id at the end is given again after its row is gone.
CREATE TRIGGER items_counted_out AFTER DELETE ON items WHEN OLD.id <= (SELECT upto FROM tallies WHERE name = 'items') BEGIN UPDATE tallies SET n = n - 1, upto = min(upto, (SELECT coalesce(max(id), 0) FROM items)) WHERE name = 'items'; END;
CREATE TRIGGER vectors_counted_in AFTER INSERT ON vectors BEGIN UPDATE tallies SET n = n + 1 WHERE name = 'vectors'; END;
CREATE TRIGGER vectors_counted_out AFTER DELETE ON vectors BEGIN UPDATE tallies SET n = n - 1 WHERE name = 'vectors'; END;

-- What a copy of the codes in memory cannot see by looking for higher numbers: codes that are gone, and items whose
-- project, kind or time changed or that are gone. Holds numbers only; the newest rows stay, and who missed more than
-- these reads everything anew.
CREATE TABLE recall_changes (seq INTEGER PRIMARY KEY, vector_id INTEGER, item_id INTEGER) STRICT;
CREATE TRIGGER vector_codes_gone AFTER DELETE ON vector_codes BEGIN INSERT INTO recall_changes (vector_id) VALUES (OLD.vector_id); DELETE FROM recall_changes WHERE seq <= (SELECT max(seq) FROM recall_changes) - 20000; END;
CREATE TRIGGER items_moved AFTER UPDATE OF project, kind, ts ON items WHEN OLD.project IS NOT NEW.project OR OLD.kind <> NEW.kind OR OLD.ts <> NEW.ts BEGIN INSERT INTO recall_changes (item_id) VALUES (NEW.id); DELETE FROM recall_changes WHERE seq <= (SELECT max(seq) FROM recall_changes) - 20000; END;
CREATE TRIGGER items_left AFTER DELETE ON items BEGIN INSERT INTO recall_changes (item_id) VALUES (OLD.id); DELETE FROM recall_changes WHERE seq <= (SELECT max(seq) FROM recall_changes) - 20000; END;
`),
}
