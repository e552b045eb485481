import type { ReadDb, WriteDb } from './db'
import { type PackedReceipt, packReceipt, type ReceiptText, unpackReceipt } from './receipt-text'

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
    const { body, frame, packed } = packReceipt(row)
    db.run(
      `INSERT INTO receipts (id, kind, goal, plane, path, budget, spent, fact_count, viewer, created_at, body, frame,
         packed, provenance, labels) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        body,
        frame,
        packed,
        JSON.stringify(row.facts.map((fact) => fact.handle)),
        JSON.stringify(row.labels),
      ],
    )
    db.run(
      `INSERT INTO receipt_facts (receipt_id, handle, level)
       SELECT ?, value ->> 'handle', value ->> 'level' FROM json_each(?)`,
      [row.id, JSON.stringify(row.facts)],
    )
    const chars = packed === null ? null : wrappedChars(row)
    if (chars !== null)
      db.run('INSERT OR IGNORE INTO wrapped_receipts (receipt, chars) VALUES (?, ?)', [row.id, chars])
  })
}

/** How long the text is that a frame's envelope wraps; null where it has none. */
function wrappedChars({ id, frame }: Pick<ReceiptRow, 'id' | 'frame'>): number | null {
  const sign = ` receipt=${id} chars=`
  const at = frame.indexOf(sign)
  return at < 0 ? null : Number.parseInt(frame.slice(at + sign.length), 10)
}

export function receiptById(
  db: ReadDb,
  id: string,
): ({ kind: ReceiptRow['kind'] } & ReceiptText) | undefined {
  const row = db.get<{ kind: ReceiptRow['kind'] } & PackedReceipt>(
    'SELECT kind, body, frame, packed FROM receipts WHERE id = ?',
    [id],
  )
  return row && { kind: row.kind, ...unpackReceipt(row) }
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
