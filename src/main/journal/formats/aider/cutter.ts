import type { TextCutter } from '../../drafts'
import { Fences } from '../../reading/fences'
import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'

const RUN = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/
export const PROMPT = '#### '

/** When a run began, in local time as Aider writes it, without a zone (see `local-time`); null when the line begins none. */
export function runStart(line: string): { name: string; ts: number | null } | null {
  const time = RUN.exec(line)?.[1]?.replace(' ', 'T')
  return time ? { name: time, ts: timestampOf(time) } : null
}

/**
 * A record begins at the line that opens a run, and at the first line of a prompt. Answers have headings that look like
 * prompts, and fences that are not always closed; but Aider ends every line of a prompt, and every output of its own,
 * with two blanks. Only in a file that lost them (an editor's doing) the prefix has to be enough.
 */
export class AiderCutter implements TextCutter {
  private fences = new Fences()
  private inPrompt = false
  private blankBefore = true
  private lastTs: number | null = null
  /** null until a line of Aider's own shows it. */
  private blanksKept: boolean | null = null

  constructor(saved?: unknown) {
    if (!isObject(saved)) return
    this.fences = new Fences(asString(saved.fence))
    this.inPrompt = saved.inPrompt === true
    this.blankBefore = saved.blankBefore === true
    this.lastTs = typeof saved.lastTs === 'number' ? saved.lastTs : null
    this.blanksKept = typeof saved.blanksKept === 'boolean' ? saved.blanksKept : null
  }

  state(): unknown {
    const { inPrompt, blankBefore, lastTs, blanksKept } = this
    return { fence: this.fences.marks, inPrompt, blankBefore, lastTs, blanksKept }
  }

  begins(line: string): boolean {
    const run = this.blankBefore ? runStart(line) : null
    const begins = run ? this.takesRun(run.ts) : this.takesPrompt(line)
    this.inPrompt = line.startsWith(PROMPT) && (begins || this.inPrompt)
    this.blankBefore = line.trim() === ''
    if (begins) this.fences = new Fences()
    else if (!this.inPrompt) this.fences.see(line)
    return begins
  }

  /** Another project's history inside of a fence is older than the run that shows it. */
  private takesRun(ts: number | null): boolean {
    if (this.fences.inside && ts !== null && this.lastTs !== null && ts <= this.lastTs) return false
    this.lastTs = ts
    return true
  }

  private takesPrompt(line: string): boolean {
    const isPrompt = line.startsWith(PROMPT)
    if (!this.fences.inside && (isPrompt || line.startsWith('> '))) this.blanksKept ??= line.endsWith('  ')
    if (!isPrompt || this.inPrompt || !this.blankBefore) return false
    return this.blanksKept ? line.endsWith('  ') : !this.fences.inside
  }
}
