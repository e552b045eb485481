import type { ReadDb, WriteDb } from './db'

export interface ReceiptRow {
  id: string
  kind: 'hydrate' | 'search' | 'nearest' | 'prediction' | 'last-try'
  goal: string
  plane: string
  path: string
  budget: number
  spent: number
  viewer: string
  createdAt: number
  /** The whole receipt, as JSON. */
  body: string
  frame: string
  facts: readonly { handle: string; level: string }[]
  /** The union of the facts' labels. */
  labels: readonly string[]
}

/** A receipt and the items that stood in its frame, in one transaction. */
export function insertReceipt(db: WriteDb, row: ReceiptRow): void {
  db.transaction(() => {
    db.run(
      `INSERT INTO receipts (id, kind, goal, plane, path, budget, spent, fact_count, viewer, created_at, body, frame,
         provenance, labels) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        row.id,
        row.kind,
        row.goal,
        row.plane,
        row.path,
        row.budget,
        row.spent,
        row.facts.length,
        row.viewer,
        row.createdAt,
        row.body,
        row.frame,
        JSON.stringify(row.facts.map((fact) => fact.handle)),
        JSON.stringify(row.labels),
      ],
    )
    db.run(
      `INSERT INTO receipt_facts (receipt_id, handle, level)
       SELECT ?, value ->> 'handle', value ->> 'level' FROM json_each(?)`,
      [row.id, JSON.stringify(row.facts)],
    )
  })
}

export function receiptById(
  db: ReadDb,
  id: string,
): { kind: ReceiptRow['kind']; body: string; frame: string } | undefined {
  return db.get('SELECT kind, body, frame FROM receipts WHERE id = ?', [id])
}

/** Whether the frame of this receipt is, or was while there was one, a text of so many characters in its envelope. */
export const wasWrapped = (db: ReadDb, id: string, chars: number): boolean =>
  db.get(
    `SELECT 1 FROM receipts WHERE id = ? AND instr(frame, ' receipt=' || id || ' chars=' || ? || ']]') > 0
     UNION ALL SELECT 1 FROM wrapped_receipts WHERE receipt = ? AND chars = ?`,
    [id, String(chars), id, chars],
  ) !== undefined

export interface ReceiptSummary {
  id: string
  kind: ReceiptRow['kind']
  goal: string
  plane: string
  path: string
  spent: number
  budget: number
  facts: number
  createdAt: number
}

/** Newest first; `before` is the page's cursor, exclusive. */
export function listReceipts(db: ReadDb, limit: number, before = Number.MAX_SAFE_INTEGER): ReceiptSummary[] {
  return db.all(
    `SELECT id, kind, goal, plane, path, spent, budget, fact_count AS facts, created_at AS createdAt FROM receipts
     WHERE created_at < ? ORDER BY created_at DESC, id LIMIT ?`,
    [before, limit],
  )
}
