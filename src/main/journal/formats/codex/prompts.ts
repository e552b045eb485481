import { planHash } from '../../handles'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, isObject, normalise } from '../../text'

// What a text in the person's name really is. Codex puts machine text there too.

export type Prompt =
  | { kind: 'machine'; reason: string }
  /** `!command`: the person ran something in the agent's shell. */
  | { kind: 'shell'; command: string }
  | { kind: 'speech'; text: string; data: ItemData<'goal'> }

const MACHINE: readonly (readonly [prefix: string, reason: string])[] = [
  ['# AGENTS.md instructions', 'machine-text'],
  ['<turn_aborted>', 'interruption'],
  ['<subagent_notification>', 'machine-text'],
  ['Another language model started to solve this problem', 'compaction-summary'],
  ['You were originally given instructions from a user over one or more turns', 'compaction-summary'],
  ['Warning: The maximum number of unified exec processes', 'machine-text'],
]
/** `<environment_context>…</environment_context>` and whatever else comes wrapped whole in one tag. */
const WRAPPED = /^<([a-z][\w-]{2,60})(?:\s[^>]{0,300})?>[\s\S]*<\/\1>$/i
const REQUEST = '## My request for Codex:'
const FRESH_CONTEXT = 'A previous agent produced the plan below to accomplish the user'
const EMBEDDED_PLAN = 'PLEASE IMPLEMENT THIS PLAN:'

/** Reads a text in the person's name. `given` when it is what the model was given, machine text among it. */
export function readPrompt(raw: string, given: boolean): Prompt {
  const start = raw.trim()
  if (start.startsWith('<user_shell_command>')) return shellCommand(start)
  if (given) {
    for (const [prefix, reason] of MACHINE) if (start.startsWith(prefix)) return { kind: 'machine', reason }
    if (WRAPPED.test(start)) return { kind: 'machine', reason: 'machine-text' }
  }
  const text = normalise(stripInjected(requestIn(start))).trim()
  if (text === '') return { kind: 'machine', reason: start === '' ? 'empty' : 'injected' }
  const plan = planIn(text)
  return {
    kind: 'speech',
    text,
    data: plan === null ? {} : { implementsPlan: true, planHash: planHash(plan) },
  }
}

/** The editor puts what is open in front of the person's words. */
function requestIn(text: string): string {
  if (!text.startsWith('# ') && !text.startsWith(REQUEST)) return text
  const at = text.startsWith(REQUEST) ? 0 : text.indexOf(`\n${REQUEST}`)
  return at === -1 ? text : text.slice(text.indexOf(REQUEST, at) + REQUEST.length).trim()
}

/** The plan a prompt carries with it when it asks for it to be carried out. */
export function planIn(text: string): string | null {
  if (text.startsWith(EMBEDDED_PLAN)) return text.slice(EMBEDDED_PLAN.length).trim()
  if (!text.startsWith(FRESH_CONTEXT)) return null
  const at = text.indexOf('\n')
  return at === -1 ? null : text.slice(at).trim()
}

function shellCommand(text: string): Prompt {
  const from = text.indexOf('<command>')
  const to = text.indexOf('</command>', from)
  if (from === -1 || to === -1) return { kind: 'machine', reason: 'command-echo' }
  return { kind: 'shell', command: normalise(text.slice(from + '<command>'.length, to)).trim() }
}

/** The text of a message's parts. Tags that stand around a picture are no words. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts = content.flatMap((part) => {
    if (typeof part === 'string') return [part]
    const text = isObject(part) ? asString(part.text) : null
    return text === null || /^<\/?image\b[^>]{0,300}>$/.test(text.trim()) ? [] : [text]
  })
  return parts.join('\n')
}

/** The parts of a message that the machine did not put there, each judged alone. */
export function spokenParts(content: unknown): { spoken: string[]; shell: string[]; machine: string | null } {
  const found = { spoken: [] as string[], shell: [] as string[], machine: null as string | null }
  for (const part of Array.isArray(content) ? content : [content]) {
    const text = textOf([part])
    if (text.trim() === '') continue
    const prompt = readPrompt(text, true)
    if (prompt.kind === 'machine') found.machine ??= prompt.reason
    else if (prompt.kind === 'shell') found.shell.push(prompt.command)
    else found.spoken.push(text)
  }
  return found
}
