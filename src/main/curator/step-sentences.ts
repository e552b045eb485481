import { clip, SENTENCE } from './clip'
import { pathTail, withinProject } from './short-path'

// What a single step did, said by rules from its data.

export interface Step {
  kind: string
  text: string
  tool: string | null
  data: Record<string, unknown>
  /** The folder the session worked in; paths inside it are told from there. */
  cwd: string | null
}

const VERBS: Record<string, string> = { read: 'Read', write: 'Wrote', edit: 'Edited' }

/** One sentence for a file operation, a command, an error, a decision or a picture; null for any other kind. */
export function stepSentence(step: Step): string | null {
  switch (step.kind) {
    case 'file_op':
      return fileSentence(step)
    case 'command':
      return commandSentence(step)
    case 'error':
      return errorSentence(step)
    case 'decision':
      return decisionSentence(step)
    case 'image':
      return imageSentence(step)
    default:
      return null
  }
}

function fileSentence({ data, text, cwd }: Step): string | null {
  if (string(data.path) === '') return null
  const path = pathTail(withinProject(string(data.path), cwd), 160)
  // What was searched for stands in the text only.
  if (data.op === 'search') return clip(firstLine(text) || `Searched ${path}`, SENTENCE)
  const [added, removed] = [number(data.added), number(data.removed)]
  const change = [added ? `+${added}` : '', removed ? `−${removed}` : ''].filter(Boolean).join(' ')
  return `${VERBS[string(data.op)] ?? 'Used'} ${path}${change ? ` (${change})` : ''}`
}

function commandSentence({ data, text }: Step): string | null {
  const command = firstLine(string(data.command))
  if (command === '') return null
  const said = `Ran ${clip(command, 140)}`
  if (data.failed !== true) return said
  const exit = number(data.exitCode) === null ? '' : `, exit ${number(data.exitCode)}`
  const why = errorLine(text)
  return clip(`${said}: failed${exit}${why && !command.includes(why) ? `: ${why}` : ''}`, SENTENCE)
}

function errorSentence({ data, text, tool, cwd }: Step): string {
  const what =
    firstLine(string(data.command)) ||
    withinProject(string(data.path), cwd) ||
    string(data.tool) ||
    tool ||
    ''
  const why = errorLine(text)
  return clip([what && `${clip(what, 100)} failed`, why].filter(Boolean).join(': ') || 'Failed', SENTENCE)
}

function decisionSentence({ data, text }: Step): string | null {
  // The journal tells a decision as a sentence already, with the words that came with it behind.
  if (text.trim() !== '') return clip(text, SENTENCE)
  const of = string(data.of)
  const words = clip(string(data.words), 180)
  const object = of === 'plan' ? 'the plan' : string(data.tool) || (of === 'tool' ? 'a tool call' : '')
  const said =
    { approve: 'Approved', refused: 'Refused', 'bare-stop': 'Stopped', answered: 'Answered' }[
      string(data.verdict)
    ] ?? ''
  if (said === '') return null
  const edited = data.edited === true ? ' with edits' : ''
  const head = said === 'Answered' ? said : [said, object].filter(Boolean).join(' ') + edited
  return clip(words ? `${head}: ${words}` : head, SENTENCE)
}

function imageSentence({ data }: Step): string {
  const size = number(data.width) && number(data.height) ? `, ${data.width}×${data.height}` : ''
  return `Picture, ${string(data.mediaType) || 'unknown type'}${size}`
}

/** Lines of an output that are read for its error, from the end. */
const LINES = 200

/** Says where or what kind: worth more than a line that only says that something failed. */
const PRECISE =
  /\b(?:error|exception|fatal|panic)\b.{0,80}:|\w(?:Error|Exception)\b|\.[A-Za-z]{1,5}:\d+:\d+\b/i
const ERRNO = /\bE[A-Z]{4,}\b/
const TROUBLE =
  /\b(?:error|exception|fatal|failed|failure|failing|cannot|can't|could not|not found|denied|refused|rejected|no such|undefined|unexpected|invalid|missing|timed? ?out|panic|assert\w*|exceeds?|does not|doesn't|needed)\b/i
/** Frames of a stack, a package manager's epilogue, the exit code that is told anyway, packages whose tests passed. */
const NOISE =
  /^(?:at\s|\/\S+\.go:\d+ \+0x|ok\s+\S+\s+(?:[\d.]+s|\(cached\))$|npm (?:err!|error) (?:a complete log|code|path|command|signal|\d)|exit code|\[[\w:-]+\] error task failed)/i

/**
 * The line of an output that says what went wrong: the last precise one, else the last that tells of trouble, else
 * the last that says anything. Of a stack trace that is its head, not a frame.
 */
export function errorLine(output: string): string {
  const lines = output
    .slice(-40_000)
    .split(/\r?\n/)
    .slice(-LINES)
    // What stands over a caret is the source that was read, not what is wrong with it.
    .filter((_, n, all) => !/^\s*\^~*\s*$/.test((all[n + 1] ?? '').slice(0, 500)))
    // Terminal colours are control characters.
    .map((line) =>
      line
        .slice(0, 500)
        .replace(/\u001b\[[0-9;]*m|<\/?tool_use_error>/g, '')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !NOISE.test(line))
  const line =
    lines.findLast((one) => PRECISE.test(one)) ??
    lines.findLast((one) => ERRNO.test(one) || TROUBLE.test(one)) ??
    (output.includes('<tool_use_error>') ? lines[0] : lines.at(-1))
  return clip(line ?? '', 160)
}

const firstLine = (text: string): string =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? ''
const string = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
