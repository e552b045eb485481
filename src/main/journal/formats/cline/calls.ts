import { isObject } from '../../text'
import { type CallReading, readCall } from '../claude-code/calls'

// Cline's and Roo's tools under the names of the tools they are like, so that one reading serves all.

type Input = Record<string, unknown>

const NAMES: Record<string, (input: Input) => [name: string, input: Input]> = {
  execute_command: (input) => ['Bash', { command: input.command }],
  read_file: (input) => ['Read', { file_path: pathOf(input) }],
  write_to_file: (input) => ['Write', { file_path: input.path, content: input.content }],
  replace_in_file: (input) => ['Edit', { file_path: input.path, edits: editsOf(input.diff) }],
  apply_diff: (input) => ['Edit', { file_path: input.path, edits: editsOf(input.diff) }],
  search_files: (input) => ['Grep', { pattern: input.regex, path: input.path, glob: input.file_pattern }],
  list_files: (input) => ['LS', { path: input.path }],
  list_code_definition_names: (input) => ['LS', { path: input.path }],
}

/** Roo nests the path: <args><file><path>a.ts</path></file></args>. */
function pathOf(input: Input): unknown {
  if (input.path !== undefined) return input.path
  const nested =
    typeof input.args === 'string' ? /<path>([^<]{1,1000})<\/path>/.exec(input.args)?.[1] : undefined
  return nested?.trim()
}

const BLOCK = /(?:<{7}|-{7}) SEARCH[^\n]*\n([\s\S]*?)\n?={7}\n([\s\S]*?)\n?(?:>{7}|\+{7}) REPLACE/g
const DIFF_LIMIT = 200_000

function editsOf(diff: unknown): Input[] {
  if (typeof diff !== 'string') return [{}]
  const blocks = [...diff.slice(0, DIFF_LIMIT).matchAll(BLOCK)]
  return blocks.map(([, before, after]) => ({ old_string: withoutHead(before ?? ''), new_string: after }))
}

/** Roo writes a line number in front of what is searched. */
const withoutHead = (text: string): string => text.replace(/^:start_line:\d+\s*\n(?:-{7}\n)?/, '')

/** Reads a call by its name and input; questions and answers to the person are read elsewhere. */
export function readClineCall(name: string, input: unknown, id: string): CallReading {
  const given = isObject(input) ? input : {}
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  const [as, as_given] = known ? known(given) : [name, given]
  return readCall(as, as_given, id)
}
