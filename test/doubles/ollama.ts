import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

// A server that speaks Ollama's protocol as its public documentation and source describe it, its failures included.
// It has no model: a function answers.

export interface ChatRequest {
  model: string
  messages: { role: string; content: string }[]
  format?: unknown
  think?: boolean
  stream?: boolean
  keep_alive?: string | number
  options?: { num_ctx?: number; num_predict?: number }
}

/** What happens to one call of `/api/chat`. */
export type Act =
  | { say: string; ended?: 'stop' | 'length'; promptTokens?: number; answerTokens?: number }
  /** Says the beginning and then: nothing, an end of the connection, an error as a line, an end without `done`. */
  | { say: string; after: 'hang' | 'die' | 'error' | 'no-done' }
  | { status: number; error: string }
  /** Something else answers: a login page, say. */
  | { page: string }

export interface DoubleModel {
  name: string
  /** Tokens it was trained for. */
  trained?: number
  /** Tokens that are really loaded, whatever was asked for. */
  loads?: number
  /** An older server: it does not say how much is loaded. */
  silent?: boolean
  remote?: boolean
  thinks?: boolean
}

export interface DoubleOptions {
  models?: DoubleModel[]
  /** Called once for each answered call; the number counts from 1. */
  answer: (request: ChatRequest, call: number) => Act
  /** Milliseconds before the first word of an answer. */
  slowness?: number
  /** How many of the model's tokens a text is. */
  tokensOf?: (text: string) => number
  port?: number
}

export interface OllamaDouble {
  host: string
  /** Every call of `/api/chat` that held messages, whether it was answered or not. */
  asked: ChatRequest[]
  /** Calls whose answer was written to its last byte. */
  answered: ChatRequest[]
  loads: ChatRequest[]
  close(): Promise<void>
}

/** Below that many tokens a server without a large graphics card loads a model when it is not told otherwise. */
const DEFAULT_WINDOW = 4_096

export async function ollamaDouble(options: DoubleOptions): Promise<OllamaDouble> {
  const models = options.models ?? [{ name: 'local:1b' }]
  const tokensOf = options.tokensOf ?? ((text) => Math.ceil(text.length / 4))
  const asked: ChatRequest[] = []
  const answered: ChatRequest[] = []
  const loads: ChatRequest[] = []
  const windows = new Map<string, number>()
  const sockets = new Set<Socket>()

  const chat = async (request: ChatRequest, response: ServerResponse): Promise<void> => {
    if (!request.model) return fail(response, 400, 'model is required')
    const model = models.find(({ name }) => name === request.model)
    if (!model) return fail(response, 404, `model '${request.model}' not found`)
    if (request.think === true && !model.thinks)
      return fail(response, 400, `"${request.model}" does not support thinking`)
    windows.set(model.name, model.loads ?? request.options?.num_ctx ?? DEFAULT_WINDOW)
    if (request.messages.length === 0) {
      loads.push(request)
      const done = { model: request.model, created_at: now(), message: { role: 'assistant', content: '' } }
      return json(response, { ...done, done_reason: 'load', done: true })
    }
    asked.push(request)
    const act = options.answer(request, asked.length)
    if (options.slowness) await new Promise((resolve) => setTimeout(resolve, options.slowness))
    if ('status' in act) return fail(response, act.status, act.error)
    if ('page' in act) return void response.writeHead(200, { 'content-type': 'text/html' }).end(act.page)
    const window = windows.get(model.name) ?? DEFAULT_WINDOW
    // What does not fit is dropped from the front, and nobody is told.
    const prompt = request.messages.reduce((sum, { content }) => sum + tokensOf(content), 0)
    const read = Math.min(prompt, window)
    stream(response, request, act, { promptTokens: read, answerTokens: tokensOf(act.say) }, () =>
      answered.push(request),
    )
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]
    void body(request).then(async (text) => {
      if (path === '/')
        return void response.writeHead(200, { 'content-type': 'text/plain' }).end('Ollama is running')
      if (path === '/api/version') return json(response, { version: '0.32.0' })
      if (path === '/api/tags') return json(response, { models: models.map(tag) })
      if (path === '/api/ps')
        return json(response, {
          models: [...windows].map(([name, context_length]) => ({
            name,
            model: name,
            size_vram: 0,
            ...(models.find((one) => one.name === name)?.silent ? {} : { context_length }),
          })),
        })
      const value = parsed(text)
      if (text === '') return fail(response, 400, 'missing request body')
      if (value === undefined) return fail(response, 400, 'invalid character in JSON')
      if (path === '/api/show') return show(response, models, (value as { model?: string }).model ?? '')
      if (path === '/api/chat') return chat(value as ChatRequest, response)
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answered,
    loads,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Words of an answer that go out in one line of the stream. */
const PIECE = 24

function stream(
  response: ServerResponse,
  request: ChatRequest,
  act: Extract<Act, { say: string }>,
  counts: { promptTokens: number; answerTokens: number },
  written: () => void,
): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const line = (value: object): void =>
    void response.write(`${JSON.stringify({ model: request.model, created_at: now(), ...value })}\n`)
  for (let at = 0; at < act.say.length; at += PIECE)
    line({ message: { role: 'assistant', content: act.say.slice(at, at + PIECE) }, done: false })
  if ('after' in act) {
    if (act.after === 'hang') return
    if (act.after === 'die') return void setTimeout(() => response.destroy(), 5)
    if (act.after === 'error')
      response.write(`${JSON.stringify({ error: 'an error was encountered while running the model' })}\n`)
    return void response.end()
  }
  const { ended = 'stop', promptTokens = counts.promptTokens, answerTokens = counts.answerTokens } = act
  // Durations are nanoseconds; a count of zero is left out.
  line({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: ended,
    total_duration: 1_000_000,
    ...(promptTokens > 0 ? { prompt_eval_count: promptTokens } : {}),
    ...(answerTokens > 0 ? { eval_count: answerTokens } : {}),
  })
  response.end(written)
}

const tag = ({ name, remote }: DoubleModel): object => ({
  name,
  model: name,
  modified_at: now(),
  size: 1,
  digest: 'd',
  details: {
    parent_model: '',
    format: 'gguf',
    family: 'llama',
    families: null,
    parameter_size: '1B',
    quantization_level: 'Q4',
  },
  ...(remote ? { remote_model: 'big', remote_host: 'https://example.com' } : {}),
})

function show(response: ServerResponse, models: DoubleModel[], name: string): void {
  const model = models.find((one) => one.name === name)
  if (!model) {
    fail(response, 404, `model '${name}' not found`)
    return
  }
  json(response, {
    capabilities: ['completion', ...(model.thinks ? ['thinking'] : [])],
    model_info: { 'general.architecture': 'llama', 'llama.context_length': model.trained ?? 32_768 },
    ...(model.remote ? { remote_model: 'big', remote_host: 'https://example.com' } : {}),
  })
}

const now = (): string => new Date(0).toISOString()
const json = (response: ServerResponse, value: object): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(value))
const fail = (response: ServerResponse, status: number, error: string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

async function body(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}
