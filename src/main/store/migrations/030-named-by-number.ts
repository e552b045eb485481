import type { WriteDb } from '../db'
import { type Migration, script } from './migration'

// An item's session, its goal and its arc were written out in its row and again in an index of each: for a short text
// more than the text itself. They go by number now, in item_rows; items is a view that tells them as before.

const names = script(`
-- Ids of sessions and arcs and handles of goals that items name, also such as are not (or no longer) in the journal.
CREATE TABLE names (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO names (name) SELECT DISTINCT session_id FROM old_items;
INSERT OR IGNORE INTO names (name) SELECT DISTINCT goal_handle FROM old_items;
INSERT OR IGNORE INTO names (name) SELECT DISTINCT arc_id FROM old_items;
`)

const table = script(`
CREATE TABLE item_rows (
  id INTEGER PRIMARY KEY,
  handle TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN
    ('goal', 'conclusion', 'file_op', 'command', 'error', 'plan', 'decision', 'note', 'image')),
  -- session, goal, arc: numbers of names.
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,
  ts INTEGER NOT NULL,
  role TEXT,
  tool TEXT,
  project TEXT,
  goal INTEGER,
  arc INTEGER,
  -- Exactly one of the two: text when short, text_z (deflate-raw of UTF-8) when that is smaller.
  text TEXT,
  text_z BLOB,
  chars INTEGER NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  importance REAL NOT NULL DEFAULT 0.5,
  -- 0: kept and addressable, but only its skeleton is in the index (over the session's budget).
  indexed INTEGER NOT NULL DEFAULT 1,
  file_id INTEGER REFERENCES files (id) ON DELETE SET NULL,
  -- '' while the file's row says it.
  file_path TEXT NOT NULL DEFAULT '',
  -- A record's id: its 16 bytes where it is a UUID in lower case, else as it was written.
  record_uuid BLOB,
  record_id TEXT,
  line INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  -- The first 16 bytes of the record's sha256; of any other length it is what was written, as UTF-8.
  record_hash BLOB NOT NULL,
  labels TEXT NOT NULL DEFAULT '[]',
  -- How much its sighting knew: 2 when no later record can complete it, plus 1 when the goal was known. Of two
  -- sightings the one that knew more is kept.
  known INTEGER NOT NULL DEFAULT 3,
  -- 1 when its file was rewritten or is gone: the next sighting takes its place.
  stale INTEGER NOT NULL DEFAULT 0,
  masked INTEGER NOT NULL DEFAULT 0,
  -- 1 when the person went back behind it and on another way.
  rewound INTEGER NOT NULL DEFAULT 0,
  -- Its own old project, where that project goes by another name now.
  project_given TEXT
) STRICT;
`)

const numberOf = (name: string): string => `(SELECT n FROM names WHERE name = ${name})`
const isUuid = (id: string): string =>
  `(${id} GLOB '????????-????-????-????-????????????' AND length(replace(${id}, '-', '')) = 32 AND ${id} NOT GLOB '*[^0-9a-f-]*')`
const uuid = (id: string): string => `CASE WHEN ${isUuid(id)} THEN unhex(replace(${id}, '-', '')) END`
const otherId = (id: string): string => `CASE WHEN NOT ${isUuid(id)} THEN ${id} END`
const hash = (hex: string): string =>
  `CASE WHEN length(${hex}) = 32 AND ${hex} NOT GLOB '*[^0-9a-f]*' THEN unhex(${hex}) ELSE CAST(${hex} AS BLOB) END`

const COLUMNS = `handle, kind, session, position, ts, role, tool, project, goal, arc, text, text_z, chars, data, importance,
  indexed, file_id, file_path, record_uuid, record_id, line, byte_offset, byte_length, record_hash, labels, known, stale,
  masked, rewound, project_given`

const copy = `INSERT INTO item_rows (id, ${COLUMNS})
  SELECT id, handle, kind, ${numberOf('session_id')}, position, ts, role, tool, project, ${numberOf('goal_handle')},
    ${numberOf('arc_id')}, text, text_z, chars, data, importance, indexed, file_id, file_path, ${uuid('record_id')},
    ${otherId('record_id')}, line, byte_offset, byte_length, ${hash('record_hash')}, labels, known, stale, masked, rewound,
    project_given
  FROM old_items ORDER BY id`

const indexes = script(`
CREATE INDEX items_session ON item_rows (session, position);
CREATE INDEX items_arc ON item_rows (arc, position);
CREATE INDEX items_ts ON item_rows (ts);
CREATE INDEX items_project ON item_rows (project, ts);
CREATE INDEX items_kind ON item_rows (kind, ts);
CREATE INDEX items_file ON item_rows (file_id);
CREATE INDEX items_without_arc ON item_rows (session, position) WHERE arc IS NULL;
CREATE INDEX items_goal ON item_rows (goal) WHERE goal IS NOT NULL;
CREATE INDEX items_rewound ON item_rows (session) WHERE rewound = 1;
CREATE INDEX items_given ON item_rows (project_given) WHERE project_given IS NOT NULL;
CREATE INDEX items_picture ON item_rows (json_extract(data, '$.sha256')) WHERE kind = 'image';
`)

