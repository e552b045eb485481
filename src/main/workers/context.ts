import type { Emit } from '../../shared/contract'
import type { EnvelopeKey } from '../journal'
import type { Embedder } from '../models'
import type { ReadDb, WriteDb } from '../store'

/** The moment, in milliseconds UTC; an argument so that tests and `asOf` can set it. */
export type Clock = () => number

/** What the adapters of the query worker get: handles, the embedder's port, and the way to tell others. */
export interface HandlerContext {
  home: string
  read: ReadDb
  write: WriteDb
  embedder: Embedder
  clock: Clock
  emit: Emit
  /** Signs what is put into an agent's context. */
  key: EnvelopeKey
}
