import type { CallInput, CallName, CallOutput, EventName, EventPayload } from '@shared/contract'
import type { ErrorCode, ErrorData } from '@shared/errors'

/** An error that came back from main: a code, a sentence for a person, and whether trying again can help. */
export class CallError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean

  constructor(data: ErrorData) {
    super(data.message)
    this.name = 'CallError'
    this.code = data.code
    this.retryable = data.retryable
  }
}

/** Asks main. Main has validated the answer against the contract, so its type is taken as declared. */
export async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const result = await window.fovea.call(name, input)
  if (!result.ok) throw new CallError(result.error)
  return result.value as CallOutput<N>
}

/** Listens to one event of main's; the answer stops listening. */
export function listen<N extends EventName>(
  event: N,
  listener: (payload: EventPayload<N>) => void,
): () => void {
  return window.fovea.on(event, (payload) => listener(payload as EventPayload<N>))
}

/** Whatever was thrown, as a CallError, so that one component can show every failure. */
export function toCallError(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown
  return new CallError({
    code: 'internal',
    message: 'Fovea did not answer. Nothing was changed.',
    retryable: true,
  })
}
