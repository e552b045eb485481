import type { CallName, EventName } from './contract'
import type { Result } from './errors'

/** All that a page of Fovea can reach: named calls and named events, nothing of Node or Electron. */
export interface FoveaBridge {
  /** Answers with a value or with an error as data; never rejects for a reason of the callee's. */
  call(name: CallName, input: unknown): Promise<Result<unknown>>
  /** Listens to one event; the answer stops listening. */
  on(event: EventName, listener: (payload: unknown) => void): () => void
}
