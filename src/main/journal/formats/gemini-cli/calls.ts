import { asString, isObject } from '../../text'
import { type CallReading, readCall } from '../claude-code/calls'

// Gemini CLI's tools under the names of the tools they are like, so that one reading serves both.

type Args = Record<string, unknown>

const NAMES: Record<string, (args: Args) => [name: string, input: Args]> = {
  run_shell_command: (args) => ['Bash', { command: args.command, description: args.description }],
  read_file: (args) => ['Read', { file_path: args.file_path ?? args.absolute_path ?? args.path }],
  write_file: (args) => ['Write', { file_path: args.file_path, content: args.content }],
  replace: (args) => ['Edit', args],
  edit: (args) => ['Edit', args],
  glob: (args) => ['Glob', { pattern: args.pattern, path: args.dir_path ?? args.path }],
  search_file_content: (args) => [
    'Grep',
    { pattern: args.pattern, path: args.dir_path ?? args.path, glob: args.include },
  ],
  grep_search: (args) => [
    'Grep',
    { pattern: args.pattern, path: args.dir_path ?? args.path, glob: args.include },
  ],
  list_directory: (args) => ['LS', { path: args.dir_path ?? args.path }],
  write_todos: (args) => ['TodoWrite', { todos: todosOf(args.todos) }],
  google_web_search: (args) => ['WebSearch', { query: args.query }],
}

const todosOf = (todos: unknown): unknown =>
  Array.isArray(todos)
    ? todos
        .filter(isObject)
        .map((todo) => ({ content: asString(todo.description) ?? '', status: todo.status }))
    : todos

/** Reads a tool call by its name and arguments. */
export function readGeminiCall(name: string, args: unknown, id: string): CallReading {
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  const input = isObject(args) ? args : {}
  const [as, given] = known ? known(input) : [name, input]
  return readCall(as, given, id)
}

/** What a call's result says: `functionResponse.response.output` or `.error`, else what was shown. */
export function resultText(call: Record<string, unknown>): { text: string; failed: boolean } {
  const parts = Array.isArray(call.result) ? call.result : []
  let failed = call.status === 'error'
  const texts = parts.flatMap((part) => {
    const response = isObject(part) && isObject(part.functionResponse) ? part.functionResponse.response : null
    if (!isObject(response)) return []
    const error = asString(response.error)
    if (error) failed = true
    return error ?? asString(response.output) ?? []
  })
  return { text: texts.length > 0 ? texts.join('\n') : (asString(call.resultDisplay) ?? ''), failed }
}

/** The shell tool wraps what a command printed into a report of its own. */
export function shellOutput(text: string): { output: string; exitCode: number | undefined } {
  const output =
    /(?:^|\n)Output: ([\s\S]*?)(?=\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): )/.exec(
      text,
    )
  const code = /(?:^|\n)Exit Code: (\d{1,3})(?:\n|$)/.exec(text)
  const printed = output ? (output[1] ?? '') : text
  return { output: printed === '(empty)' ? '' : printed.trim(), exitCode: code ? Number(code[1]) : undefined }
}
