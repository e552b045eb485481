import type { TextCutter } from '../../drafts'
import { Fences } from '../../reading/fences'
import { timestampOf } from '../claude-code/record'

// Lines that name a speaker: `## User`, `**Assistant:** text`, `#### ChatGPT:`. Only whole documents of them count.

export type Role = 'user' | 'assistant' | 'system' | 'tool'

export interface RoleLine {
  role: Role
  /** Heading level or the way of being bold: the lines of one document share it. */
  style: string
  ts: number | null
  /** What stands behind the name on the same line. */
  rest: string
}

const NAMES: Record<string, Role> = {
  user: 'user',
  human: 'user',
  you: 'user',
  me: 'user',
  prompt: 'user',
  assistant: 'assistant',
  agent: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  response: 'assistant',
  claude: 'assistant',
  chatgpt: 'assistant',
  gpt: 'assistant',
  gemini: 'assistant',
  copilot: 'assistant',
  cursor: 'assistant',
  system: 'system',
  tool: 'tool',
}

const NAME = String.raw`([A-Za-z]{2,10})((?:[ -]?\d[\w.-]{0,12})?)`
const ABOUT = String.raw`((?: \([^()\n]{1,80}\))?)`
const HEADING = new RegExp(`^(#{1,6}) +(?:\\*\\*)?${NAME}${ABOUT}:?(?:\\*\\*)?:? *$`)
const BOLD = new RegExp(`^(_?\\*\\*)${NAME}${ABOUT}(:?\\*\\*_?:?)(?: +(\\S.*))?$`)
const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/

/** Reads one line as the beginning of a turn; null when it is none. */
export function roleLine(line: string): RoleLine | null {
  const heading = HEADING.exec(line)
  if (heading) return of(heading[2], heading[4], heading[1] ?? '', '')
  const bold = BOLD.exec(line)
  if (!bold) return null
  const [, open = '', name, , about, close = '', rest = ''] = bold
  // Bold words begin many paragraphs; only a colon makes the first one of a line a speaker.
  if (rest !== '' && !close.includes(':')) return null
  return of(name, about, open + close, rest)
}

function of(
  name: string | undefined,
  about: string | undefined,
  style: string,
  rest: string,
): RoleLine | null {
  const key = (name ?? '').toLowerCase()
  const role = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined
  if (!role) return null
  const time = TIME.exec(about ?? '')?.[0]
  return { role, style, ts: time ? timestampOf(time.replace(' ', 'T')) : null, rest }
}

/** Cuts a document at the lines that name a speaker the way the first one does. */
export class RoleCutter implements TextCutter {
  private readonly fences = new Fences()
  private style: string | null = null

  begins(line: string): boolean {
    if (this.fences.see(line)) return false
    const found = roleLine(line)
    if (!found || (this.style !== null && found.style !== this.style)) return false
    this.style = found.style
    return true
  }
}

/**
 * How sure a text is a conversation, 0 to 0.7. Documents about users, systems and models have headings of these names
 * too: a conversation begins with a person or a system, goes back and forth, and says something in every turn.
 */
export function surenessOf(text: string): number {
  const cutter = new RoleCutter()
  const turns: { role: Role; style: string; words: number }[] = []
  let strangers = 0
  for (const line of text.split('\n')) {
    const mark = line.trimEnd()
    if (cutter.begins(mark)) {
      const { role, style, rest } = roleLine(mark) as RoleLine
      turns.push({ role, style, words: rest.trim() === '' ? 0 : 1 })
    } else if (turns.length > 0) {
      const last = turns.at(-1)
      if (last && mark.trim() !== '' && mark.trim() !== '---') last.words++
      if (last?.style.startsWith('#') && mark.startsWith(`${last.style} `)) strangers++
    }
  }
  return isConversation(turns, strangers) ? 0.7 : 0
}

function isConversation(turns: readonly { role: Role; words: number }[], strangers: number): boolean {
  const [first] = turns
  const speaks = (role: Role): boolean => turns.some((turn) => turn.role === role && turn.words > 0)
  if (!first || (first.role !== 'user' && first.role !== 'system') || !speaks('user') || !speaks('assistant'))
    return false
  const spoken = turns.filter(({ role }) => role === 'user' || role === 'assistant')
  const changes = spoken.filter((turn, at) => at > 0 && turn.role !== spoken[at - 1]?.role).length
  // A single exchange may be a chapter about two roles: then nothing else may stand on the same level.
  if (spoken.length < 4)
    return changes === spoken.length - 1 && strangers === 0 && turns.length === spoken.length
  return changes >= (spoken.length - 1) * 0.7
}
