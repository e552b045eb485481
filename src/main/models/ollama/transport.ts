import { type IncomingMessage, request } from 'node:http'
import { ModelFailure } from '../language-model'

// HTTP to a server on this machine and to nowhere else. Not `fetch`: that follows redirects off the machine and gives
// up on headers after 300 s, which a model that loads slowly takes. The published client asks by way of `localFetch`;
// answers of a model are read here, since it writes parts of a broken stream to the console.

/** No answer of the server that is not a stream is larger. */
const LARGEST_BODY = 8 * 1024 * 1024
/** One line of a stream is a few tokens; a longer one is no stream of a model's. */
const LARGEST_LINE = 1024 * 1024

export interface Call {
  host: string
  path: string
  /** Left out: GET. */
  body?: unknown
  signal: AbortSignal
}

/** IPv4, not `localhost`: the server binds 127.0.0.1 only. */
export const DEFAULT_HOST = 'http://127.0.0.1:11434'

/** Whether an address is a plain HTTP server on this machine. */
export function isLoopback(host: string): boolean {
  if (!URL.canParse(host)) return false
  const { protocol, hostname, username, search, hash } = new URL(host)
  const local = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  return protocol === 'http:' && local && username === '' && search === '' && hash === ''
}

/** For the published client: a fetch that reaches this machine only and ends with `signal`. Fails with ModelFailure. */
export function localFetch(signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
    const body = typeof init?.body === 'string' ? { body: parsed(init.body) } : {}
    return Response.json(await askJson({ host: origin, path: pathname, ...body, signal }))
  }
}

/** One JSON object. @throws ModelFailure */
async function askJson(call: Call): Promise<unknown> {
  const response = await open(call)
  let text = ''
  for await (const chunk of chunks(response, call)) {
    text += chunk
    if (text.length > LARGEST_BODY) throw protocol(call.host, 'more than 8 MB')
  }
  const value = parsed(text)
  if (value === undefined) throw protocol(call.host, 'no JSON')
  return value
}

/** The objects of a stream of JSON lines, as they come; lines that are no JSON object are a failure. @throws ModelFailure */
export async function* askLines(call: Call): AsyncGenerator<Record<string, unknown>> {
  const response = await open(call)
  let rest = ''
  for await (const chunk of chunks(response, call)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield objectOf(line, call.host)
    if (rest.length > LARGEST_LINE) throw protocol(call.host, 'a line without an end')
  }
  if (rest.trim() !== '') yield objectOf(rest, call.host)
}

function objectOf(line: string, host: string): Record<string, unknown> {
  const value = parsed(line)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw protocol(host, 'no JSON')
  return value as Record<string, unknown>
}

/** @throws ModelFailure `refused` */
export function stayHere(host: string): void {
  if (isLoopback(host)) return
  throw new ModelFailure('refused', `${host} is not on this machine; nothing was sent to it.`)
}

async function open(call: Call): Promise<IncomingMessage> {
  stayHere(call.host)
  const response = await send(call)
  const status = response.statusCode ?? 0
  const type = response.headers['content-type'] ?? ''
  if (status === 200 && /^application\/(?:x-nd)?json\b/.test(type)) return response
  if (status === 200) throw protocol(call.host, type.split(';')[0] || 'no type', response)
  response.destroy()
  if (status === 404) throw new ModelFailure('missing', 'Ollama does not have this model.')
  if (status === 503) throw new ModelFailure('busy', 'Ollama has too much to do; it is asked again later.')
  throw new ModelFailure('server', `Ollama answered with error ${status}.`)
}

function send({ host, path, body, signal }: Call): Promise<IncomingMessage> {
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body), 'utf8')
  const headers = payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}
  return new Promise((resolve, reject) => {
    // A connection of its own: one kept open may be closed by the server while this thread counts tokens.
    const call = request(
      new URL(path, host),
      { method: payload ? 'POST' : 'GET', headers, signal, agent: false },
      resolve,
    )
    call.on('error', (cause) => reject(lost(cause, host, signal, 'unreachable')))
    call.end(payload ?? undefined)
  })
}

/** The body as text, whole characters only. */
async function* chunks(response: IncomingMessage, { host, signal }: Call): AsyncGenerator<string> {
  response.setEncoding('utf8')
  try {
    for await (const chunk of response) yield chunk as string
  } catch (cause) {
    throw lost(cause, host, signal, 'broke-off')
  }
}

function lost(
  cause: unknown,
  host: string,
  signal: AbortSignal,
  kind: 'unreachable' | 'broke-off',
): ModelFailure {
  if (cause instanceof ModelFailure) return cause
  if (signal.aborted) {
    const late = (signal.reason as { name?: string } | undefined)?.name === 'TimeoutError'
    return late
      ? new ModelFailure('timeout', 'The model took too long to answer.', { cause })
      : new ModelFailure('aborted', 'The call was ended.', { cause })
  }
  return kind === 'unreachable'
    ? new ModelFailure('unreachable', `No Ollama answers on ${host}.`, { cause })
    : new ModelFailure('broke-off', 'Ollama broke off in the middle of its answer.', { cause })
}

function protocol(host: string, what: string, response?: IncomingMessage): ModelFailure {
  response?.destroy()
  return new ModelFailure('protocol', `What answers on ${host} is not Ollama: it sent ${what}.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
