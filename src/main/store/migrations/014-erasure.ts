import { type Migration, script } from './migration'

export const erasure: Migration = {
  version: 14,
  name: 'erasure',
  up: script(`
-- What was erased, and how far it has come. The row stays as the audit: numbers and times, nothing of what was erased.
CREATE TABLE erasures (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('source')),
  -- The random id of what is erased.
  subject TEXT NOT NULL,
  stage TEXT NOT NULL CHECK (stage IN ('asked', 'marked', 'removed', 'done')),
  counts TEXT NOT NULL DEFAULT '{}',
  asked_at INTEGER NOT NULL,
  done_at INTEGER
) STRICT;
CREATE INDEX erasures_open ON erasures (asked_at) WHERE stage <> 'done';

-- Tombstones: items that are to go. Each goes in the transaction that takes its item away.
CREATE TABLE erasing_items (
  handle TEXT PRIMARY KEY,
  erasure_id TEXT NOT NULL REFERENCES erasures (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX erasing_items_erasure ON erasing_items (erasure_id);
`),
}
