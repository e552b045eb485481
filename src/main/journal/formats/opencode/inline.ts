import { asString, isObject } from '../../text'
import type { Json } from './calls'

// opencode to mid-2025: a message is one file with its parts inside, and what its calls left behind stands in the
// message's `metadata`. Both are turned into what later versions write.

/** The parts of such a message, in their order; null for a message whose parts are files of their own. */
export function inlineParts(message: Json | null): Json[] | null {
  if (!message || !Array.isArray(message.parts)) return null
  const metadata = isObject(message.metadata) ? message.metadata : {}
  const tools = isObject(metadata.tool) ? metadata.tool : {}
  return message.parts.map((part) => (isObject(part) ? partOf(part, tools) : { type: '' }))
}

function partOf(part: Json, tools: Json): Json {
  if (part.type === 'file') return { ...part, mime: part.mime ?? part.mediaType }
  const call = part.type === 'tool-invocation' && isObject(part.toolInvocation) ? part.toolInvocation : null
  if (!call) return part
  const id = asString(call.toolCallId) ?? ''
  const metadata = Object.hasOwn(tools, id) && isObject(tools[id]) ? tools[id] : {}
  const failed = metadata.error === true
  const output = typeof call.result === 'string' ? call.result : asString(metadata.message)
  return {
    type: 'tool',
    tool: call.toolName,
    callID: id,
    state: {
      status: call.state === 'result' ? (failed ? 'error' : 'completed') : 'running',
      input: call.args,
      ...(failed ? { error: output ?? '' } : { output: output ?? '' }),
      metadata,
      time: metadata.time,
    },
  }
}

/** What such a message says of itself, as later versions say it. */
export function plainMessage(message: Json): Json {
  const metadata = isObject(message.metadata) ? message.metadata : null
  if (!metadata || !Array.isArray(message.parts)) return message
  const assistant = isObject(metadata.assistant) ? metadata.assistant : {}
  return {
    id: message.id,
    role: message.role,
    time: metadata.time,
    path: assistant.path,
    ...(assistant.summary === true ? { summary: true } : {}),
    ...(isObject(metadata.error) ? { error: metadata.error } : {}),
  }
}
