import { type Migration, script } from './migration'

// How long each level of detail is kept. A level that was let go leaves a row, so that nothing makes it anew.
export const retention: Migration = {
  version: 19,
  name: 'retention',
  up: script(`
-- source: a source's id, or '' for all that have no rule of their own. days: null keeps it for ever.
CREATE TABLE retention_rules (
  source TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('L0', 'L1', 'L2')),
  days INTEGER CHECK (days BETWEEN 0 AND 36500),
  PRIMARY KEY (source, level)
) STRICT, WITHOUT ROWID;

-- Of an item whose L0 was let go, items.text holds its sentence (its skeleton when the sentence went too); chars is
-- still the length of what was said, and the pointer leads to it.
CREATE TABLE let_go (
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('L0', 'L1', 'L2')),
  at INTEGER NOT NULL,
  PRIMARY KEY (item_id, level)
) STRICT, WITHOUT ROWID;

-- Holds a row while a text is let go, within that transaction alone: what was made from the text stays then.
CREATE TABLE retention_now (one INTEGER PRIMARY KEY CHECK (one = 1)) STRICT;
DROP TRIGGER items_changed;
CREATE TRIGGER items_changed AFTER UPDATE OF text, text_z, data, kind, labels ON items WHEN (OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.data <> NEW.data OR OLD.kind <> NEW.kind OR OLD.labels <> NEW.labels) AND NOT EXISTS (SELECT 1 FROM retention_now) BEGIN DELETE FROM rungs WHERE subject IN (NEW.handle, NEW.arc_id); INSERT OR IGNORE INTO curate_queue VALUES (NEW.handle); INSERT OR IGNORE INTO curate_queue SELECT NEW.arc_id WHERE NEW.arc_id IS NOT NULL; END;
DROP TRIGGER items_facts_changed;
CREATE TRIGGER items_facts_changed AFTER UPDATE OF text, text_z, data, kind, labels ON items WHEN (OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.data <> NEW.data OR OLD.kind <> NEW.kind OR OLD.labels <> NEW.labels) AND NOT EXISTS (SELECT 1 FROM retention_now) BEGIN DELETE FROM facts WHERE item_id = NEW.id; DELETE FROM item_entities WHERE item_id = NEW.id; END;
DROP TRIGGER items_cell_changed;
CREATE TRIGGER items_cell_changed AFTER UPDATE OF text, text_z, kind, labels ON items WHEN ((OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.kind <> NEW.kind OR OLD.labels <> NEW.labels) AND EXISTS (SELECT 1 FROM cell_items WHERE item_id = NEW.id)) AND NOT EXISTS (SELECT 1 FROM retention_now) BEGIN DELETE FROM rungs WHERE subject = (SELECT cell_id FROM cell_items WHERE item_id = NEW.id); UPDATE cells SET changed = 1, provenance = '[]', tags = '[]', entities = '[]' WHERE id = (SELECT cell_id FROM cell_items WHERE item_id = NEW.id); END;
DROP TRIGGER items_rollups_changed;
CREATE TRIGGER items_rollups_changed AFTER UPDATE OF text, text_z, labels ON items WHEN (OLD.text IS NOT NEW.text OR OLD.text_z IS NOT NEW.text_z OR OLD.labels <> NEW.labels) AND NOT EXISTS (SELECT 1 FROM retention_now) BEGIN DELETE FROM rungs WHERE subject IN ('ses_' || OLD.session_id, 'prj_' || coalesce(OLD.project, '')) OR subject IN (SELECT 'day_' || date(a.started_at / 1000, 'unixepoch', 'localtime') || p.tail FROM arcs AS a, (SELECT '/*' AS tail UNION ALL SELECT '/' || coalesce(OLD.project, '')) AS p WHERE a.id = OLD.arc_id); END;
`),
}
