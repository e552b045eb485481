import { type Migration, script } from './migration'

// Every derived row carries provenance (the handles it was made from) and labels (their union) as JSON arrays.
export const journal: Migration = {
  version: 1,
  name: 'journal',
  up: script(`
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE sources (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('folder', 'file', 'stream')),
  format TEXT,
  project TEXT,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused')),
  enrolled_at INTEGER NOT NULL,
  last_scan_at INTEGER,
  last_error TEXT
) STRICT;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  path TEXT NOT NULL UNIQUE,
  format TEXT,
  status TEXT NOT NULL DEFAULT 'ok' CHECK (status IN ('ok', 'unreadable', 'gone')),
  reason TEXT,
  dev TEXT, inode TEXT,
  size INTEGER NOT NULL DEFAULT 0,
  mtime_ms INTEGER NOT NULL DEFAULT 0,
  offset INTEGER NOT NULL DEFAULT 0,
  line INTEGER NOT NULL DEFAULT 0,
  head_hash TEXT, tail_hash TEXT,
  tail_offset INTEGER NOT NULL DEFAULT 0,
  -- Raised when the file is read anew from its start; with offset it is the watermark two writers compare.
  generation INTEGER NOT NULL DEFAULT 0,
  -- The reader's memory between chunks: ids, handles and places only, never text.
  state TEXT NOT NULL DEFAULT '{}',
  read INTEGER NOT NULL DEFAULT 0,
  used INTEGER NOT NULL DEFAULT 0,
  attached INTEGER NOT NULL DEFAULT 0,
  dropped TEXT NOT NULL DEFAULT '{}',
  duplicates INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  masked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX files_source ON files (source_id);

CREATE TABLE file_errors (
  file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (file_id, line, byte_offset, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  native_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  project TEXT,
  cwd TEXT,
  git_branch TEXT,
  title TEXT,
  parent_id TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_project ON sessions (project, started_at);
CREATE INDEX sessions_parent ON sessions (parent_id);

CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  handle TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN
    ('goal', 'conclusion', 'file_op', 'command', 'error', 'plan', 'decision', 'note', 'image')),
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  role TEXT,
  tool TEXT,
  project TEXT,
  goal_handle TEXT,
  arc_id TEXT,
  -- Exactly one of the two: text when short, text_z (deflate-raw of UTF-8) when that is smaller.
  text TEXT,
  text_z BLOB,
  chars INTEGER NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  importance REAL NOT NULL DEFAULT 0.5,
  -- 0: kept and addressable, but only its skeleton is in the index (over the session's budget).
  indexed INTEGER NOT NULL DEFAULT 1,
  file_id INTEGER REFERENCES files (id) ON DELETE SET NULL,
  file_path TEXT NOT NULL,
  record_id TEXT,
  line INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  record_hash TEXT NOT NULL,
  labels TEXT NOT NULL DEFAULT '[]',
  -- How much its sighting knew: 2 when no later record can complete it, plus 1 when the goal was known. Of two
  -- sightings the one that knew more is kept.
  known INTEGER NOT NULL DEFAULT 3,
  -- 1 when its file was rewritten or is gone: the next sighting takes its place.
  stale INTEGER NOT NULL DEFAULT 0,
  masked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX items_session ON items (session_id, position);
CREATE INDEX items_arc ON items (arc_id, position);
CREATE INDEX items_ts ON items (ts);
CREATE INDEX items_project ON items (project, ts);
CREATE INDEX items_kind ON items (kind, ts);
CREATE INDEX items_file ON items (file_id);

-- A record that several sessions hold (forks, resumes) is one item, attached to each.
CREATE TABLE item_sessions (
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  PRIMARY KEY (item_id, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_sessions_session ON item_sessions (session_id);

-- Two renderings of one session: an item that the original tells too has no row of its own, only a second handle.
CREATE TABLE item_aliases (
  handle TEXT PRIMARY KEY,
  target TEXT NOT NULL REFERENCES items (handle) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX item_aliases_target ON item_aliases (target);

-- What one file says about one session; the session's row is the sum of these, in whatever order files were read.
CREATE TABLE file_sessions (
  file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  first_ts INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  project TEXT, cwd TEXT, git_branch TEXT, title TEXT, parent_id TEXT,
  PRIMARY KEY (file_id, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_sessions_session ON file_sessions (session_id);

-- Sessions whose derived values (inherited goal, order over files, item budget) must be worked out again.
CREATE TABLE settle_queue (session_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`),
}
