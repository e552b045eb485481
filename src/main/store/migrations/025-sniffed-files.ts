import { type Migration, script } from './migration'

// With which set of formats a file was looked at that none but the plain lines took for its own: a newer set looks
// once more.
export const sniffedFiles: Migration = {
  version: 25,
  name: 'sniffed-files',
  up: script('ALTER TABLE files ADD COLUMN sniffed INTEGER NOT NULL DEFAULT 0;'),
}
