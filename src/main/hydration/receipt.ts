import { randomBytes } from 'node:crypto'
import type { Pointer, ReceiptId } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import { Receipt, type ReceiptLine } from '../../shared/recall'
import { type hydrationSql, type ReadDb, receiptSql, type WriteDb } from '../store'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** A fresh receipt id: `rcp_` and 16 base32 letters, 80 random bits. */
export function newReceiptId(bytes: (count: number) => Uint8Array = randomBytes): ReceiptId {
  const letters = Array.from(bytes(16), (byte) => ALPHABET[byte & 31]).join('')
  return `rcp_${letters}` as ReceiptId
}

/**
 * What must be the same whenever the same request meets the same memory: everything but id, createdAt and ms, with
 * its keys in order.
 */
export function canonicalReceipt(receipt: Receipt): string {
  const { id: _id, createdAt: _at, ms: _ms, ...rest } = receipt
  return JSON.stringify(sortedKeys(rest))
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]))
}

export function pointerOf(item: hydrationSql.RecallItem): Pointer {
  const { file, recordId, line, byteOffset, byteLength } = item
  return { file, recordId, line, byteOffset, byteLength }
}

/** Keeps a receipt with its frame. `labels`: JSON arrays of the facts' items, of which the union is kept. */
export function keepReceipt(
  db: WriteDb,
  kind: ReceiptLine['kind'],
  made: { receipt: Receipt; frame: string; labels: readonly string[] },
): void {
  const { receipt, frame } = made
  const labels = new Set(made.labels.flatMap((json) => JSON.parse(json) as string[]))
  receiptSql.insertReceipt(db, {
    id: receipt.id,
    kind,
    goal: receipt.goal,
    plane: receipt.request.plane,
    path: receipt.path,
    budget: receipt.budget.total,
    spent: receipt.budget.spent,
    viewer: receipt.request.viewer,
    createdAt: receipt.createdAt,
    body: JSON.stringify(receipt),
    frame,
    facts: receipt.facts.map(({ handle, level }) => ({ handle, level })),
    labels: [...labels].sort(),
  })
}

/** @throws AppError `not-found`, or `corrupt` when what is stored is not a receipt */
export function openReceipt(
  db: ReadDb,
  id: string,
): { kind: ReceiptLine['kind']; receipt: Receipt; frame: string } {
  const row = receiptSql.receiptById(db, id)
  if (!row) throw new AppError('not-found', `There is no receipt ${id}.`)
  const parsed = Receipt.safeParse(parseJson(row.body))
  if (!parsed.success) throw new AppError('corrupt', `The receipt ${id} is stored but cannot be read.`)
  return { kind: row.kind, receipt: parsed.data, frame: row.frame }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function listReceipts(db: ReadDb, page: { limit: number; before?: number }): ReceiptLine[] {
  return receiptSql.listReceipts(db, page.limit, page.before).map((row) => ({
    ...row,
    id: row.id as ReceiptId,
    path: row.path as ReceiptLine['path'],
  }))
}
