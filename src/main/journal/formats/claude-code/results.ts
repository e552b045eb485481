import type { ItemData } from '../../item-data'
import { asString, headTail, isObject } from '../../text'
import type { ResultBlock } from './blocks'

// What a tool's result says: whether the person stepped in, what failed, what came out.

const REFUSED = "The user doesn't want to "
const SAID = 'the user said:\n'
const CLARIFY = 'The user wants to clarify these questions'
const OUTPUT_LIMIT = 1_600

/** The person's "no" to a call, with their words; null when the result is none. */
export function refusal(text: string): { verdict: 'refused' | 'bare-stop'; words: string } | null {
  if (!text.startsWith(REFUSED)) return null
  const at = text.indexOf(SAID)
  if (at === -1) return { verdict: 'bare-stop', words: '' }
  const words = text.slice(at + SAID.length).trim()
  return { verdict: 'refused', words: words.startsWith(CLARIFY) ? '' : withoutNote(words) }
}

// Some versions append a note of the program's own to the person's words.
const withoutNote = (words: string): string => {
  const at = words.indexOf('\n\nNote: The user')
  return at === -1 ? words : words.slice(0, at).trim()
}

export const isInterruption = (text: string): boolean => text.startsWith('[Request interrupted by user')

/** `User has approved your plan…` and `User has approved exiting plan mode…`. */
export function approval(
  text: string,
  twin: unknown,
): { edited: boolean; plan: string; planFile: string | null } | null {
  if (!/^(The )?[Uu]ser has approved/.test(text)) return null
  const facts = isObject(twin) ? twin : {}
  const echoed = /\n## Approved Plan[^\n]*\n([\s\S]*)$/.exec(text)?.[1] ?? ''
  const plan = asString(facts.plan) ?? echoed.trim()
  return { edited: facts.planWasEdited === true, plan, planFile: asString(facts.filePath) }
}

/** The person's answers, one `question → answer` a line. */
export function answers(text: string, twin: unknown): string | null {
  const given = isObject(twin) && isObject(twin.answers) ? twin.answers : null
  if (given) {
    const lines = Object.entries(given).map(([question, answer]) => `${question} → ${answerText(answer)}`)
    if (lines.length > 0) return lines.join('\n')
  }
  const pairs = [...text.matchAll(/"([^"]{1,2000})"="([^"]{0,4000})"/g)]
  return pairs.length === 0 ? null : pairs.map((pair) => `${pair[1]} → ${pair[2]}`).join('\n')
}

const answerText = (answer: unknown): string =>
  Array.isArray(answer)
    ? answer.map(String).join(', ')
    : typeof answer === 'string'
      ? answer
      : JSON.stringify(answer)

/** An error's text without the tags around it. */
export const errorText = (text: string): string =>
  headTail(text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/, '$1').trim(), 8_000)

export function exitCode(text: string): number | undefined {
  const match = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(text)
  return match ? Number(match[1]) : undefined
}

/** What a finished command printed, shortened; empty when it printed nothing. */
export const outputText = (text: string): string => headTail(text.trim(), OUTPUT_LIMIT)

/** Lines an edit really added and removed, from the patch beside the result. */
export function patchCounts(twin: unknown): { added: number; removed: number } | null {
  if (!isObject(twin) || !Array.isArray(twin.structuredPatch) || twin.structuredPatch.length === 0)
    return null
  let added = 0
  let removed = 0
  for (const hunk of twin.structuredPatch) {
    const lines = isObject(hunk) && Array.isArray(hunk.lines) ? hunk.lines : []
    for (const line of lines) {
      if (typeof line !== 'string') continue
      if (line.startsWith('+')) added++
      else if (line.startsWith('-')) removed++
    }
  }
  return { added, removed }
}

/** Data of the error item that a failed call leaves. */
export function errorData(tool: string, data: ItemData): ItemData<'error'> {
  const facts = data as { command?: unknown; path?: unknown }
  return {
    tool,
    ...(typeof facts.command === 'string' ? { command: headTail(facts.command, 500) } : {}),
    ...(typeof facts.path === 'string' ? { path: facts.path } : {}),
  }
}

export type { ResultBlock }
