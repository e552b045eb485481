import { asString, headTail, isObject } from '../../text'
import type { Json } from './envelope'

// What a call's output says: what came out, how it ended, whether the person stepped in.

export interface Output {
  text: string
  exitCode?: number
  /** Failed without an exit code. */
  failed: boolean
  /** The person said no to it. */
  refused: boolean
  /** The turn was stopped while it ran. */
  aborted: boolean
  images: { data: string; mediaType: string }[]
}

const HEAD = 400
const ERROR_LIMIT = 8_000
const OUTPUT_LIMIT = 1_600
const EXIT =
  /(?:^|\n)(?:Exit code:|Process exited with code) (-?\d{1,5})\b|^failed in sandbox .{0,200}exit code: (\d{1,5})\b/
const FAILURE =
  /^(?:error\b|failed\b|exec_command failed|write_stdin failed|unsupported call|apply_patch verification failed|tool call error|unknown (?:tool|process))/i

/** Reads an output of any age: plain text, JSON in a string, an object, a list of parts. */
export function readOutput(payload: Json): Output {
  const { text, exitCode, success, images } = unpack(payload.output ?? payload.result)
  const head = text.slice(0, HEAD)
  const refused = /\brejected by (?:the )?user\b/i.test(head) && exitCode === undefined
  const aborted = !refused && /^(?:Wall time: [^\n]{0,60}\n)?aborted\b/i.test(head.trim())
  const code = exitCode ?? matchedCode(text)
  const failed = success === false || (code === undefined && FAILURE.test(head.trim()))
  return {
    text: body(text),
    ...(code === undefined ? {} : { exitCode: code }),
    failed,
    refused,
    aborted,
    images,
  }
}

interface Unpacked {
  text: string
  exitCode?: number
  success?: boolean
  images: Output['images']
}

function unpack(value: unknown, depth = 0): Unpacked {
  if (typeof value === 'string') return depth === 0 ? fromString(value) : { text: value, images: [] }
  if (Array.isArray(value)) return fromParts(value)
  if (!isObject(value)) return { text: '', images: [] }
  const inner = unpack(value.output ?? value.content ?? '', depth + 1)
  const meta = isObject(value.metadata) ? value.metadata : {}
  const exit = meta.exit_code ?? value.exit_code
  return {
    ...inner,
    ...(typeof exit === 'number' ? { exitCode: exit } : {}),
    ...(typeof value.success === 'boolean' ? { success: value.success } : {}),
  }
}

function fromString(text: string): Unpacked {
  if (!text.startsWith('{')) return { text, images: [] }
  try {
    const value: unknown = JSON.parse(text)
    const known = isObject(value) && (typeof value.output === 'string' || Array.isArray(value.content))
    return known ? unpack(value, 1) : { text, images: [] }
  } catch {
    return { text, images: [] }
  }
}

function fromParts(parts: readonly unknown[]): Unpacked {
  const texts: string[] = []
  const images: Output['images'] = []
  for (const part of parts.filter(isObject)) {
    const text = asString(part.text)
    if (text) texts.push(text)
    const image = pictureIn(part.image_url ?? part.url)
    if (image) images.push(image)
  }
  return { text: texts.join('\n'), images }
}

/** A picture given as a data URL; null for anything else. */
export function pictureIn(value: unknown): { data: string; mediaType: string } | null {
  const url = isObject(value) ? value.url : value
  if (typeof url !== 'string') return null
  const match = /^data:([\w.+/-]{1,60});base64,/.exec(url.slice(0, 100))
  return match ? { data: url.slice(match[0].length), mediaType: match[1] ?? '' } : null
}

function matchedCode(text: string): number | undefined {
  const match = EXIT.exec(text.slice(0, HEAD))
  return match ? Number(match[1] ?? match[2]) : undefined
}

/** What was printed, without the lines the program puts in front. */
function body(text: string): string {
  const head = text.slice(0, HEAD)
  const at = /(?:^|\n)Output:\n/.exec(head)
  const framed = at !== null && /^(?:Exit code:|Chunk ID:|Wall time:|Process )/.test(head)
  return (framed && at ? text.slice(at.index + at[0].length) : text).trim()
}

/** What a finished command printed, shortened. */
export const printed = (text: string): string => headTail(text, OUTPUT_LIMIT)

/** What a failed call says, shortened. */
export const complaint = (text: string): string => headTail(text, ERROR_LIMIT)

/** The person's choices, one `question → answer` a line; null when nothing was chosen. */
export function answersIn(payload: Json, questions: ReadonlyMap<string, string>): string | null {
  const { output } = payload
  let value: unknown = output
  if (typeof output === 'string') {
    try {
      value = JSON.parse(output)
    } catch {
      return null
    }
  }
  const answers = isObject(value) && isObject(value.answers) ? value.answers : null
  if (!answers) return null
  const lines = Object.entries(answers).flatMap(([id, answer]) => {
    const given = isObject(answer) ? answer.answers : answer
    const words = (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'string')
    const said = words.map((word) => word.replace(/^user_note:\s*/, '')).join(', ')
    return said === '' ? [] : [`${questions.get(id) ?? id} → ${said}`]
  })
  return lines.length === 0 ? null : lines.join('\n')
}
