import type { ReceiptId } from '../../shared/domain'
import type { Tokenizer } from '../../shared/recall'
import type { Embedder } from '../models'
import type { ReadDb, WriteDb } from '../store'

/** Marks a text as injected by Fovea. The body cannot close the envelope from within. */
export type Wrap = (info: { source: string; receipt: string }, text: string) => string
export type CountTokens = (text: string, tokenizer: Tokenizer) => number

/** What a recall needs from outside: its handles, the models, and everything that is not the same each time. */
export interface RecallPorts {
  read: ReadDb
  write: WriteDb
  embedder: Embedder
  clock: () => number
  receiptId: () => ReceiptId
  wrap: Wrap
  countTokens: CountTokens
}
