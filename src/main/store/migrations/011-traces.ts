import { type Migration, script } from './migration'

// What attention decided and why, and what each faculty still has to attend to.
export const traces: Migration = {
  version: 11,
  name: 'traces',
  up: script(`
CREATE TABLE traces (
  id TEXT PRIMARY KEY,
  -- Whose attention: an id made from the parent's.
  faculty TEXT NOT NULL,
  receipt_id TEXT REFERENCES receipts (id) ON DELETE CASCADE,
  gate_id TEXT REFERENCES gates (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  goal TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('fixed', 'adaptive')),
  zone TEXT NOT NULL CHECK (zone IN ('green', 'amber', 'red')),
  budget INTEGER NOT NULL,
  spent INTEGER NOT NULL,
  bids INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- The trace as JSON: one row per bid. Titles and terms, never the texts themselves.
  body TEXT NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX traces_created ON traces (created_at);
CREATE INDEX traces_receipt ON traces (receipt_id);
CREATE INDEX traces_gate ON traces (gate_id);

-- A faculty is born with its parent and closed with it; what it has pending goes with it.
CREATE TABLE faculties (
  id TEXT PRIMARY KEY,
  parent TEXT NOT NULL,
  born_at INTEGER NOT NULL,
  -- Its zone, as JSON.
  arousal TEXT NOT NULL
) STRICT;

-- What happened since its last turn. taken_at: when a turn took it; the row stays, so that the same signal told twice
-- counts once.
CREATE TABLE faculty_signals (
  faculty TEXT NOT NULL REFERENCES faculties (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  handle TEXT,
  taken_at INTEGER,
  PRIMARY KEY (faculty, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX faculty_signals_pending ON faculty_signals (faculty, at) WHERE taken_at IS NULL;
`),
}
