import { type Migration, script } from './migration'

// What a language model is asked to summarise, what came of it and what it cost. None of these rows holds text of a
// transcript; what a model wrote stands in rungs.
export const modelWork: Migration = {
  version: 16,
  name: 'model-work',
  up: script(`
-- Every call, as a ledger: reserved when it begins, settled when it ends. One that never ended was cut off with its
-- process, and counts as if it had taken what was reserved.
CREATE TABLE model_calls (
  id INTEGER PRIMARY KEY,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  subjects INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  prompt_tokens INTEGER NOT NULL,
  answer_tokens INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  ms INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT 'open' CHECK (outcome IN ('open', 'answered', 'failed', 'interrupted')),
  -- The kind of failure.
  reason TEXT
) STRICT;
CREATE INDEX model_calls_started ON model_calls (started_at);
CREATE INDEX model_calls_open ON model_calls (id) WHERE outcome = 'open';

-- What waits: an item's handle, an arc's or a cell's id, a rollup's subject. tier: who goes first, the lowest.
-- tries: calls that failed or were cut off; after the first a subject is asked about alone.
CREATE TABLE model_queue (
  subject TEXT PRIMARY KEY,
  tier INTEGER NOT NULL,
  newest_at INTEGER NOT NULL,
  ready_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  call_id INTEGER REFERENCES model_calls (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX model_queue_next ON model_queue (tier, newest_at DESC, subject);
CREATE INDEX model_queue_call ON model_queue (call_id) WHERE call_id IS NOT NULL;

-- What was asked about, so that the same is not paid for again. basis: a hash of what was read. made: it has rungs by
-- the model; kept: it keeps those made by rules, for the reason given.
CREATE TABLE model_done (
  subject TEXT PRIMARY KEY,
  basis TEXT NOT NULL,
  -- How large it was, as arcs are compared: items in it.
  size INTEGER NOT NULL,
  model TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('made', 'kept')),
  reason TEXT,
  call_id INTEGER REFERENCES model_calls (id) ON DELETE SET NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX model_done_call ON model_done (call_id);

-- How a model counts: its tokens for one of ours, over so many answers.
CREATE TABLE language_models (model TEXT PRIMARY KEY, token_ratio REAL NOT NULL, token_seen INTEGER NOT NULL) STRICT;

CREATE TRIGGER items_model_gone AFTER DELETE ON items BEGIN DELETE FROM model_queue WHERE subject = OLD.handle; DELETE FROM model_done WHERE subject = OLD.handle; END;
CREATE TRIGGER arcs_model_gone AFTER DELETE ON arcs BEGIN DELETE FROM model_queue WHERE subject = OLD.id; DELETE FROM model_done WHERE subject = OLD.id; END;
CREATE TRIGGER cells_model_gone AFTER DELETE ON cells BEGIN DELETE FROM model_queue WHERE subject = OLD.id; DELETE FROM model_done WHERE subject = OLD.id; END;
`),
}
