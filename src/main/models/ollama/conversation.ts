import { z } from 'zod'
import { ModelFailure } from '../language-model'
import { askLines } from './transport'

// One streamed answer. It always streams: without, the server sends nothing until it is done, and nobody can tell a
// slow model from a dead one.

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ChatBody {
  model: string
  messages: Message[]
  format: unknown
  /** Tokens the answer may take. */
  answerTokens: number
  window: number
}

export interface Said {
  text: string
  /** `length`: it was cut at its limit. */
  ended: string
  /** As the server reports them; null when it does not. */
  promptTokens: number | null
  answerTokens: number | null
}

/** How long the model stays in memory after a call: past the next one of a batch, and not much longer. */
export const KEEP_ALIVE = '5m'

/** A token is hardly ever longer; what exceeds that many characters for each token allowed has lost its way. */
const TOKEN_CHARS = 32

const Chunk = z.object({
  message: z.object({ content: z.string().nullish() }).nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
  error: z.unknown().optional(),
})

/** @throws ModelFailure */
export async function converse(host: string, chat: ChatBody, signal: AbortSignal): Promise<Said> {
  const body = {
    model: chat.model,
    messages: chat.messages,
    format: chat.format,
    stream: true,
    // Thoughts use up the tokens of the answer; harmless for a model that has none.
    think: false,
    keep_alive: KEEP_ALIVE,
    options: { num_ctx: chat.window, num_predict: chat.answerTokens, temperature: 0, seed: 7 },
  }
  let text = ''
  for await (const line of askLines({ host, path: '/api/chat', body, signal })) {
    const chunk = Chunk.safeParse(line)
    if (!chunk.success)
      throw new ModelFailure('protocol', `What answers on ${host} does not speak as Ollama does.`)
    const { message, done, done_reason, prompt_eval_count, eval_count, error } = chunk.data
    if (error !== undefined && error !== null)
      throw new ModelFailure('server', 'Ollama failed in the middle of its answer.')
    text += message?.content ?? ''
    if (text.length > chat.answerTokens * TOKEN_CHARS)
      return {
        text,
        ended: 'length',
        promptTokens: prompt_eval_count ?? null,
        answerTokens: chat.answerTokens,
      }
    if (done === true)
      return {
        text,
        ended: done_reason ?? 'stop',
        promptTokens: prompt_eval_count ?? null,
        answerTokens: eval_count ?? null,
      }
  }
  throw new ModelFailure('broke-off', 'Ollama broke off in the middle of its answer.')
}

/** Loads a model with the window it will be used with; a call that loads it would pay with its own deadline. */
export async function load(
  host: string,
  chat: Pick<ChatBody, 'model' | 'window'>,
  signal: AbortSignal,
): Promise<void> {
  const body = {
    model: chat.model,
    messages: [],
    stream: true,
    keep_alive: KEEP_ALIVE,
    options: { num_ctx: chat.window },
  }
  for await (const line of askLines({ host, path: '/api/chat', body, signal })) {
    if (line.error !== undefined) throw new ModelFailure('server', 'Ollama cannot load this model.')
    if (line.done === true) return
  }
}
