import { type Migration, script } from './migration'

export const recall: Migration = {
  version: 10,
  name: 'recall',
  up: script(`
-- Planes a person wrote, as JSON; one named as a shipped plane stands in its place.
CREATE TABLE planes (
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT;

-- What a person said of an item in a frame. A row is never changed: undoing marks it.
-- goal: what the frame was rendered for; the verdict counts most for goals like it.
CREATE TABLE feedback (
  id INTEGER PRIMARY KEY,
  handle TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('useful', 'wrong', 'pin', 'never')),
  receipt_id TEXT,
  goal TEXT NOT NULL DEFAULT '',
  given_at INTEGER NOT NULL,
  undone_at INTEGER,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX feedback_handle ON feedback (handle);
CREATE INDEX feedback_standing ON feedback (verdict, handle) WHERE undone_at IS NULL;
CREATE TRIGGER feedback_gone AFTER DELETE ON items BEGIN DELETE FROM feedback WHERE handle = OLD.handle; END;
`),
}
