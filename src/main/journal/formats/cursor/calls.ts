import { asString, isObject } from '../../text'
import { type CallReading, isOwnTool, planItem, readCall } from '../claude-code/calls'
import { patchedFiles, patchIn } from '../codex/patch'

// Cursor's tools under the names of the tools they are like, so that one reading serves both. The transcript calls
// them `StrReplace`, the database `search_replace_v2`: case, underscores and versions do not matter.

export type Json = Record<string, unknown>
type Named = [name: string, input: Json]

const BOOKKEEPING = new Set(
  `readlints switchmode updatecurrentstep await readterminal killterminal reapplypatch fetchrules fetchpullrequest
  listmcpresources fetchmcpresource updatememory knowledgebase setactivebranch reflect`.split(/\s+/),
)

const pathOf = (args: Json): string | null =>
  asString(args.path) ??
  asString(args.file_path) ??
  asString(args.filePath) ??
  asString(args.target_file) ??
  asString(args.targetFile) ??
  asString(args.relativeWorkspacePath) ??
  asString(args.relative_workspace_path) ??
  asString(args.target_notebook) ??
  asString(args.effectiveUri)

const folderOf = (args: Json): string | null =>
  asString(args.path) ??
  asString(args.target_directory) ??
  asString(args.targetDirectory) ??
  asString(args.directory_path) ??
  asString(args.directoryPath) ??
  asString(args.relative_workspace_path)

const shell = (args: Json): Named => ['Bash', args]
const edited = (args: Json): Named => [
  'Edit',
  {
    file_path: pathOf(args),
    old_string: args.old_string ?? args.oldString ?? '',
    new_string:
      args.new_string ??
      args.newString ??
      args.code_edit ??
      args.codeEdit ??
      args.streamingContent ??
      args.contents ??
      '',
  },
]
const written = (args: Json): Named => [
  'Write',
  { file_path: pathOf(args), content: args.contents ?? args.content ?? args.code_edit ?? args.codeEdit },
]
const searched = (args: Json): Named => [
  'Grep',
  {
    pattern: args.pattern ?? args.query,
    path: folderOf(args),
    glob: args.glob ?? args.include_pattern ?? args.includePattern,
  },
]
const globbed = (args: Json): Named => [
  'Glob',
  { pattern: args.glob_pattern ?? args.globPattern ?? args.query ?? args.pattern, path: folderOf(args) },
]
const meant = (args: Json): Named => [
  'Grep',
  { pattern: args.query, path: Array.isArray(args.target_directories) ? args.target_directories[0] : null },
]

const NAMES: Record<string, (args: Json) => Named> = {
  shell,
  runterminalcmd: shell,
  runterminalcommand: shell,
  read: (args) => ['Read', { file_path: pathOf(args) }],
  readfile: (args) => ['Read', { file_path: pathOf(args) }],
  strreplace: edited,
  searchreplace: edited,
  multistrreplace: edited,
  editfile: edited,
  editnotebook: edited,
  write: written,
  createfile: written,
  grep: searched,
  grepsearch: searched,
  ripgreprawsearch: searched,
  ripgrepsearch: searched,
  glob: globbed,
  globfilesearch: globbed,
  filesearch: globbed,
  ls: (args) => ['LS', { path: folderOf(args) ?? '.' }],
  listdir: (args) => ['LS', { path: folderOf(args) ?? '.' }],
  semanticsearch: meant,
  semanticsearchfull: meant,
  codebasesearch: meant,
  todowrite: (args) => ['TodoWrite', args],
  task: (args) => ['Task', { ...args, subagent_type: args.subagent_type ?? args.subagentType }],
  websearch: (args) => ['WebSearch', { query: args.search_term ?? args.searchTerm ?? args.query }],
  webfetch: (args) => ['WebFetch', args],
  askquestion: (args) => ['AskUserQuestion', args],
}

/** `run_terminal_command_v2` and `RunTerminalCommand` are one. */
export const plainName = (name: string): string =>
  name
    .replace(/_v\d{1,2}$/i, '')
    .replaceAll('_', '')
    .toLowerCase()

/** Fovea's own tools, however Cursor names the server they came by. */
const isFovea = (name: string, args: Json): boolean =>
  isOwnTool(name) || /^(?:mcp[_-]+)?(?:user-)?fovea\b|^mcp[_-]+fovea/i.test(name) || args.server === 'fovea'

/** The plan Cursor puts to the person: Markdown, and the steps beside it. */
function planOf(args: Json, id: string): CallReading {
  const body = asString(args.plan) ?? ''
  const overview = body === '' ? (asString(args.overview) ?? '') : ''
  const name = asString(args.name)
  const text = body !== '' ? body : overview
  const titled = name && text !== '' && !text.trimStart().startsWith('#') ? `# ${name}\n\n${text}` : text
  return titled === '' ? { skip: 'empty' } : planItem(titled, id, null)
}

function deleted(args: Json): CallReading {
  const path = pathOf(args)
  if (!path) return { skip: 'empty' }
  return { kind: 'file_op', text: `Delete ${path}`, data: { path, op: 'edit' }, importance: 0.45 }
}

/** Reads a tool call. A patch makes several items. */
export function readCursorCalls(name: string, given: unknown, id: string): CallReading[] {
  const args: Json = isObject(given) ? given : typeof given === 'string' ? { patch: given } : {}
  if (isFovea(name, args)) return [{ skip: 'fovea' }]
  const plain = plainName(name)
  if (BOOKKEEPING.has(plain)) return [{ skip: 'bookkeeping' }]
  if (plain === 'delete' || plain === 'deletefile') return [deleted(args)]
  if (plain === 'createplan') return [planOf(args, id)]
  if (plain === 'applypatch') {
    const patch = patchIn(asString(args.patch) ?? asString(args.input) ?? '')
    if (patch !== null) return patchedFiles(patch)
    return [readCall(...edited(args), id)]
  }
  const known = Object.hasOwn(NAMES, plain) ? NAMES[plain] : undefined
  const [as, input] = known ? known(args) : [name, args]
  return [readCall(as, input, id)]
}
