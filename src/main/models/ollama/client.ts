import { z } from 'zod'
import {
  type Answer,
  isCloudModel,
  type LanguageModel,
  ModelFailure,
  NOTHING_USED,
  type Question,
  type Usage,
} from '../language-model'
import { countedTokens, estimate, learn, type RatioMemory, ratiosInMemory, wasCut } from './calibration'
import { type ChatBody, converse, load, type Message, type Said } from './conversation'
import { listModels, loadedWindow, showModel } from './facts'
import { salvageJson } from './salvage'
import { DEFAULT_HOST } from './transport'

export interface OllamaOptions {
  /** A server on this machine; 127.0.0.1:11434 when left out. */
  host?: string
  /** For `status` only. */
  timeoutMs?: number
  /** The window asked for, in tokens; one value for each model, since another one makes the server load it anew. */
  window?: number
  /** Models that send text to a network and that the person allowed, each by its full name. */
  allowed?: readonly string[]
  ratios?: RatioMemory
  clock?: () => number
}

const PROBE_MS = 800
const WINDOW = 8_192
const DEADLINE_MS = 120_000
/** A cold start of a large model from a slow disk. */
const LOAD_MS = 600_000
/** The server drops a model five minutes after its last call. */
const LOADED_MS = 270_000
/** Tokens a chat template puts around each message. */
const TEMPLATE = 16

const INSTRUCTION = (schema: string): string =>
  `Answer with one JSON object that fits this JSON schema, and with nothing else:\n${schema}`

interface Known {
  /** Tokens that are really there. */
  window: number
  /** Tokens that are asked for, always the same. */
  asked: number
  loadedAt: number
}

/** Ollama on this machine. */
export function ollamaModel(options: OllamaOptions = {}): LanguageModel {
  const { host = DEFAULT_HOST, ratios = ratiosInMemory(), clock = Date.now, allowed = [] } = options
  const known = new Map<string, Known>()

  const prepare = async (model: string, signal: AbortSignal): Promise<Known> => {
    const before = known.get(model)
    if (before && clock() - before.loadedAt < LOADED_MS) return before
    const permitted = allowed.includes(model)
    if (isCloudModel(model) && !permitted) throw cloud(model)
    const { trained, remote } = await showModel(host, model, signal)
    if (remote && !permitted) throw cloud(model)
    const wanted = options.window ?? WINDOW
    const window = before?.asked ?? Math.min(wanted, trained ?? wanted)
    await load(host, { model, window }, signal)
    // What was really loaded may be smaller than what was asked for.
    const real = await loadedWindow(host, model, signal).catch(() => null)
    const now = { window: Math.min(window, real ?? window), asked: window, loadedAt: clock() }
    known.set(model, now)
    return now
  }

  const tokens = (model: string, text: string): number => estimate(ratios, model, countedTokens(text))
  const around = (model: string, schema: string): number => tokens(model, INSTRUCTION(schema)) + 4 * TEMPLATE

  const ask = async <T>(question: Question<T>): Promise<Answer<T>> => {
    const { model, signal } = question
    const started = performance.now()
    const ms = (): number => Math.round(performance.now() - started)
    let usage: Usage = NOTHING_USED
    let under: ChatBody | null = null
    try {
      const state = await prepare(model, bounded(LOAD_MS, signal))
      const schema = schemaText(question.schema)
      let chat = firstTry(question, schema, state.asked)
      let failure: ModelFailure | null = null
      for (let tries = 1; tries <= 2; tries++) {
        const { window } = state
        const needed = messageTokens(tokens, chat) + chat.answerTokens
        if (needed > window) throw failure ?? tooLong(needed, window)
        if (failure && spent(usage) + needed > (question.budget ?? Number.POSITIVE_INFINITY)) {
          failure.cutShort = true
          throw failure
        }
        under = chat
        const said = await converse(host, chat, bounded(question.deadlineMs ?? DEADLINE_MS, signal))
        under = null
        state.loadedAt = clock()
        usage = added(usage, chat, said, tokens(model, said.text))
        checkRead({ ratios, model, chat, said, window: state.window })
        const judged = judge(question.schema, said)
        if (judged.ok) return { value: judged.value, model, usage: { ...usage, ms: ms(), tries } }
        failure = judged.failure
        chat = secondTry(chat, said, failure)
      }
      throw failure ?? new ModelFailure('empty', 'The model said nothing.')
    } catch (error) {
      const failure =
        error instanceof ModelFailure
          ? error
          : new ModelFailure('protocol', 'The answer of Ollama was not understood.', { cause: error })
      failure.usage = { ...usage, ms: ms() }
      // A try that broke off was read all the same.
      if (under !== null && PAID_BY_PROMPT.has(failure.kind)) {
        failure.usage.promptTokens += messageTokens(tokens, under)
        failure.usage.tries += 1
      }
      throw failure
    }
  }

  return {
    status: () => listModels(host, options.timeoutMs ?? PROBE_MS),
    tokens,
    room: async ({ model, schema, answerTokens, signal }) => {
      const { window } = await prepare(model, bounded(LOAD_MS, signal))
      return Math.max(0, window - answerTokens - around(model, schemaText(schema)))
    },
    ask,
  }
}

