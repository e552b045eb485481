import { Fences } from '../../reading/fences'

// The body of a turn: prose, the agent's thoughts, and blocks of tool use.

export type Segment = { kind: 'prose'; text: string } | { kind: 'think' } | ToolSegment

export interface ToolSegment {
  kind: 'tool'
  /** shell, read, write, search, task, generic, mcp, unknown. */
  type: string
  name: string
  /** The line after "Tool use: **name** •", where there is one. */
  summary: string
  /** What stands before the first fence. */
  lead: string
  /** Contents of the block's fences, with what they say they are. */
  fences: { info: string; text: string }[]
}

const OPEN = /^<tool-use data-tool-type="([\w-]{1,40})" data-tool-name="([^"]{0,200})">(.*)$/
const CLOSE = { tool: /^(?:<\/details>)?<\/tool-use>\s*$/, think: /^(?:<\/details>)?<\/think>\s*$/ }

/** Cuts a turn's body into segments. A block that is not closed reaches to the end. */
export function segmentsOf(body: string): Segment[] {
  const lines = body.split('\n')
  const segments: Segment[] = []
  const fences = new Fences()
  let prose: string[] = []
  const flush = (): void => {
    const text = prose.join('\n').trim()
    if (text !== '') segments.push({ kind: 'prose', text })
    prose = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (fences.see(line)) {
      prose.push(line)
      continue
    }
    const tool = OPEN.exec(line)
    const think = tool ? null : line.startsWith('<think>')
    if (!tool && !think) {
      prose.push(line)
      continue
    }
    flush()
    const end = endOf(lines, at, tool ? CLOSE.tool : CLOSE.think)
    if (tool) segments.push(toolOf(tool, lines.slice(at + 1, end)))
    else segments.push({ kind: 'think' })
    at = end
  }
  flush()
  return segments
}

/**
 * Index of the closing line: the first one outside of any fence. When another one follows without a block beginning in
 * between, that first one belonged to the content, whose fences were no longer than those around it.
 */
function endOf(lines: readonly string[], from: number, close: RegExp): number {
  const fences = new Fences()
  let end = -1
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (end !== -1 && (OPEN.test(line) || line.startsWith('<think>'))) return end
    if (close.test(line)) {
      fences.blockEnded()
      if (end !== -1 || !fences.inside) end = at
    } else fences.see(line)
  }
  if (end !== -1) return end
  const last = lines.findLastIndex((line, at) => at > from && close.test(line))
  return last === -1 ? lines.length : last
}

function toolOf([, type = '', name = '', rest = '']: RegExpExecArray, lines: readonly string[]): ToolSegment {
  const body = [rest, ...lines]
    .filter((line) => !/^<\/?details>$/.test(line.trim()))
    .map((line) => line.replace(/^<details>/, ''))
  const at = body.findIndex((line) => line.startsWith('<summary>'))
  const summary = at === -1 ? '' : (/•\s*(.{0,500}?)<\/summary>/.exec(body[at] ?? '')?.[1] ?? '')
  const content = body.slice(at + 1)
  const { lead, fences } = fencesOf(content)
  return {
    kind: 'tool',
    type,
    name: unescaped(name),
    summary: unescaped(summary),
    lead: unescaped(lead),
    fences,
  }
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^`]*$/
export const SHELLS = new Set(['bash', 'sh', 'shell', 'zsh', 'powershell', 'console'])

/** The command's own fence, where there is one, and one that reaches from the next opening to the block's end. */
function fencesOf(lines: readonly string[]): Pick<ToolSegment, 'lead' | 'fences'> {
  const fences: ToolSegment['fences'] = []
  let at = lines.findIndex((line) => FENCE.test(line))
  const lead = (at === -1 ? lines : lines.slice(0, at)).join('\n').trim()
  const last = lines.findLastIndex((line) => /^ {0,3}(?:`{3,}|~{3,})\s*$/.test(line))
  while (at !== -1) {
    const info = (lines[at] ?? '').replace(/^[ `~]+/, '').trim()
    const own = lines.findIndex((line, index) => index > at && FENCE.test(line))
    const end = SHELLS.has(info) && own !== -1 ? own : last > at ? last : lines.length
    fences.push({ info, text: unescaped(lines.slice(at + 1, end).join('\n')) })
    at = end === lines.length ? -1 : lines.findIndex((line, index) => index > end && FENCE.test(line))
  }
  return { lead, fences }
}

/** SpecStory writes back-ticks inside of fences as `&#96;` or with a back-slash. */
const unescaped = (text: string): string =>
  text.includes('&#96;') || text.includes('\\`') ? text.replaceAll('&#96;', '`').replaceAll('\\`', '`') : text
