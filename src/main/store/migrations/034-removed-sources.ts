import { type Migration, script } from './migration'

// Since when a source is not where it was, and which sources were removed with what they brought kept: that can still be
// forgotten later.
export const removedSources: Migration = {
  version: 34,
  name: 'removed-sources',
  up: script(`
    ALTER TABLE sources ADD COLUMN away_since INTEGER;
    CREATE TABLE removed_sources (
      id TEXT PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('folder', 'file', 'stream')),
      format TEXT,
      project TEXT,
      enrolled_at INTEGER NOT NULL,
      removed_at INTEGER NOT NULL
    ) STRICT;
  `),
}