const nameOf = (n: string): string => `(SELECT name FROM names WHERE n = ${n})`
const part = (from: number, length: number): string => `substr(lower(hex(r.record_uuid)), ${from}, ${length})`
const DASHED = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)].join(" || '-' || ")

/** Reads like the table it takes the place of; what looks for a session, goal or arc does so by number. */
const view = `CREATE VIEW items AS SELECT r.id, r.handle, r.kind, ${nameOf('r.session')} AS session_id, r.position, r.ts, r.role,
  r.tool, r.project, ${nameOf('r.goal')} AS goal_handle, ${nameOf('r.arc')} AS arc_id, r.text, r.text_z, r.chars, r.data,
  r.importance, r.indexed, r.file_id, r.file_path,
  CASE WHEN r.record_uuid IS NULL THEN r.record_id ELSE ${DASHED} END AS record_id, r.line, r.byte_offset, r.byte_length,
  CASE length(r.record_hash) WHEN 16 THEN lower(hex(r.record_hash)) ELSE CAST(r.record_hash AS TEXT) END AS record_hash,
  r.labels, r.known, r.stale, r.masked, r.rewound, r.project_given, r.session, r.goal, r.arc
  FROM item_rows AS r`

/** A whole item can be written through the view, by name; the number it got is found by its handle. */
const insert = `CREATE TRIGGER items_written INSTEAD OF INSERT ON items BEGIN
  INSERT OR IGNORE INTO names (name) VALUES (NEW.session_id), (NEW.goal_handle), (NEW.arc_id);
  INSERT INTO item_rows (id, ${COLUMNS})
    VALUES (NEW.id, NEW.handle, NEW.kind, ${numberOf('NEW.session_id')}, NEW.position, NEW.ts, NEW.role, NEW.tool, NEW.project,
      ${numberOf('NEW.goal_handle')}, ${numberOf('NEW.arc_id')}, NEW.text, NEW.text_z, NEW.chars, coalesce(NEW.data, '{}'),
      coalesce(NEW.importance, 0.5), coalesce(NEW.indexed, 1), NEW.file_id, coalesce(NEW.file_path, ''),
      ${uuid('NEW.record_id')}, ${otherId('NEW.record_id')}, NEW.line, NEW.byte_offset, NEW.byte_length,
      ${hash('NEW.record_hash')}, coalesce(NEW.labels, '[]'), coalesce(NEW.known, 3), coalesce(NEW.stale, 0),
      coalesce(NEW.masked, 0), coalesce(NEW.rewound, 0), NEW.project_given);
END`

/** What a trigger on items said of columns that go by number now. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/ ON items /, ' ON item_rows '],
  [/UPDATE OF goal_handle, position, session_id,/, 'UPDATE OF goal, position, session,'],
  [/OLD\.goal_handle IS NOT NEW\.goal_handle/g, 'OLD.goal IS NOT NEW.goal'],
  [/OLD\.session_id <> NEW\.session_id/g, 'OLD.session <> NEW.session'],
  [/NEW\.arc_id IS NOT NULL/g, 'NEW.arc IS NOT NULL'],
  [/\b(OLD|NEW)\.session_id\b/g, nameOf('$1.session')],
  [/\b(OLD|NEW)\.arc_id\b/g, nameOf('$1.arc')],
]

const more = [
  `CREATE TRIGGER files_left BEFORE DELETE ON files BEGIN UPDATE item_rows SET file_path = OLD.path WHERE file_id = OLD.id AND file_path = ''; END`,
  // In place of a foreign key.
  `CREATE TRIGGER sessions_left AFTER DELETE ON sessions BEGIN DELETE FROM item_rows WHERE session = ${numberOf('OLD.id')}; END`,
]

export const namedByNumber: Migration = {
  version: 30,
  name: 'named-by-number',
  compacts: true,
  rebuilds: true,
  up(db) {
    const triggers = db.all<{ name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'items' ORDER BY rowid`,
    )
    for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`)
    db.run('DROP TRIGGER files_left')
    moveRows(db)
    indexes(db)
    for (const statement of [view, insert, ...more]) db.run(statement)
    for (const { sql } of triggers) db.run(SAME.reduce((text, [from, to]) => text.replace(from, to), sql))
  },
}

/** What refers to items by a foreign key refers to item_rows afterwards, and to the same numbers. */
function moveRows(db: WriteDb): void {
  // This renaming changes the keys of other tables too; those that follow do not.
  db.run('ALTER TABLE items RENAME TO item_rows')
  db.run('PRAGMA legacy_alter_table = ON')
  try {
    db.run('ALTER TABLE item_rows RENAME TO old_items')
    names(db)
    table(db)
    db.run(copy)
    db.run('DROP TABLE old_items')
  } finally {
    db.run('PRAGMA legacy_alter_table = OFF')
  }
}
