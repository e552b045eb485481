import { type Migration, script } from './migration'

export const curator: Migration = {
  version: 3,
  name: 'curator',
  up: script(`
CREATE TABLE arcs (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  project TEXT,
  goal_handle TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  items INTEGER NOT NULL,
  by_kind TEXT NOT NULL DEFAULT '{}',
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX arcs_started ON arcs (started_at);
CREATE INDEX arcs_project ON arcs (project, started_at);
CREATE INDEX arcs_session ON arcs (session_id);

-- Items that stand in no arc yet, so that a growing session costs what is new in it and no more.
CREATE INDEX items_without_arc ON items (session_id, position) WHERE arc_id IS NULL;
-- Sessions in which an item moved, changed what its arc is made from, or went away: their arcs are made anew at the
-- next update.
CREATE TABLE arcs_stale (session_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER items_rearc AFTER UPDATE OF goal_handle, position, session_id, kind, ts, project, labels ON items WHEN OLD.goal_handle IS NOT NEW.goal_handle OR OLD.position <> NEW.position OR OLD.session_id <> NEW.session_id OR OLD.kind <> NEW.kind OR OLD.ts <> NEW.ts OR OLD.project IS NOT NEW.project OR OLD.labels <> NEW.labels BEGIN INSERT OR IGNORE INTO arcs_stale VALUES (OLD.session_id); INSERT OR IGNORE INTO arcs_stale VALUES (NEW.session_id); END;

-- subject: an item's handle or an arc's id. L0 is the journal itself and has no row here.
CREATE TABLE rungs (
  subject TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('L1', 'L2', 'L3')),
  text TEXT NOT NULL,
  method TEXT NOT NULL,
  model TEXT,
  version INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (subject, level)
) STRICT, WITHOUT ROWID;

-- What still waits for its rungs; a row is deleted in the transaction that writes them.
CREATE TABLE curate_queue (subject TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- What was made from an item is gone as soon as the item says something else (it may have been masked), and is
-- made again; the same for the arc it stands in.
CREATE TRIGGER items_changed AFTER UPDATE OF text, text_z, data, kind, labels ON items WHEN OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.data <> NEW.data OR OLD.kind <> NEW.kind OR OLD.labels <> NEW.labels BEGIN DELETE FROM rungs WHERE subject IN (NEW.handle, NEW.arc_id); INSERT OR IGNORE INTO curate_queue VALUES (NEW.handle); INSERT OR IGNORE INTO curate_queue SELECT NEW.arc_id WHERE NEW.arc_id IS NOT NULL; END;

-- What was made from an item or an arc goes with it.
CREATE TRIGGER items_gone AFTER DELETE ON items BEGIN DELETE FROM rungs WHERE subject = OLD.handle; DELETE FROM curate_queue WHERE subject = OLD.handle; INSERT OR IGNORE INTO arcs_stale VALUES (OLD.session_id); END;
CREATE TRIGGER arcs_gone AFTER DELETE ON arcs BEGIN DELETE FROM rungs WHERE subject = OLD.id; DELETE FROM curate_queue WHERE subject = OLD.id; END;
`),
}
