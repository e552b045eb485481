import type { ReadDb, SqlValue } from './db'
import { numberOf } from './item-names'
import { unpackText } from './item-text'

// The journal as relations that a logic program can ask: each is one query, filtered by the arguments that are bound
// and read in pages by a key, so that nothing is ever copied whole. A further relation is one more entry here.

interface RelationSql {
  /** The columns, in the order of the arguments. */
  columns: readonly string[]
  from: string
  where?: string
  /** What rows are ordered by and a page starts behind; one column or two. */
  key: readonly [string] | readonly [string, string]
  /** The column that is a text held in `text` or `text_z`, cut to `TEXT` characters; it is never a filter. */
  text?: { at: number; text: string; packed: string }
  /** Columns that may be missing: `null` stands for that. */
  nullable?: readonly number[]
  /** Columns that are names, with those that hold their numbers: a bound one is looked for by number. */
  numbers?: Readonly<Record<number, string>>
}

/** Characters of one text that are handed over; the rest is in the journal. */
const TEXT = 20_000

const own = (table: string): readonly [string] => [`${table}.rowid`]

export const relations = {
  item: {
    columns: ['handle', 'kind', 'session_id', 'project', 'ts'],
    from: 'items',
    key: ['items.id'],
    numbers: { 2: 'session' },
    nullable: [3],
  },
  goal: {
    columns: ['handle', 'text', 'project'],
    from: 'items',
    where: "kind = 'goal'",
    key: ['items.id'],
    text: { at: 1, text: 'text', packed: 'text_z' },
    nullable: [2],
  },
  arc: {
    columns: ['id', 'goal_handle', 'session_id', 'started_at'],
    from: 'arcs',
    key: own('arcs'),
    nullable: [1],
  },
  session: {
    columns: ['id', 'agent', 'project', 'started_at'],
    from: 'sessions',
    key: own('sessions'),
    nullable: [2],
  },
  stored_rung: {
    columns: ['subject', 'level', 'text'],
    from: 'rungs',
    key: ['subject', 'level'],
  },
  // What stands in place of a text that was let go is its sentence: stored_rung tells it as such.
  verbatim: {
    columns: ['handle', 'text'],
    from: 'items',
    where: "NOT EXISTS (SELECT 1 FROM let_go WHERE item_id = items.id AND level = 'L0')",
    key: ['items.id'],
    text: { at: 1, text: 'text', packed: 'text_z' },
  },
  stored_fact: {
    columns: ['subject', 'predicate', 'object', 'handle'],
    from: 'facts',
    key: own('facts'),
  },
  entity: {
    columns: ['kind', 'name', "nullif(project, '')"],
    from: 'entities',
    key: own('entities'),
    nullable: [2],
  },
  names: {
    columns: ['items.handle', 'entities.kind', 'entities.name'],
    from: 'item_entities JOIN items ON items.id = item_id JOIN entities ON entities.id = entity_id',
    // In this order the items of a name come from the index as they are.
    key: ['entity_id', 'item_id'],
  },
  asserted: {
    columns: ['agent', 'subject', 'predicate', 'object'],
    from: 'agent_facts',
    key: own('agent_facts'),
  },
  cell: { columns: ['id', 'name', 'project'], from: 'cells', key: own('cells') },
  cell_item: {
    columns: ['cell_id', 'items.handle'],
    from: 'cell_items JOIN items ON items.id = item_id',
    key: ['cell_id', 'item_id'],
  },
  cell_arc: {
    columns: ['cell_id', 'other'],
    from: 'cell_edges',
    where: "kind = 'contains'",
    key: ['cell_id', 'other'],
  },
  cell_adjacent: {
    columns: ['cell_id', 'other'],
    from: 'cell_edges',
    where: "kind = 'adjacent'",
    key: ['cell_id', 'other'],
  },
  item_goal: {
    columns: ['handle', 'goal_handle'],
    from: 'items',
    where: 'goal IS NOT NULL',
    numbers: { 1: 'goal' },
    key: ['items.id'],
  },
  item_arc: {
    columns: ['handle', 'arc_id'],
    from: 'items',
    where: 'arc IS NOT NULL',
    numbers: { 1: 'arc' },
    key: ['items.id'],
  },
  session_parent: {
    columns: ['id', 'parent_id'],
    from: 'sessions',
    where: 'parent_id IS NOT NULL',
    key: own('sessions'),
  },
} as const satisfies Record<string, RelationSql>

