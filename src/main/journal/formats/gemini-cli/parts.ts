import { stripInjected } from '../../injected'
import { asString, isObject, normalise } from '../../text'

// The parts of a message's content, which is a string or parts like the API's.

type Json = Record<string, unknown>

/** What the program itself says in the person's name, or in the agent's. */
const MACHINE: readonly (readonly [prefix: string, reason: string])[] = [
  ['<session_context>', 'injected'],
  ['<hook_context>', 'hook-output'],
  ['<state_snapshot>', 'compaction-summary'],
  ['Got it. Thanks for the additional context', 'machine-text'],
  ['This is the Gemini CLI. We are setting up the context', 'injected'],
]
const REFERENCED = '--- Content from referenced files ---'

export interface Parts {
  text: string
  /** Why nothing is left of it. */
  machine: string | null
  images: { data: unknown; mediaType: unknown }[]
}

/** Prose and pictures of a message: what was typed, not what was put around it. */
export function partsOf(message: Json): Parts {
  const found: Parts = { text: '', machine: null, images: [] }
  const shown = message.displayContent ?? message.content
  const texts: string[] = []
  for (const part of listOf(shown)) {
    const text = textOf(part)
    if (text === null || text.startsWith(REFERENCED)) {
      // What the model was given of the files a prompt names is the files' text, to the end.
      if (text !== null) break
      continue
    }
    const machine = MACHINE.find(([prefix]) => text.trimStart().startsWith(prefix))
    if (machine) found.machine ??= machine[1]
    else texts.push(text)
  }
  for (const part of listOf(message.content)) {
    const inline = isObject(part) && isObject(part.inlineData) ? part.inlineData : null
    if (inline) found.images.push({ data: inline.data, mediaType: inline.mimeType })
  }
  const raw = texts.join('\n')
  const cut = raw.indexOf(`\n${REFERENCED}`)
  found.text = normalise(stripInjected(cut === -1 ? raw : raw.slice(0, cut))).trim()
  return found
}

const listOf = (content: unknown): unknown[] =>
  Array.isArray(content) ? content : content === undefined || content === null ? [] : [content]

/** The words of a part; null for a thought, a picture, a tool's result. */
function textOf(part: unknown): string | null {
  if (typeof part === 'string') return part
  return isObject(part) && part.thought !== true ? asString(part.text) : null
}
