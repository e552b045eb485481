import { planHash } from '../../handles'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { normalise } from '../../text'
import { isInterruption } from './results'

// What a text block in the person's name really is. Four things share the user record; see the notes on each.

export type Prompt =
  | { kind: 'machine'; reason: string }
  /** `!command`: the person ran something in the agent's shell. */
  | { kind: 'shell'; command: string }
  | { kind: 'speech'; text: string; data: ItemData<'goal'> }

const MACHINE: readonly (readonly [prefix: string, reason: string])[] = [
  ['<local-command-stdout', 'command-echo'],
  ['<local-command-stderr', 'command-echo'],
  ['<bash-stdout', 'command-echo'],
  ['<bash-stderr', 'command-echo'],
  ['Caveat: The messages below were generated', 'meta'],
  ['Base directory for this skill:', 'meta'],
  ['This session is being continued from a previous conversation', 'compaction-summary'],
  ['Operation stopped by hook', 'hook-output'],
  ['Stop hook feedback', 'hook-output'],
  ['[SYSTEM NOTIFICATION', 'injected'],
]

// Commands of the program itself: they steer the tool and ask the agent for nothing.
const BUILT_IN = new Set(
  `add-dir agents bashes bug clear compact config context copy cost doctor effort exit export extra-usage fast feedback
  fork help hooks ide install-github-app keybindings login logout mcp memory mobile model output-style passes permissions
  plan plugin plugins privacy-settings quit reload-plugins remote-control rename resume rewind sandbox skills stats status
  statusline stickers tasks terminal-setup theme todos upgrade usage vim voice`.split(/\s+/),
)

const PLAN_HEADING = 'Implement the following plan:'

/** Reads one text block of a user record. */
export function readPrompt(raw: string, planContent: unknown): Prompt {
  const start = raw.trimStart()
  if (isInterruption(start)) return { kind: 'machine', reason: 'interruption' }
  for (const [prefix, reason] of MACHINE) if (start.startsWith(prefix)) return { kind: 'machine', reason }
  if (start.startsWith('<bash-input>')) return { kind: 'shell', command: between(start, 'bash-input') }
  if (start.startsWith('<command-')) return command(start)
  const text = normalise(stripInjected(raw)).trim()
  if (text === '') return { kind: 'machine', reason: raw.trim() === '' ? 'empty' : 'injected' }
  const plan = planIn(text, raw, planContent)
  return {
    kind: 'speech',
    text,
    data: plan === null ? {} : { implementsPlan: true, planHash: planHash(plan) },
  }
}

function planIn(text: string, raw: string, planContent: unknown): string | null {
  if (typeof planContent === 'string' && planContent.trim() !== '') return planContent
  if (!text.startsWith(PLAN_HEADING)) return null
  return raw.slice(raw.indexOf(PLAN_HEADING) + PLAN_HEADING.length)
}

function between(text: string, tag: string): string {
  const open = `<${tag}>`
  const from = text.indexOf(open)
  if (from === -1) return ''
  const to = text.indexOf(`</${tag}>`, from)
  return normalise(text.slice(from + open.length, to === -1 ? undefined : to)).trim()
}

function command(text: string): Prompt {
  const name = (between(text, 'command-name') || between(text, 'command-message')).replace(/^\//, '')
  const args = stripInjected(between(text, 'command-args'))
  if (name === '') return { kind: 'machine', reason: 'command-echo' }
  if (BUILT_IN.has(name)) return { kind: 'machine', reason: 'built-in-command' }
  return { kind: 'speech', text: `/${name} ${args}`.trim(), data: { command: name } }
}
