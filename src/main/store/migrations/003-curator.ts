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
`),
}
