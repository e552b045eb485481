import { Ollama } from 'ollama'
import { z } from 'zod'
import { isCloudModel, type LanguageModelStatus, ModelFailure } from '../language-model'
import { localFetch, stayHere } from './transport'

// What the server says of its models, asked with its published client. Its answers are foreign all the same.

const Tags = z.object({
  models: z
    .array(
      z.object({ name: z.string(), remote_model: z.string().optional(), remote_host: z.string().optional() }),
    )
    .nullish(),
})

const Show = z.object({
  capabilities: z.array(z.string()).nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
  remote_model: z.string().nullish(),
  remote_host: z.string().nullish(),
})

const Running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().optional() })).nullish(),
})

/** The client cannot end a call that does not stream, nor keep to this machine; its fetch does both. */
function client(host: string, signal: AbortSignal): Ollama {
  stayHere(host)
  return new Ollama({ host, fetch: localFetch(signal) })
}

export interface ModelFacts {
  /** The window it was trained for, in tokens; null when the server does not say. */
  trained: number | null
  /** Whether its name stands for a model on somebody else's machine. */
  remote: boolean
}

/** Installed models, those that stay on this machine apart from those that do not. */
export async function listModels(host: string, timeoutMs: number): Promise<LanguageModelStatus> {
  try {
    const all = Tags.parse(await client(host, AbortSignal.timeout(timeoutMs)).list()).models ?? []
    const cloud = all.filter((model) => isCloudModel(model.name) || model.remote_host || model.remote_model)
    const refused = cloud.map((model) => model.name)
    const models = all.map((model) => model.name).filter((name) => !refused.includes(name))
    const reason = models.length > 0 ? null : 'Ollama runs, but has no model that stays on this machine.'
    return { reachable: true, models, refused, reason }
  } catch (error) {
    const reason =
      error instanceof ModelFailure && (error.kind === 'protocol' || error.kind === 'refused')
        ? error.message
        : `No Ollama answers on ${host}.`
    return { reachable: false, models: [], refused: [], reason }
  }
}

/** @throws ModelFailure `missing` when it is not installed */
export async function showModel(host: string, model: string, signal: AbortSignal): Promise<ModelFacts> {
  const shown = Show.safeParse(await client(host, signal).show({ model }))
  if (!shown.success) return { trained: null, remote: isCloudModel(model) }
  const { model_info: info, remote_host, remote_model } = shown.data
  const length = Object.entries(info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1]
  return {
    trained: typeof length === 'number' && length > 0 ? length : null,
    remote: isCloudModel(model) || Boolean(remote_host ?? remote_model),
  }
}

/** The window a loaded model really has; null when the server does not say. */
export async function loadedWindow(host: string, model: string, signal: AbortSignal): Promise<number | null> {
  const running = Running.safeParse(await client(host, signal).ps())
  const tagged = model.includes(':') ? model : `${model}:latest`
  const found = running.data?.models?.find(({ name }) => name === model || name === tagged)
  return found?.context_length ?? null
}
