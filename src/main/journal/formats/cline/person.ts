import { stripInjected } from '../../injected'
import { normalise } from '../../text'
import { inside } from './tags'

// What a user message holds: the person's words between what the program adds.

export type Told =
  | { kind: 'speech'; text: string }
  | { kind: 'denied'; words: string }
  | { kind: 'act' }
  | { kind: 'result'; failed: boolean; text: string }
  | { kind: 'machine'; reason: string }

const SPOKEN = ['task', 'feedback', 'user_message', 'answer', 'new_task']
const RESULT = /^\[([a-z_]{2,40})(?: for [\s\S]{0,4000}?)?\] Result:/
const DENIED = 'The user denied this operation'

/** Reads one text block of a user message. */
export function readPerson(raw: string): Told {
  const text = withoutDetails(raw).trim()
  if (text === '') return { kind: 'machine', reason: raw.trim() === '' ? 'empty' : 'injected' }
  if (text.includes(DENIED)) return { kind: 'denied', words: spokenIn(text) ?? '' }
  const spoken = spokenIn(text)
  if (spoken !== null && spoken !== '') return { kind: 'speech', text: spoken }
  if (/^\[(?:The user has )?switched to ACT MODE/i.test(text)) return { kind: 'act' }
  if (RESULT.test(text))
    return { kind: 'result', failed: /\bthe (?:command|tool execution) failed\b|<error>/i.test(text), text }
  if (/^\[TASK RESUMPTION\]|^\[ERROR\]|^# |^The user (?:is not|has) /.test(text))
    return { kind: 'machine', reason: 'injected' }
  return text.startsWith('[') || text.startsWith('<')
    ? { kind: 'machine', reason: 'injected' }
    : { kind: 'speech', text: clean(text) }
}

/** `[read_file for 'a.ts'] Result:` */
export const startsResult = (text: string): boolean => RESULT.test(text)

/** Neither the person's words nor something the program announces. */
export const isPlain = (text: string): boolean =>
  !RESULT.test(text) && !text.includes(DENIED) && !SPOKEN.some((tag) => text.includes(`<${tag}>`))

const clean = (text: string): string => normalise(stripInjected(text)).trim()

function spokenIn(text: string): string | null {
  for (const tag of SPOKEN) {
    const found = inside(text, tag)
    if (found !== null) return clean(found)
  }
  return null
}

/** `<environment_details>` closes every message: open tabs, time, files. */
function withoutDetails(text: string): string {
  const from = text.indexOf('<environment_details>')
  if (from === -1) return text
  const end = text.indexOf('</environment_details>', from)
  return text.slice(0, from) + (end === -1 ? '' : text.slice(end + '</environment_details>'.length))
}
