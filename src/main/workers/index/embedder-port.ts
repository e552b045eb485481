import type { MessagePort } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import type { Embedder, EmbedderStatus } from '../../models'
import { connect, type Methods, serve } from '../rpc'

const Texts = z.object({ texts: z.array(z.string()).max(10_000) })

/** What the index worker answers on its own port and on every port it is handed. */
export interface EmbedderMethods extends Methods {
  'embedder.status': (input: object) => Promise<EmbedderStatus>
  embed: (input: { texts: readonly string[] }) => Promise<Float32Array[]>
}

export function embedderMethods(embedder: Embedder): EmbedderMethods {
  return {
    'embedder.status': () => embedder.status(),
    embed: async (input) => {
      const parsed = Texts.safeParse(input)
      if (!parsed.success) throw new AppError('bad-input', 'Only a list of texts can be embedded.')
      return embedder.embed(parsed.data.texts)
    },
  }
}

/** Lets whoever holds the other end of `port` embed. */
export function serveEmbedder(port: MessagePort, embedder: Embedder): void {
  serve(port, embedderMethods(embedder))
  // A port alone keeps no thread alive: it ends with the worker.
  port.unref()
}

/** The embedder at the other end of a port. When that thread has ended, it is `failed` and `embed` is unavailable. */
export function embedderOverPort(port: MessagePort): Embedder {
  const client = connect<EmbedderMethods>(port, { name: 'indexing' })
  return {
    status: async () => {
      try {
        return await client.call('embedder.status', {})
      } catch {
        return {
          state: 'failed',
          model: null,
          reason: 'The indexing part of Fovea has stopped. Restart Fovea.',
        }
      }
    },
    embed: (texts) => client.call('embed', { texts }),
  }
}
