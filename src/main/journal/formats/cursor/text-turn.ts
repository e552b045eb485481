import type { TextCutter } from '../../drafts'
import { Fences } from '../../reading/fences'

// Cursor's older agent transcripts: plain text. A line `user:` or `assistant:` begins what somebody says; within an
// answer a line begins with `[Thinking]`, `[Tool call] Name` or `[Tool result] Name`, a call's arguments are indented.

const HEAD = /^(user|assistant|A|system):\s*$/
const MARK = /^\[(Thinking|Tool call|Tool result)\](?:[ \t]+(.{0,200}))?$/
const ARGUMENT = /^ {2}([A-Za-z_][\w-]{0,60})(?::|=) ?(.*)$/
/** Arguments that hold a text of many lines. */
const LONG = /content|string|patch|diff|code|plan|prompt|text|todos|message/i
const OPEN = '<user_query>'
const CLOSE = '</user_query>'

/** Who speaks from this line on; null when the line is no such head. */
export function speakerOf(line: string): 'user' | 'assistant' | 'system' | null {
  const name = HEAD.exec(line)?.[1]
  if (name === undefined) return null
  return name === 'user' || name === 'system' ? name : 'assistant'
}

/** A record begins at each head that is no part of what somebody quotes. */
export class CursorTextCutter implements TextCutter {
  private fences = new Fences()
  private inQuery = false
  private blankBefore = true

  begins(line: string): boolean {
    const begins = this.blankBefore && !this.inQuery && !this.fences.inside && speakerOf(line) !== null
    // A fence that somebody left open ends with what it stands in.
    if (begins || MARK.test(line)) this.fences = new Fences()
    else this.fences.see(line)
    if (line.includes(OPEN)) this.inQuery = !line.includes(CLOSE)
    else if (line.includes(CLOSE)) this.inQuery = false
    this.blankBefore = line.trim() === ''
    return begins
  }
}

/** An answer's parts as blocks of the later transcripts. What a tool printed is not kept there either. */
export function answerBlocks(text: string): unknown[] {
  const blocks: unknown[] = []
  let prose: string[] = []
  const said = (): void => {
    const words = prose.join('\n').trim()
    if (words !== '') blocks.push({ type: 'text', text: words })
    prose = []
  }
  let part: 'prose' | 'thinking' | 'call' | 'result' = 'prose'
  let call: Call | null = null
  for (const line of text.split('\n')) {
    const mark = MARK.exec(line)
    if (mark) {
      said()
      call = mark[1] === 'Tool call' ? new Call((mark[2] ?? '').trim()) : null
      part = call ? 'call' : mark[1] === 'Thinking' ? 'thinking' : 'result'
      if (call) blocks.push(call.block)
      else if (part === 'thinking') blocks.push({ type: 'thinking' })
    } else if (part === 'result' || (part === 'thinking' && /^[ \t]/.test(line))) continue
    else if (part === 'call' && call?.takes(line)) continue
    else {
      part = 'prose'
      prose.push(line)
    }
  }
  said()
  return blocks
}

/** A call, whose arguments come line by line; a value may have several. */
class Call {
  readonly block: { type: 'tool_use'; id: string; name: string; input: Record<string, string> }
  private last: string | null = null
  private blanks = 0

  constructor(name: string) {
    this.block = { type: 'tool_use', id: '', name, input: Object.create(null) as Record<string, string> }
  }

  /** false for a line that is no argument's: the answer goes on. */
  takes(line: string): boolean {
    const { input } = this.block
    const [, key, value = ''] = ARGUMENT.exec(line) ?? []
    if (line.trim() === '') {
      this.blanks++
      return true
    }
    if (key !== undefined && !Object.hasOwn(input, key)) {
      input[key] = value
      this.last = key
    } else {
      // Behind a blank line only the text of a file goes on at the margin.
      const prose = this.blanks > 0 && !/^[ \t]/.test(line) && !LONG.test(this.last ?? '')
      if (this.last === null || prose) return false
      input[this.last] += `${'\n'.repeat(this.blanks + 1)}${line}`
    }
    this.blanks = 0
    return true
  }
}
