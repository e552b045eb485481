import type { ReadDb } from './db'

// The graph of what is named together, as attention walks it.

/** What ties: not a version, a command or a tool, which half the items of a project share. */
const TYING = "('path', 'symbol', 'package', 'issue', 'error', 'url')"

/** What of memory may be looked at: nothing younger than a moment, and none of these items. */
export interface Seen {
  before: number
  except: readonly string[]
}

/** Entities of these names within a project, or the same everywhere. */
export function entitiesNamed(
  db: ReadDb,
  names: readonly { kind: string; name: string }[],
  project: string | null,
): number[] {
  return db
    .all<{ id: number }>(
      `SELECT e.id FROM json_each(?) AS wanted
       JOIN entities AS e ON e.kind = wanted.value ->> '$.kind' AND e.name = wanted.value ->> '$.name'
       WHERE e.kind IN ${TYING} AND (e.project = '' OR ? IS NULL OR e.project = ?) ORDER BY e.id`,
      [JSON.stringify(names), project, project],
    )
    .map(({ id }) => id)
}

export interface NamedTogether {
  id: number
  /** In how many of the entity's newest items it stands too, and in how many of them the entity stands. */
  together: number
  items: number
  /** In how many items it stands at all, counted up to a cap. */
  often: number
}

const SAMPLE = 40
const OFTEN = 30

/** What stands beside an entity in its newest items, the most often together first. */
export function namedTogether(db: ReadDb, entity: number, seen: Seen, limit: number): NamedTogether[] {
  return db.all<NamedTogether>(
    `WITH own AS MATERIALIZED (
       SELECT n.item_id FROM item_entities AS n JOIN items AS i ON i.id = n.item_id
       WHERE n.entity_id = :entity AND i.ts <= :before AND i.handle NOT IN (SELECT value FROM json_each(:except))
       ORDER BY n.item_id DESC LIMIT ${SAMPLE}),
     beside AS (
       SELECT n.entity_id AS id, count(*) AS together FROM own JOIN item_entities AS n ON n.item_id = own.item_id
       JOIN entities AS e ON e.id = n.entity_id
       WHERE n.entity_id <> :entity AND n.weight >= 0.6 AND e.kind IN ${TYING}
       GROUP BY n.entity_id ORDER BY together DESC, id LIMIT :limit)
     SELECT id, together, (SELECT count(*) FROM own) AS items,
       (SELECT count(*) FROM (SELECT 1 FROM item_entities AS n JOIN items AS i ON i.id = n.item_id
          WHERE n.entity_id = beside.id AND i.ts <= :before
            AND i.handle NOT IN (SELECT value FROM json_each(:except)) LIMIT ${OFTEN})) AS often
     FROM beside ORDER BY together DESC, id`,
    { entity, before: seen.before, except: JSON.stringify(seen.except), limit },
  )
}

/** What these items name themselves, not only in an output. */
export function namedIn(db: ReadDb, handles: readonly string[]): { handle: string; entity: number }[] {
  return db.all(
    `SELECT i.handle, n.entity_id AS entity FROM json_each(?) AS wanted JOIN items AS i ON i.handle = wanted.value
     JOIN item_entities AS n ON n.item_id = i.id JOIN entities AS e ON e.id = n.entity_id
     WHERE n.weight >= 0.6 AND e.kind IN ${TYING} ORDER BY i.handle, n.entity_id`,
    [JSON.stringify(handles)],
  )
}
