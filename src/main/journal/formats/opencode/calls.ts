import { asString, headTail, isObject } from '../../text'
import { type CallReading, isOwnTool, planItem, readCall } from '../claude-code/calls'
import { patchedFiles, patchIn } from '../codex/patch'

// opencode's tools under the names of the tools they are like, so that one reading serves both.

export type Json = Record<string, unknown>

const BOOKKEEPING = new Set(['todoread', 'plan_enter', 'invalid', 'batch', 'lsp_hover', 'lsp_diagnostics'])

const NAMES: Record<string, (args: Json) => [name: string, input: Json]> = {
  bash: (args) => ['Bash', args],
  shell: (args) => ['Bash', args],
  read: (args) => ['Read', { file_path: args.filePath ?? args.path }],
  write: (args) => ['Write', { file_path: args.filePath ?? args.path, content: args.content }],
  edit: (args) => ['Edit', edit(args)],
  multiedit: (args) => [
    'MultiEdit',
    {
      file_path: args.filePath,
      edits: Array.isArray(args.edits) ? args.edits.filter(isObject).map(edit) : [],
    },
  ],
  glob: (args) => ['Glob', args],
  grep: (args) => ['Grep', { ...args, glob: args.include }],
  list: (args) => ['LS', args],
  ls: (args) => ['LS', args],
  webfetch: (args) => ['WebFetch', args],
  websearch: (args) => ['WebSearch', args],
  codesearch: (args) => ['WebSearch', args],
  task: (args) => ['Task', args],
  todowrite: (args) => ['TodoWrite', args],
  skill: (args) => ['Skill', { skill: args.name }],
  question: (args) => ['AskUserQuestion', args],
}

const edit = (args: Json): Json => ({
  file_path: args.filePath ?? args.path,
  old_string: args.oldString,
  new_string: args.newString,
})

/** Reads a tool call. A patch makes several items. */
export function readOpencodeCalls(name: string, given: unknown, id: string): CallReading[] {
  const args: Json = isObject(given) ? given : {}
  if (isOwnTool(name) || /^fovea[_-]/.test(name)) return [{ skip: 'fovea' }]
  if (BOOKKEEPING.has(name)) return [{ skip: 'bookkeeping' }]
  // The plan stands in a file; what the call holds of it is shown.
  if (name === 'plan_exit') return [planItem(asString(args.plan) ?? '', id, asString(args.path))]
  const patch = patchIn(asString(args.patchText) ?? asString(args.patch) ?? '')
  if ((name === 'patch' || name === 'apply_patch') && patch !== null) return patchedFiles(patch)
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  const [as, input] = known ? known(args) : [name, args]
  return [readCall(as, input, id)]
}

export interface Result {
  text: string
  exitCode: number | null
  failed: boolean
  /** The person said no; with what words. */
  refused: string | null
}

const REFUSED =
  /\b(?:user (?:rejected|denied|declined|dismissed)|(?:rejected|denied|dismissed) (?:by|this))\b/i
const FEEDBACK = /following feedback: ?([\s\S]+)$/i

/** What a call's state says of its end. A shell's failure is its exit code, not its text. */
export function readState(state: Json): Result {
  const metadata = isObject(state.metadata) ? state.metadata : {}
  const error = asString(state.error)
  const failed = state.status === 'error'
  const exitCode = typeof metadata.exit === 'number' ? metadata.exit : null
  const text = failed && error ? error : (asString(state.output) ?? asString(metadata.output) ?? '')
  const refused = failed && error !== null && REFUSED.test(error.slice(0, 400))
  return {
    text,
    exitCode,
    failed: failed || (exitCode !== null && exitCode !== 0),
    refused: refused ? headTail(FEEDBACK.exec(error)?.[1]?.trim() ?? '', 20_000) : null,
  }
}

/** `[["yes"],["a","b"]]` beside the questions, one `question → answer` a line. */
export function answersIn(args: unknown, state: Json): string {
  const metadata = isObject(state.metadata) ? state.metadata : {}
  const questions = isObject(args) && Array.isArray(args.questions) ? args.questions.filter(isObject) : []
  const answers = Array.isArray(metadata.answers) ? metadata.answers : []
  return answers
    .map((answer, at) => {
      const given = Array.isArray(answer) ? answer.map(String).join(', ') : String(answer ?? '')
      return given === '' ? '' : `${asString(questions[at]?.question) ?? 'Answer'} → ${given}`
    })
    .filter((line) => line !== '')
    .join('\n')
}
