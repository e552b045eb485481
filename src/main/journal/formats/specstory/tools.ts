import { asString, headTail } from '../../text'
import { type CallReading, planItem, readCall, TEXT_LIMIT } from '../claude-code/calls'
import { outputText } from '../claude-code/results'
import { SHELLS, type ToolSegment } from './body'

// A rendering shows a call as its writer liked it: the input often only in part, the result nearly always.

type Reader = (tool: ToolSegment, id: string) => CallReading

/** The text of a tool's result. */
export const resultOf = ({ fences, lead }: ToolSegment): string => {
  const result = fences.filter((fence) => !SHELLS.has(fence.info)).map((fence) => fence.text)
  return (result.length > 0 ? result.join('\n') : lead).trim()
}

const inline = (text: string): string | null => /(?:^|[\s])`([^`\n]{1,4000})`/.exec(text)?.[1] ?? null

/** The command of a shell block: in back-ticks at the end of what stands before the result, or in a fence of its own. */
function commandOf({ lead, fences, summary }: ToolSegment): { command: string; about: string } {
  const fenced = fences.find((fence) => SHELLS.has(fence.info))
  if (fenced) return { command: fenced.text.trim(), about: lead }
  const from = lead.startsWith('`') ? 0 : lead.indexOf('\n`') + 1
  const quoted = from === 0 && !lead.startsWith('`') ? '' : lead.slice(from).trim()
  if (quoted.length > 2 && quoted.endsWith('`')) {
    return { command: quoted.slice(1, -1), about: lead.slice(0, from).trim() }
  }
  return { command: summary.replace(/^`|`$/g, '') || lead, about: '' }
}

const shell: Reader = (tool, id) => {
  const { command, about } = commandOf(tool)
  const reading = readCall('Bash', { command, description: about }, id)
  if (!('kind' in reading)) return reading
  const output = outputText(resultOf({ ...tool, lead: '' }))
  return output === '' ? reading : { ...reading, text: `${reading.text}\n${output}` }
}

const UPDATED =
  /(?:^|\n)(?:The file (\S[^\n]{0,600}?) has been |File created successfully at: (\S[^\n]{0,600})|Successfully \w{1,20}(?: \w{1,20}){0,5} file: ([^\s]{1,600}?)\.?(?:\n|$))/
const NAMED = /\b(?:file|path|directory):? +`?([^\s`]{1,600})`?/i

/** The file a block is about, wherever the rendering names it. */
function pathOf(tool: ToolSegment): string | null {
  const said = UPDATED.exec(resultOf({ ...tool, lead: '' }).slice(0, 2_000))
  return NAMED.exec(tool.summary)?.[1] ?? inline(tool.lead) ?? said?.[1] ?? said?.[2] ?? said?.[3] ?? null
}

const read: Reader = (tool, id) => {
  const path = pathOf(tool)
  return path ? readCall('Read', { file_path: path }, id) : other(tool, id)
}

const write: Reader = (tool, id) => {
  const path = pathOf(tool)
  const written = tool.fences.map((fence) => fence.text).join('\n')
  const isWrite = /write|create/i.test(tool.name)
  if (!path) return other(tool, id)
  if (isWrite) return readCall('Write', { file_path: path, content: written }, id)
  const body = headTail(written, TEXT_LIMIT)
  return {
    kind: 'file_op',
    text: `Edit ${path}\n${body}`.trim(),
    data: { path, op: 'edit' },
    importance: 0.45,
  }
}

const search: Reader = (tool, id) => {
  const pattern =
    /pattern `([^`\n]{1,1000})`/.exec(tool.lead)?.[1] ??
    /["“'`]([^"”'`\n]{1,1000})["”'`]/.exec(tool.summary)?.[1]
  const path = /path `([^`\n]{1,600})`/.exec(tool.lead)?.[1]
  if (!pattern && !path) return other(tool, id)
  const known = ['Grep', 'Glob', 'LS'].includes(tool.name) ? tool.name : 'Grep'
  return readCall(known, { pattern, path }, id)
}

const task: Reader = (tool) => {
  const lines = tool.lead.split('\n').filter((line) => /^\s*- \[.{1,3}\]/u.test(line))
  if (lines.length === 0) return { skip: 'bookkeeping' }
  return { kind: 'plan', text: headTail(lines.join('\n'), TEXT_LIMIT), data: { todo: true }, importance: 0.3 }
}

const other: Reader = (tool) => {
  const about = asString(tool.lead) ?? asString(tool.summary) ?? ''
  const head = `${tool.name} ${headTail(about, 2_000)}`.trim()
  const report = headTail(resultOf({ ...tool, lead: '' }), 6_000)
  // What failed before it began is told by its error alone.
  if (about === '' && (report === '' || report.startsWith('<tool_use_error>'))) return { skip: 'empty' }
  return { kind: 'note', text: report === '' ? head : `${head}\n→ ${report}`, data: {}, importance: 0.25 }
}

const READERS: Record<string, Reader> = { shell, read, write, search, task }

/** What a tool block is in the journal, apart from what the person decided about it. */
export function readTool(tool: ToolSegment, id: string): CallReading {
  if (tool.name === 'ExitPlanMode') return planItem('', id, null)
  if (tool.name === 'AskUserQuestion') return { held: true }
  const known = readCall(tool.name, {}, id)
  if ('skip' in known && known.skip !== 'empty') return known
  const reader = Object.hasOwn(READERS, tool.type) ? READERS[tool.type] : undefined
  return (reader ?? other)(tool, id)
}

/** The person's answers to questions, where the block shows them. */
export function questionAnswer(tool: ToolSegment): string | null {
  const text = [tool.lead, ...tool.fences.map((fence) => fence.text)].join('\n')
  const answer = /\*\*Answers?:\*\*\s*([\s\S]{1,20000})$/.exec(text)?.[1]?.trim()
  if (!answer) return null
  const questions = [...text.matchAll(/^\*\*([^*\n]{1,500}\?)\*\*\s*$/gm)].map((match) => match[1])
  return `${questions.join(' ')} → ${answer}`.trim()
}