const PAID_BY_PROMPT: ReadonlySet<string> = new Set(['timeout', 'aborted', 'broke-off', 'server'])

const spent = ({ promptTokens, answerTokens }: Usage): number => promptTokens + answerTokens

const cloud = (model: string): ModelFailure =>
  new ModelFailure(
    'refused',
    `${model} sends text out to a network; it is not used unless you allow it by name.`,
  )

const tooLong = (needed: number, window: number): ModelFailure =>
  new ModelFailure('too-long', `The prompt and its answer need ${needed} tokens; the model has ${window}.`)

const bounded = (ms: number, signal?: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : AbortSignal.timeout(ms)

function schemaText(schema: z.ZodType): string {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7' })
  return JSON.stringify(plain)
}

function firstTry(question: Question<unknown>, schema: string, window: number): ChatBody {
  return {
    model: question.model,
    messages: [
      // In the prompt as well: some models are not held to a format while they do not think.
      { role: 'system', content: INSTRUCTION(schema) },
      { role: 'user', content: question.prompt },
    ],
    format: JSON.parse(schema) as unknown,
    answerTokens: question.answerTokens,
    window,
  }
}

/** The same again, with what was wrong; more room where it was cut. Nothing of the failed answer goes back. */
function secondTry(chat: ChatBody, said: Said, failure: ModelFailure): ChatBody {
  const [system, ...rest] = chat.messages as [Message, ...Message[]]
  const complaint = `Your last answer was of no use: ${failure.message} Answer with the JSON object alone.`
  return {
    ...chat,
    messages: [{ ...system, content: `${system.content}\n${complaint}` }, ...rest],
    answerTokens: said.ended === 'length' ? chat.answerTokens * 2 : chat.answerTokens,
  }
}

const messageTokens = (tokens: LanguageModel['tokens'], { model, messages }: ChatBody): number =>
  messages.reduce((sum, { content }) => sum + tokens(model, content) + TEMPLATE, 0)

function added(usage: Usage, { messages }: ChatBody, said: Said, estimated: number): Usage {
  const counted = messages.reduce((sum, { content }) => sum + countedTokens(content), 0)
  return {
    ...usage,
    promptTokens: usage.promptTokens + (said.promptTokens ?? counted),
    answerTokens: usage.answerTokens + (said.answerTokens ?? estimated),
    tries: usage.tries + 1,
  }
}

interface Read {
  ratios: RatioMemory
  model: string
  chat: ChatBody
  said: Said
  window: number
}

/**
 * A server whose window is too small drops the beginning of a prompt without a word. Its count tells, and teaches.
 * @throws ModelFailure `too-long`
 */
function checkRead({ ratios, model, chat, said, window }: Read): void {
  const { promptTokens: reported } = said
  if (reported === null || reported === 0) return
  const counted = chat.messages.reduce((sum, { content }) => sum + countedTokens(content), 0)
  if (reported >= window || wasCut(ratios, model, { counted, reported }))
    throw new ModelFailure(
      'too-long',
      'Ollama did not read the whole prompt: its window is smaller than asked for.',
    )
  learn(ratios, model, { counted, reported })
}

type Judged<T> = { ok: true; value: T } | { ok: false; failure: ModelFailure }

function judge<T>(schema: z.ZodType<T>, said: Said): Judged<T> {
  const wrong = (kind: 'empty' | 'cut' | 'not-json' | 'wrong-shape', message: string): Judged<T> => ({
    ok: false,
    failure: new ModelFailure(kind, message),
  })
  if (said.ended === 'length') return wrong('cut', 'The answer was cut at its limit.')
  if (said.text.trim() === '') return wrong('empty', 'The answer was empty.')
  const found = salvageJson(said.text)
  if (found === undefined) return wrong('not-json', 'The answer was not JSON.')
  const parsed = schema.safeParse(found)
  return parsed.success
    ? { ok: true, value: parsed.data }
    : wrong('wrong-shape', 'The answer had another shape.')
}
