import { z } from 'zod'

/** What a local language model could be used for right now. */
export interface LanguageModelStatus {
  reachable: boolean
  /** Installed models that run on this machine. */
  models: string[]
  /** Installed names that send text out to a network; never used unless the person allows one by name. */
  refused: string[]
  /** A plain sentence when there is nothing to use. */
  reason: string | null
}

/** A model that writes text. Where there is none, extractive rungs and the case engine do the work. */
export interface LanguageModel {
  status(): Promise<LanguageModelStatus>
}

/** IPv4, not `localhost`: the server binds 127.0.0.1 only. */
const HOST = 'http://127.0.0.1:11434'
const PROBE_MS = 800

const Tags = z.object({
  models: z
    .array(
      z.object({ name: z.string(), remote_model: z.string().optional(), remote_host: z.string().optional() }),
    )
    .nullish(),
})

/** Whether a model of this name answers from the cloud, though the server is local. */
export function isCloudModel(name: string): boolean {
  return /(?:[-:]cloud)$/i.test(name.trim())
}

/** Ollama on this machine. The probe ends after `timeoutMs`, answered or not. */
export function ollamaModel(options: { host?: string; timeoutMs?: number } = {}): LanguageModel {
  const host = options.host ?? HOST
  return {
    status: async () => {
      try {
        const { Ollama } = await import('ollama')
        // The client cannot abort a call that does not stream, so its fetch carries the deadline.
        const signal = AbortSignal.timeout(options.timeoutMs ?? PROBE_MS)
        const client = new Ollama({ host, fetch: (url, init) => fetch(url, { ...init, signal }) })
        return judged(Tags.parse(await client.list()))
      } catch {
        return { reachable: false, models: [], refused: [], reason: `No Ollama answers on ${host}.` }
      }
    },
  }
}

function judged(tags: z.infer<typeof Tags>): LanguageModelStatus {
  const all = tags.models ?? []
  const cloud = all.filter((model) => isCloudModel(model.name) || model.remote_host || model.remote_model)
  const refused = cloud.map((model) => model.name)
  const models = all.map((model) => model.name).filter((name) => !refused.includes(name))
  const reason = models.length > 0 ? null : 'Ollama runs, but has no model that stays on this machine.'
  return { reachable: true, models, refused, reason }
}
