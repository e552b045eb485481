import type { ReadDb, WriteDb } from './db'

export interface EntityDraft {
  kind: string
  name: string
  /** '' for what is the same in every project. */
  project: string
  weight: number
}

export interface FactDraft {
  subject: string
  predicate: string
  object: string
  /** How it was found: `rules` or `model`. */
  method: string
}

export interface FactItem {
  id: number
  handle: string
  labels: readonly string[]
}

/** Puts these in place of everything the item named and said before. */
export function putFacts(
  db: WriteDb,
  item: FactItem,
  made: { entities: readonly EntityDraft[]; facts: readonly FactDraft[] },
): void {
  clearFacts(db, item.id)
  for (const entity of made.entities) {
    db.run('INSERT OR IGNORE INTO item_entities (item_id, entity_id, weight) VALUES (?, ?, ?)', [
      item.id,
      entityId(db, entity),
      entity.weight,
    ])
  }
  for (const fact of made.facts) {
    db.run(
      `INSERT OR IGNORE INTO facts (item_id, subject, predicate, object, handle, provenance, labels, method)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        item.id,
        fact.subject,
        fact.predicate,
        fact.object,
        item.handle,
        JSON.stringify([item.handle]),
        JSON.stringify(item.labels),
        fact.method,
      ],
    )
  }
}

function clearFacts(db: WriteDb, itemId: number): void {
  db.run('DELETE FROM facts WHERE item_id = ?', [itemId])
  db.run('DELETE FROM item_entities WHERE item_id = ?', [itemId])
}

function entityId(db: WriteDb, { kind, name, project }: EntityDraft): number {
  const known = db.get<{ id: number }>(
    'SELECT id FROM entities WHERE kind = ? AND name = ? AND project = ?',
    [kind, name, project],
  )
  if (known) return known.id
  return db.run('INSERT INTO entities (kind, name, project) VALUES (?, ?, ?)', [kind, name, project])
    .lastInsertRowid
}

/** What facts are made from, beside the item as its rungs read it. */
export function factPlace(
  db: ReadDb,
  handle: string,
): { id: number; session: string; project: string | null } | undefined {
  return db.get('SELECT id, session_id AS session, project FROM items WHERE handle = ?', [handle])
}

export interface FactRow {
  subject: string
  predicate: string
  object: string
  method: string
}

export function factsOf(db: ReadDb, itemId: number, limit: number): FactRow[] {
  return db.all(
    'SELECT subject, predicate, object, method FROM facts WHERE item_id = ? ORDER BY id LIMIT ?',
    [itemId, limit],
  )
}

export interface ItemEntityRow {
  kind: string
  name: string
  weight: number
  /** How many items name it. */
  items: number
}

/** What an item names, the weightiest first. */
export function entitiesOf(db: ReadDb, itemId: number, limit: number): ItemEntityRow[] {
  return db.all(
    `SELECT kind, name, weight,
            (SELECT count(*) FROM item_entities AS others WHERE others.entity_id = entities.id) AS items
     FROM item_entities JOIN entities ON entities.id = entity_id WHERE item_id = ?
     ORDER BY weight DESC, entities.id LIMIT ?`,
    [itemId, limit],
  )
}

export interface AgentFactRow {
  agent: string
  kind: 'fact' | 'constraint' | 'checkpoint'
  subject: string
  predicate: string
  object: string
  project: string | null
  handle: string | null
  assertedAt: number
  labels: readonly string[]
}

/** Writes what an agent asserts; the same again only renews its time. Answers its row. */
export function putAgentFact(db: WriteDb, fact: AgentFactRow): { id: number; renewed: boolean } {
  const key = [fact.agent, fact.subject, fact.predicate, fact.object]
  const where = 'agent = ? AND subject = ? AND predicate = ? AND object = ?'
  const known = db.get<{ id: number }>(`SELECT id FROM agent_facts WHERE ${where}`, key)
  const rest = [
    fact.kind,
    fact.project,
    fact.handle,
    fact.assertedAt,
    JSON.stringify(fact.handle === null ? [] : [fact.handle]),
    JSON.stringify(fact.labels),
  ]
  if (known) {
    db.run(
      `UPDATE agent_facts SET kind = ?, project = ?, handle = ?, asserted_at = ?, provenance = ?, labels = ?
       WHERE id = ?`,
      [...rest, known.id],
    )
    return { id: known.id, renewed: true }
  }
  const { lastInsertRowid: id } = db.run(
    `INSERT INTO agent_facts (kind, project, handle, asserted_at, provenance, labels, agent, subject, predicate, object)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [...rest, ...key],
  )
  return { id, renewed: false }
}

export function countAgentFacts(db: ReadDb, agent: string): number {
  return db.get<{ n: number }>('SELECT count(*) AS n FROM agent_facts WHERE agent = ?', [agent])?.n ?? 0
}
