import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import { type CallItem, isOwnTool, TEXT_LIMIT } from '../claude-code/calls'
import type { Json } from './envelope'
import { patchedFiles, patchIn } from './patch'

// What a tool call is in the journal, from the call alone. Its output completes it later (outputs.ts).

export type CallReading = { items: CallItem[] } | { skip: string } | { held: true }

const COMMAND_LIMIT = 16_000
const NOTE_LIMIT = 12_000
const BOOKKEEPING = new Set([
  'wait',
  'wait_agent',
  'close_agent',
  'resume_agent',
  'list_agents',
  'tool_search',
])

/** Name of the tool a call goes to; MCP tools carry their server's name beside it. */
export function toolOf(payload: Json): string {
  if (payload.type === 'local_shell_call') return 'local_shell'
  if (payload.type === 'web_search_call') return 'web_search'
  const name = asString(payload.name) ?? ''
  const space = asString(payload.namespace)
  return space && !name.startsWith(space) ? `${space}${space.endsWith('__') ? '' : '__'}${name}` : name
}

/** Reads the payload of any kind of call. */
export function readCall(payload: Json): CallReading {
  const tool = toolOf(payload)
  if (isOwnTool(tool)) return { skip: 'fovea' }
  if (BOOKKEEPING.has(tool)) return { skip: 'bookkeeping' }
  const input = inputOf(payload)
  switch (tool) {
    case 'shell':
    case 'local_shell':
    case 'shell_command':
    case 'exec_command':
    case 'container.exec':
    case 'exec':
      return shell(commandOf(input))
    case 'write_stdin':
      return typed(input)
    case 'apply_patch':
      return patched(asString(input.input) ?? asString(input.patch) ?? asString(input.raw) ?? '')
    case 'update_plan':
      return todos(input)
    case 'request_user_input':
      return { held: true }
    case 'view_image':
      return viewed(input)
    case 'web_search':
      return note(`web_search ${asString(actionOf(payload).query) ?? asString(input.query) ?? ''}`)
    case 'spawn_agent':
    case 'send_input':
      return agent(tool, input)
    default:
      return note(`${tool} ${Object.keys(input).length === 0 ? '' : headTail(JSON.stringify(input), 2_000)}`)
  }
}

const actionOf = (payload: Json): Json => (isObject(payload.action) ? payload.action : {})

/** A call's arguments are JSON in a string, a custom tool's input is plain text. */
function inputOf(payload: Json): Json {
  if (payload.type === 'local_shell_call') return actionOf(payload)
  const given = payload.arguments ?? payload.input
  if (isObject(given)) return given
  if (typeof given !== 'string') return {}
  if (payload.type === 'custom_tool_call') return { raw: given }
  try {
    const value: unknown = JSON.parse(given)
    return isObject(value) ? value : { raw: given }
  } catch {
    return { raw: given }
  }
}

function commandOf(input: Json): string {
  const given = input.cmd ?? input.command ?? input.raw
  if (typeof given === 'string') return given
  if (!Array.isArray(given)) return ''
  const words = given.map(String)
  // `bash -lc "…"`: the script is what was run.
  const script =
    words.length >= 3 && /^-(?:l?c|Command)$/i.test(words.at(-2) ?? '') ? words.at(-1) : undefined
  if (script !== undefined) return script
  return words[0] === 'apply_patch' ? words.slice(1).join('\n') : words.join(' ')
}

function shell(command: string): CallReading {
  if (command.trim() === '') return { skip: 'empty' }
  const patch =
    /^\s*(?:cd [^\n;&]{1,400}&&\s*)?(?:apply_patch|\*\*\* Begin Patch)/.test(command) && patchIn(command)
  if (patch) return patched(command)
  const kept = headTail(command, COMMAND_LIMIT)
  const weighty = /\bgit (commit|push|merge|rebase|revert)|\b(npm|yarn|pnpm) publish|\bdeploy/.test(kept)
  return one('command', `$ ${kept}`, { command: kept, failed: false }, weighty ? 0.5 : 0.4)
}

function typed(input: Json): CallReading {
  const chars = asString(input.chars)?.trim() ?? ''
  if (chars === '') return { skip: 'bookkeeping' }
  const kept = headTail(chars, COMMAND_LIMIT)
  return one('command', `> ${kept}`, { command: kept, failed: false }, 0.3)
}

function patched(text: string): CallReading {
  const items = patchedFiles(patchIn(text) ?? text)
  return items.length === 0 ? { skip: 'empty' } : { items }
}

function todos(input: Json): CallReading {
  const marks: Record<string, string> = { completed: 'x', in_progress: '>', pending: ' ' }
  const lines = (Array.isArray(input.plan) ? input.plan : [])
    .filter(isObject)
    .map((step) => `- [${marks[String(step.status)] ?? ' '}] ${asString(step.step) ?? ''}`)
  if (lines.length === 0) return { skip: 'empty' }
  const why = asString(input.explanation)
  return one('plan', headTail([...(why ? [why] : []), ...lines].join('\n'), TEXT_LIMIT), { todo: true }, 0.3)
}

function viewed(input: Json): CallReading {
  const path = asString(input.path)
  return path ? one('file_op', `Read ${path}`, { path, op: 'read' }, 0.15) : { skip: 'empty' }
}

function agent(tool: string, input: Json): CallReading {
  const kind = asString(input.agent_type)
  const words = asString(input.message) ?? asString(input.prompt) ?? ''
  const head = `${kind ? `${tool} (${kind})` : tool}: ${firstLine(words, 200)}`
  return one('note', `${head}\n${headTail(words, NOTE_LIMIT)}`.trim(), {}, 0.4)
}

const note = (text: string): CallReading => one('note', text.trim(), {}, 0.25)

const one = (
  kind: CallItem['kind'],
  text: string,
  data: CallItem['data'],
  importance: number,
): CallReading => ({ items: [{ kind, text: normalise(text), data, importance }] })

/** The questions of `request_user_input`, by id. */
export function questionsOf(payload: Json): Map<string, string> {
  const { questions } = inputOf(payload)
  const found = new Map<string, string>()
  for (const question of Array.isArray(questions) ? questions.filter(isObject) : []) {
    const id = asString(question.id) ?? asString(question.header)
    if (id) found.set(id, asString(question.question) ?? id)
  }
  return found
}
