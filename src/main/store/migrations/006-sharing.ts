import { type Migration, script } from './migration'

export const sharing: Migration = {
  version: 6,
  name: 'sharing',
  up: script(`
CREATE TABLE exports (
  id TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  ceiling TEXT NOT NULL,
  filter TEXT NOT NULL,
  items INTEGER NOT NULL,
  restricted INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`),
}
