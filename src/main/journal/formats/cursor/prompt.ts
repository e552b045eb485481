import { stripInjected } from '../../injected'
import { parseTime } from '../../local-time'
import { asString, normalise, saneTime } from '../../text'

// What stands in the person's name in a Cursor transcript: their words in <user_query>, between what the editor adds.

export interface Prompt {
  text: string
  /** When it was typed, where the editor says so. */
  ts: number | null
  /** The workspace's folder, where the editor says so. */
  cwd: string | null
}

const OPEN = '<user_query>'
const CLOSE = '</user_query>'
/** What the editor puts around the person's words where it does not mark them. */
const ADDED = new RegExp(
  `^<(${`user_info rules project_layout git_status agent_skills agent_transcripts mcp_file_system mcp_instructions
  open_and_recently_viewed_files attached_files additional_data image_files timestamp cursor_commands
  manually_attached_skills terminal_files_information linter_errors custom_instructions memories system_notification
  user_rules always_applied_workspace_rules agent_requestable_workspace_rules current_file`
    .split(/\s+/)
    .join('|')})(?: [^>\\n]{0,400})?>`,
  'm',
)

/** Reads what a user record says. */
export function readPrompt(raw: string): Prompt {
  const spoken = inside(raw)
  const text = normalise(stripInjected(spoken ?? withoutAdded(raw))).trim()
  return { text, ts: timeIn(raw), cwd: asString(/^Workspace Path: (.{1,1000})$/m.exec(raw)?.[1]?.trim()) }
}

/** Every <user_query>; one that never closes reaches to the end. null when there is none. */
function inside(raw: string): string | null {
  const parts: string[] = []
  for (let at = raw.indexOf(OPEN); at !== -1; at = raw.indexOf(OPEN, at)) {
    const from = at + OPEN.length
    const end = raw.indexOf(CLOSE, from)
    parts.push(raw.slice(from, end === -1 ? undefined : end).trim())
    at = end === -1 ? raw.length : end + CLOSE.length
  }
  return parts.length === 0 ? null : parts.join('\n')
}

function withoutAdded(raw: string): string {
  let text = raw
  for (let found = ADDED.exec(text); found; found = ADDED.exec(text)) {
    const close = `</${found[1]}>`
    const end = text.indexOf(close, found.index)
    text = text.slice(0, found.index) + (end === -1 ? '' : text.slice(end + close.length))
  }
  return text
}

/** `<timestamp>Saturday, Mar 7, 2026, 3:04 PM (UTC-8)</timestamp>`. */
function timeIn(raw: string): number | null {
  const said = /<timestamp>([^<]{6,80})<\/timestamp>/.exec(raw.slice(0, 4_000))?.[1]
  const zone = said && /\(UTC([+-]\d{1,2})?(?::(\d\d))?\)/.exec(said)
  if (!said || !zone) return said ? saneTime(parseTime(said)) : null
  const hours = zone[1] ?? '+0'
  const offset = `${hours.startsWith('-') ? '-' : '+'}${hours.slice(1).padStart(2, '0')}${zone[2] ?? '00'}`
  const time = said
    .slice(0, zone.index)
    .trim()
    .replace(/^\w+day, /, '')
  return saneTime(Date.parse(`${time} ${offset}`))
}
