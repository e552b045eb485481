import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { EmbedNow } from '../../curator'

/** How long a query waits for a vector, in milliseconds; the model is loaded by then. Below a query's own limit. */
const PATIENCE_MS = 8_000
const POLL_MS = 2

interface Reply {
  id: number
  ok: boolean
  value?: unknown
  error?: { message?: string }
}

/**
 * Asks for a vector over a port and blocks until it is there: a rule that calls nearest/4 cannot wait any other way.
 * Nothing else may listen on the port.
 * @param wake called before the first request: whoever holds the other end starts serving it
 */
export function embedOverPort(port: MessagePort, wake: () => void, clock: () => number): EmbedNow {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  let next = 1
  let awake = false
  return (text) => {
    if (!awake) wake()
    awake = true
    const id = next++
    port.postMessage({ id, method: 'embed', input: { texts: [text] } })
    const until = clock() + PATIENCE_MS
    while (clock() < until) {
      const message = receiveMessageOnPort(port)?.message as Reply | undefined
      if (message?.id === id) return vectorIn(message)
      if (message === undefined) Atomics.wait(cell, 0, 0, POLL_MS)
    }
    return { reason: 'it did not answer in time, the machine is busy.' }
  }
}

function vectorIn(reply: Reply): ReturnType<EmbedNow> {
  if (!reply.ok) return { reason: reply.error?.message ?? 'it is not there.' }
  const [vector] = Array.isArray(reply.value) ? reply.value : []
  return vector instanceof Float32Array ? vector : { reason: 'it gave no vector.' }
}