export type RelationName = keyof typeof relations

/** An argument that is bound: its place, from 0, and its value. */
export type BoundArgument = readonly [number, SqlValue]
export type LogicValue = string | number | bigint
/** The key first, then the columns. */
export type LogicRow = LogicValue[]

export const isRelation = (name: string): name is RelationName => Object.hasOwn(relations, name)

/** Rows behind `after` (a key as rows give it; null for the first page), ordered by key, at most `limit`. */
export function relationPage(
  db: ReadDb,
  name: RelationName,
  page: { bound: readonly BoundArgument[]; after: LogicValue | null; limit: number },
): LogicRow[] {
  const relation: RelationSql = relations[name]
  const conditions: string[] = relation.where === undefined ? [] : [relation.where]
  const params: SqlValue[] = []
  for (const [at, value] of page.bound) {
    const column = relation.columns[at]
    if (column === undefined || at === relation.text?.at) continue
    if (value === 'null' && relation.nullable?.includes(at)) conditions.push(`${column} IS NULL`)
    else {
      const number = relation.numbers?.[at]
      conditions.push(number === undefined ? `${column} = ?` : `${number} = ${numberOf()}`)
      params.push(value)
    }
  }
  const [first, second] = relation.key
  if (page.after !== null) {
    const after = second === undefined ? [page.after] : splitKey(page.after)
    conditions.push(second === undefined ? `${first} > ?` : `(${first}, ${second}) > (?, ?)`)
    params.push(...after)
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const rows = db.all<Record<string, LogicValue | Buffer | null>>(
    `SELECT ${selected(relation)} FROM ${relation.from} ${where} ORDER BY ${relation.key.join(', ')} LIMIT ?`,
    [...params, page.limit],
  )
  return rows.map((row) => logicRow(relation, row))
}

function selected({ columns, key, text }: RelationSql): string {
  const keys = key.map((column, n) => `${column} AS k${n}`)
  const named = columns.map((column, n) => (n === text?.at ? `${text.text} AS c${n}` : `${column} AS c${n}`))
  return [...keys, ...named, ...(text ? [`${text.packed} AS packed`] : [])].join(', ')
}

/** Two keys in one: the first, a unit separator, the second. Neither handles nor numbers hold one. */
const SEPARATOR = '\u001f'

function splitKey(key: LogicValue): SqlValue[] {
  return String(key)
    .split(SEPARATOR)
    .map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part))
}

function logicRow(relation: RelationSql, row: Record<string, LogicValue | Buffer | null>): LogicRow {
  const key = relation.key.length === 1 ? row.k0 : `${row.k0}${SEPARATOR}${row.k1}`
  const columns = relation.columns.map((_, n) => {
    if (n === relation.text?.at) return textOf(row[`c${n}`], row.packed)
    const value = row[`c${n}`]
    return value === null || value === undefined || Buffer.isBuffer(value) ? 'null' : value
  })
  return [(key ?? 0) as LogicValue, ...columns]
}

function textOf(text: unknown, packed: unknown): string {
  const whole = unpackText({
    text: typeof text === 'string' ? text : null,
    text_z: Buffer.isBuffer(packed) ? packed : null,
  })
  return whole.slice(0, TEXT)
}

/** The item that follows another in its session, or that it follows; undefined at either end. */
export function nextItem(db: ReadDb, handle: string, step: 'after' | 'before'): string | undefined {
  const [sign, order] = step === 'after' ? ['>', 'ASC'] : ['<', 'DESC']
  return db.get<{ handle: string }>(
    `SELECT other.handle FROM items AS one JOIN items AS other ON other.session = one.session
       AND (other.position, other.handle) ${sign} (one.position, one.handle)
     WHERE one.handle = ? ORDER BY other.position ${order}, other.handle ${order} LIMIT 1`,
    [handle],
  )?.handle
}

/** The handles of items by row number. */
export function handlesOf(db: ReadDb, ids: readonly number[]): Map<number, string> {
  const rows = db.all<{ id: number; handle: string }>(
    'SELECT id, handle FROM items WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  )
  return new Map(rows.map((row) => [row.id, row.handle]))
}
