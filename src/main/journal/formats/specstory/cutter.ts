import type { Agent } from '../../../../shared/domain'
import type { TextCutter } from '../../drafts'
import { Fences } from '../../reading/fences'
import { timestampOf } from '../claude-code/record'

// A record begins at a turn's header line, or at the comment that names the session.

export interface TurnHeader {
  kind: 'turn'
  role: 'user' | 'agent'
  sidechain: boolean
  /** Without the time; empty where none is named. */
  model: string
  ts: number | null
}
export interface SessionHeader {
  kind: 'session'
  agent: Agent | null
  id: string
  ts: number | null
}

const TURN = /^_\*\*(User|Agent|Assistant)( - sidechain)?(?: \(([^)]{0,200})\))?\*\*_\s*$/
const SESSION = /^<!-- (.{1,60}?) Session ([\w.-]{6,80}) \(([^)]{0,60})\) -->\s*$/i
const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?/
/** Parallel sub-agents are told one after the other; a header older than that belongs to another transcript. */
const BACK_STEP = 15 * 60_000

/** Reads one line as a header; null when it is none. */
export function headerOf(line: string): TurnHeader | SessionHeader | null {
  const turn = TURN.exec(line)
  if (turn) {
    const [, who, side, inner = ''] = turn
    const time = TIME.exec(inner)?.[0]
    return {
      kind: 'turn',
      role: who === 'User' ? 'user' : 'agent',
      sidechain: side !== undefined,
      model: inner.replace(TIME, '').trim(),
      ts: time ? timeOf(time) : null,
    }
  }
  const session = SESSION.exec(line)
  if (!session) return null
  const [, name = '', id = '', time = ''] = session
  return { kind: 'session', agent: agentNamed(name), id, ts: timeOf(time) }
}

/** `2026-01-12 15:08:38Z`, also with T and milliseconds; older versions gave local time without a zone. */
const timeOf = (text: string): number | null => timestampOf(text.trim().replace(' ', 'T'))

function agentNamed(name: string): Agent | null {
  const lower = name.toLowerCase()
  if (lower.startsWith('claude')) return 'claude-code'
  if (lower.startsWith('codex')) return 'codex'
  if (lower.startsWith('cursor')) return 'cursor'
  return lower.startsWith('gemini') ? 'gemini-cli' : null
}

/**
 * Content may hold other transcripts, in fences that are not always longer than those inside. Outside of a tool's block
 * a header counts unless it is much older than the turn before; inside a fence or block that never seems to end, only
 * one that is newer: what a tool printed was written before.
 */
export class SpecStoryCutter implements TextCutter {
  private fences = new Fences()
  private inTool = false
  private blankBefore = true
  private lastTs: number | null = null

  begins(line: string): boolean {
    const blank = line.trim() === ''
    const header = this.blankBefore ? headerOf(line) : null
    this.blankBefore = blank
    if (header && this.counts(header)) {
      this.fences = new Fences()
      this.inTool = false
      if (header.ts !== null) this.lastTs = header.ts
      return true
    }
    this.follow(line)
    return false
  }

  private counts({ kind, ts }: TurnHeader | SessionHeader): boolean {
    if (this.fences.inside || this.inTool) {
      return kind === 'turn' && ts !== null && this.lastTs !== null && ts > this.lastTs
    }
    return ts === null || this.lastTs === null || ts >= this.lastTs - BACK_STEP
  }

  private follow(line: string): void {
    if (/^(?:<\/details>)?<\/(?:tool-use|think)>\s*$/.test(line)) {
      this.fences.blockEnded()
      if (!this.fences.inside) this.inTool = false
      return
    }
    if (this.fences.see(line)) return
    if (line.startsWith('<tool-use ') || line.startsWith('<think>')) this.inTool = true
  }
}
