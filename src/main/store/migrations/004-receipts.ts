import { type Migration, script } from './migration'

export const receipts: Migration = {
  version: 4,
  name: 'receipts',
  up: script(`
CREATE TABLE receipts (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('hydrate', 'search', 'nearest', 'prediction', 'last-try')),
  goal TEXT NOT NULL,
  plane TEXT NOT NULL,
  path TEXT NOT NULL,
  budget INTEGER NOT NULL,
  spent INTEGER NOT NULL,
  fact_count INTEGER NOT NULL,
  viewer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The whole receipt and the frame, as JSON.
  body TEXT NOT NULL,
  frame TEXT NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX receipts_created ON receipts (created_at);

-- Which items stood in which frame, at which rung.
CREATE TABLE receipt_facts (
  receipt_id TEXT NOT NULL REFERENCES receipts (id) ON DELETE CASCADE,
  handle TEXT NOT NULL,
  level TEXT NOT NULL,
  PRIMARY KEY (receipt_id, handle)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_facts_handle ON receipt_facts (handle);
`),
}
