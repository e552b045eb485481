import { type Migration, script } from './migration'

// What items name and say. All of it is derived from the items, carries its version in meta (with the rungs) and is
// made anew by the curator, except what agents assert, which stands in a table of its own.
export const facts: Migration = {
  version: 7,
  name: 'facts',
  up: script(`
-- One row per thing that has a name. project is '' for what is the same everywhere (packages, URLs, models).
-- A row has no provenance of its own: item_entities says who names it, and it goes with the last one that does.
CREATE TABLE entities (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('path', 'symbol', 'command', 'package', 'url', 'issue', 'error', 'version',
    'person', 'model', 'tool')),
  name TEXT NOT NULL,
  project TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, name, project)
) STRICT;
CREATE INDEX entities_name ON entities (name);

-- weight: 1 what the item acted on, 0.6 named in words, 0.3 in an output or in code.
CREATE TABLE item_entities (
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  weight REAL NOT NULL,
  PRIMARY KEY (item_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_entities_entity ON item_entities (entity_id, item_id);

-- A name nobody names any more is forgotten with the last item that did.
CREATE TRIGGER item_entities_gone AFTER DELETE ON item_entities BEGIN DELETE FROM entities WHERE id = OLD.entity_id AND NOT EXISTS (SELECT 1 FROM item_entities WHERE entity_id = OLD.entity_id); END;

CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  handle TEXT NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]',
  method TEXT NOT NULL,
  UNIQUE (item_id, predicate, subject, object)
) STRICT;
CREATE INDEX facts_subject ON facts (subject, predicate);
CREATE INDEX facts_object ON facts (object, predicate);
CREATE INDEX facts_predicate ON facts (predicate);

-- What was made from an item's text is gone as soon as it says something else; the item is already queued anew.
CREATE TRIGGER items_facts_changed AFTER UPDATE OF text, text_z, data, kind, labels ON items WHEN OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.data <> NEW.data OR OLD.kind <> NEW.kind OR OLD.labels <> NEW.labels BEGIN DELETE FROM facts WHERE item_id = NEW.id; DELETE FROM item_entities WHERE item_id = NEW.id; END;

-- Questions ask from a goal for its items and arcs.
CREATE INDEX items_goal ON items (goal_handle) WHERE goal_handle IS NOT NULL;
CREATE INDEX arcs_goal ON arcs (goal_handle) WHERE goal_handle IS NOT NULL;

-- What agents assert, apart from what the journal says. handle: the item it rests on, if it names one; then it goes
-- with that item.
CREATE TABLE agent_facts (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fact', 'constraint', 'checkpoint')),
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  project TEXT,
  handle TEXT,
  asserted_at INTEGER NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]',
  UNIQUE (agent, subject, predicate, object)
) STRICT;
CREATE INDEX agent_facts_handle ON agent_facts (handle);
CREATE INDEX agent_facts_subject ON agent_facts (subject);
CREATE INDEX agent_facts_time ON agent_facts (asserted_at);
CREATE TRIGGER agent_facts_source_gone AFTER DELETE ON items BEGIN DELETE FROM agent_facts WHERE handle = OLD.handle; END;
`),
}
