import type { ItemKind } from '../../../../shared/domain'
import { planHash } from '../../handles'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject } from '../../text'

// What a tool call is in the journal, from the call alone. Its result completes it later (results.ts).

export interface CallItem {
  kind: ItemKind
  text: string
  data: ItemData
  importance: number
}
/** A call that is no item: counted under a reason, or (a question) held by the decision that answers it. */
export type CallReading = CallItem | { skip: string } | { held: true }

export const TEXT_LIMIT = 8_000
const COMMAND_LIMIT = 16_000
const NOTE_LIMIT = 12_000

const BOOKKEEPING = new Set([
  'TaskUpdate',
  'TaskList',
  'TaskGet',
  'TaskOutput',
  'TaskStop',
  'BashOutput',
  'KillBash',
  'KillShell',
  'AgentOutputTool',
  'ToolSearch',
  'EnterPlanMode',
  'EnterWorktree',
  'ExitWorktree',
  'ListMcpResourcesTool',
])

type Input = Record<string, unknown>
type Reader = (input: Input, id: string, name: string) => CallReading

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const bash: Reader = (input) => {
  const command = text(input.command)
  if (command.trim() === '') return { skip: 'empty' }
  const description = asString(input.description)
  const kept = headTail(command, COMMAND_LIMIT)
  return {
    kind: 'command',
    text: description ? `# ${firstLine(description, 200)}\n$ ${kept}` : `$ ${kept}`,
    data: { command: kept, failed: false },
    importance: /\bgit (commit|push|merge|rebase|revert)|\b(npm|yarn|pnpm) publish|\bdeploy/.test(command)
      ? 0.5
      : 0.4,
  }
}

const read: Reader = (input) => {
  const path = asString(input.file_path) ?? asString(input.notebook_path)
  if (!path) return { skip: 'empty' }
  return { kind: 'file_op', text: `Read ${path}`, data: { path, op: 'read' }, importance: 0.15 }
}

const search: Reader = (input, _id, name) => {
  const pattern = asString(input.pattern) ?? asString(input.query) ?? ''
  const path = asString(input.path) ?? '.'
  const filter = asString(input.glob) ?? asString(input.type)
  const line = pattern ? `${name} ${headTail(pattern, 1000)} in ${path}` : `${name} ${path}`
  return {
    kind: 'file_op',
    text: filter ? `${line} (${filter})` : line,
    data: { path, op: 'search' },
    importance: 0.15,
  }
}

const prefixed = (sign: string, value: string): string => (value === '' ? '' : value.replace(/^/gm, sign))

function change(before: string, after: string): { text: string; added: number; removed: number } {
  const lines = (value: string): number => (value === '' ? 0 : value.split('\n').length)
  const shown = [
    prefixed('-', headTail(before, TEXT_LIMIT / 2)),
    prefixed('+', headTail(after, TEXT_LIMIT / 2)),
  ]
  return { text: shown.filter((part) => part !== '').join('\n'), added: lines(after), removed: lines(before) }
}

const edit: Reader = (input) => {
  const path = asString(input.file_path) ?? asString(input.notebook_path)
  if (!path) return { skip: 'empty' }
  const edits = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input]
  const parts = edits.map((one) => change(text(one.old_string), text(one.new_string) || text(one.new_source)))
  return {
    kind: 'file_op',
    text: headTail(`Edit ${path}\n${parts.map((part) => part.text).join('\n')}`, TEXT_LIMIT),
    data: { path, op: 'edit', added: sum(parts, 'added'), removed: sum(parts, 'removed') },
    importance: 0.45,
  }
}
const sum = (parts: readonly { added: number; removed: number }[], key: 'added' | 'removed'): number =>
  parts.reduce((total, part) => total + part[key], 0)

const write: Reader = (input) => {
  const path = asString(input.file_path)
  if (!path) return { skip: 'empty' }
  const content = text(input.content)
  const added = content === '' ? 0 : content.split('\n').length
  return {
    kind: 'file_op',
    text: `Write ${path}\n${headTail(content, TEXT_LIMIT)}`,
    data: { path, op: 'write', added },
    importance: 0.45,
  }
}

const agent: Reader = (input, _id, name) => {
  const kind = asString(input.subagent_type)
  const head = `${kind ? `${name} (${kind})` : name}: ${firstLine(text(input.description), 200)}`
  return {
    kind: 'note',
    text: `${head}\n${headTail(text(input.prompt), NOTE_LIMIT)}`.trim(),
    data: {},
    importance: 0.4,
  }
}

const todos: Reader = (input) => {
  if (!Array.isArray(input.todos)) return { skip: 'empty' }
  const marks: Record<string, string> = { completed: 'x', in_progress: '>', pending: ' ' }
  const lines = input.todos
    .filter(isObject)
    .map((todo) => `- [${marks[text(todo.status)] ?? ' '}] ${text(todo.content)}`)
  if (lines.length === 0) return { skip: 'empty' }
  return { kind: 'plan', text: headTail(lines.join('\n'), TEXT_LIMIT), data: { todo: true }, importance: 0.3 }
}

const taskCreate: Reader = (input) => {
  const subject = asString(input.subject)
  if (!subject) return { skip: 'empty' }
  const body = `- [ ] ${subject}\n${text(input.description)}`.trim()
  return { kind: 'plan', text: headTail(body, TEXT_LIMIT), data: { todo: true }, importance: 0.3 }
}

/** A plan put to the person. Its text may be empty: then the plan stands only in a file. */
export function planItem(plan: string, toolUseId: string, planFile: string | null): CallItem {
  return {
    kind: 'plan',
    text: plan,
    data: {
      gate: { toolUseId },
      ...(planFile ? { planFile } : {}),
      ...(plan.trim() === '' ? {} : { planHash: planHash(plan) }),
    },
    importance: 0.8,
  }
}

const exitPlanMode: Reader = (input, id) => planItem(text(input.plan), id, asString(input.planFilePath))

const other: Reader = (input, _id, name) => {
  const subject = asString(input.url) ?? asString(input.query) ?? asString(input.skill)
  const body = subject ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input))
  return { kind: 'note', text: `${name} ${headTail(body, 2000)}`.trim(), data: {}, importance: 0.25 }
}

const READERS: Record<string, Reader> = {
  Bash: bash,
  Read: read,
  NotebookRead: read,
  Grep: search,
  Glob: search,
  LS: search,
  Edit: edit,
  MultiEdit: edit,
  NotebookEdit: edit,
  Write: write,
  Task: agent,
  Agent: agent,
  TodoWrite: todos,
  TaskCreate: taskCreate,
  ExitPlanMode: exitPlanMode,
  AskUserQuestion: () => ({ held: true }),
}

/** Fovea's own answers must never come back as memory. */
export const isOwnTool = (name: string): boolean => /^mcp__(plugin_)?fovea/.test(name)

/** Reads one `tool_use` block. Tools nobody here knows become notes. */
export function readCall(name: string, input: unknown, id: string): CallReading {
  if (isOwnTool(name)) return { skip: 'fovea' }
  if (BOOKKEEPING.has(name)) return { skip: 'bookkeeping' }
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined
  return (reader ?? other)(isObject(input) ? input : {}, id, name)
}
