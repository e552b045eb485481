import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import { AppError, type ErrorData, fromErrorData, toErrorData } from '../../shared/errors'

// A small request/response protocol over a worker or a message port. Errors travel as data.

type Endpoint = Pick<Worker | MessagePort, 'postMessage' | 'on'>

interface Request {
  id: number
  method: string
  input: unknown
}
type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: ErrorData }
interface Notice {
  event: string
  payload: unknown
}

/** Methods a worker serves: each takes one cloneable argument and answers a cloneable value. */
// biome-ignore lint/suspicious/noExplicitAny: a table of methods with different inputs; `Client` below restores the types.
export type Methods = Record<string, (input: any) => unknown>

export type Client<M extends Methods> = {
  /** @throws AppError the error of the other side, or `unavailable` when it has ended. */
  call<K extends keyof M & string>(
    method: K,
    input: Parameters<M[K]>[0],
    /** What `input` holds that moves to the other side instead of being copied. */
    transfer?: readonly Transferable[],
  ): Promise<Awaited<ReturnType<M[K]>>>
}

/** Answers requests that arrive at `port` with `methods`. Log hook gets what was thrown, for the log only. */
export function serve(
  port: Endpoint,
  methods: Methods,
  onThrown?: (error: unknown, method: string) => void,
): void {
  port.on('message', async (message: Request) => {
    if (message === null || typeof message !== 'object' || typeof message.method !== 'string') return
    let reply: Reply
    try {
      const method = Object.hasOwn(methods, message.method) ? methods[message.method] : undefined
      if (!method) throw new AppError('unsupported', `There is no method ${message.method}.`)
      reply = { id: message.id, ok: true, value: await method(message.input) }
    } catch (error) {
      if (!(error instanceof AppError)) onThrown?.(error, message.method)
      reply = { id: message.id, ok: false, error: toErrorData(error) }
    }
    port.postMessage(reply)
  })
}

/** Sends an event to whoever is connected at the other end of `port`. */
export function notify(port: Endpoint, event: string, payload: unknown): void {
  port.postMessage({ event, payload } satisfies Notice)
}

/** Calls what the other end of `port` serves. When a worker ends, its open calls fail with `unavailable`. */
export function connect<M extends Methods>(
  port: Endpoint,
  options: { name: string; onEvent?: (event: string, payload: unknown) => void },
): Client<M> {
  const open = new Map<number, { resolve: (value: never) => void; reject: (error: AppError) => void }>()
  let next = 1
  let ended = false
  port.on('message', (message: Reply | Notice) => {
    if ('event' in message) {
      options.onEvent?.(message.event, message.payload)
      return
    }
    const waiting = open.get(message.id)
    if (!waiting) return
    open.delete(message.id)
    if (message.ok) waiting.resolve(message.value as never)
    else waiting.reject(fromErrorData(message.error))
  })
  const end = (): void => {
    ended = true
    for (const waiting of open.values()) waiting.reject(gone(options.name))
    open.clear()
  }
  ;(port as Worker).on('exit', end)
  ;(port as MessagePort).on('close', end)
  return {
    call: (method, input, transfer = []) =>
      new Promise((resolve, reject) => {
        if (ended) {
          reject(gone(options.name))
          return
        }
        const id = next++
        open.set(id, { resolve, reject })
        port.postMessage({ id, method, input } satisfies Request, transfer)
      }),
  }
}

const gone = (name: string): AppError =>
  new AppError('unavailable', `The ${name} part of Fovea has stopped. Restart Fovea.`)
