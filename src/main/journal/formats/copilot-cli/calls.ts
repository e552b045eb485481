import { asString, headTail, isObject } from '../../text'
import { type CallReading, isOwnTool, planItem, readCall } from '../claude-code/calls'
import { patchedFiles, patchIn } from '../codex/patch'

// Copilot CLI's tools under the names of the tools they are like, so that one reading serves both.

export type Json = Record<string, unknown>
type Named = [name: string, input: Json]

const BOOKKEEPING = new Set(
  `report_intent read_bash stop_bash list_bash read_powershell stop_powershell list_powershell read_agent list_agents
  fetch_copilot_cli_documentation update_todo_status sql task_complete`.split(/\s+/),
)

const NAMES: Record<string, (args: Json) => Named> = {
  bash: (args) => ['Bash', args],
  powershell: (args) => ['Bash', args],
  write_bash: (args) => ['Bash', { command: args.input, description: 'typed into a running command' }],
  view: (args) => ['Read', { file_path: args.path }],
  show_file: (args) => ['Read', { file_path: args.path }],
  create: (args) => ['Write', { file_path: args.path, content: args.file_text }],
  edit: (args) => edited(args),
  str_replace_editor: (args) => {
    if (args.command === 'view') return ['Read', { file_path: args.path }]
    if (args.command === 'create') return ['Write', { file_path: args.path, content: args.file_text }]
    return edited(args)
  },
  glob: (args) => ['Glob', args],
  grep: (args) => ['Grep', args],
  rg: (args) => ['Grep', args],
  task: (args) => ['Task', { ...args, subagent_type: args.agent_type }],
  web_fetch: (args) => ['WebFetch', args],
  web_search: (args) => ['WebSearch', args],
  skill: (args) => ['Skill', args],
  ask_user: (args) => ['AskUserQuestion', args],
}

const edited = (args: Json): Named => [
  'Edit',
  {
    file_path: args.path,
    old_string: args.old_str,
    new_string: args.new_str ?? args.insert_text,
  },
]

/** Arguments are an object, in older files JSON in a string. */
export function argumentsOf(given: unknown): Json {
  if (isObject(given)) return given
  if (typeof given !== 'string') return {}
  try {
    const value: unknown = JSON.parse(given)
    return isObject(value) ? value : { input: given }
  } catch {
    return { input: given }
  }
}

/** Reads a tool call. A patch makes several items. */
export function readCalls(name: string, given: unknown, id: string): CallReading[] {
  const args = argumentsOf(given)
  if (isOwnTool(name) || /^fovea\b/.test(name)) return [{ skip: 'fovea' }]
  if (BOOKKEEPING.has(name)) return [{ skip: 'bookkeeping' }]
  if (name === 'exit_plan_mode') {
    return [
      planItem(asString(args.planContent) ?? asString(args.plan) ?? asString(args.summary) ?? '', id, null),
    ]
  }
  if (name === 'update_todo') return [todos(asString(args.todos) ?? '')]
  const patch = name === 'apply_patch' ? patchIn(asString(args.input) ?? asString(args.patch) ?? '') : null
  if (patch !== null) return patchedFiles(patch)
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  const [as, input] = known ? known(args) : [name, args]
  return [readCall(as, input, id)]
}

function todos(text: string): CallReading {
  if (text.trim() === '') return { skip: 'empty' }
  return { kind: 'plan', text: headTail(text.trim(), 8_000), data: { todo: true }, importance: 0.3 }
}
