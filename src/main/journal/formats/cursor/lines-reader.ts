import { basename, dirname, join } from 'node:path'
import {
  type Draft,
  dropped,
  type FormatContext,
  type FormatReader,
  failed,
  type Outcome,
  type Place,
  type SessionFacts,
} from '../../drafts'
import { imageFacts, imageText } from '../../images'
import { stripInjected } from '../../injected'
import { asString, headTail, isObject, normalise } from '../../text'
import { type Block, blocksOf } from '../claude-code/blocks'
import { because, outcome, type Where } from '../speech'
import { Thread } from '../thread'
import { unknownReason } from '../unknown'
import { readCursorCalls } from './calls'
import { Counted } from './counted'
import { readPrompt } from './prompt'

export const AGENT = 'cursor'

const WHOLE = { recordId: null, closed: true }
/** Stands for what the editor does not write into the transcript. */
const REDACTED = /^(?:\[REDACTED\]\s*)+$/

/** Reads one `agent-transcripts/<id>/<id>.jsonl`: who spoke and what was called, without results, ids and times. */
export class CursorLinesReader implements FormatReader {
  private readonly thread: Thread
  private readonly counted: Counted
  private readonly unknown: string[]
  /** Its file's name. */
  readonly session: string
  private readonly parent: string | null
  private cwd: string | null

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    this.thread = new Thread(AGENT, context, it.thread, (record) => proseIn(record))
    this.counted = new Counted(AGENT, it.counted)
    this.unknown = Array.isArray(it.unknown) ? (it.unknown as string[]) : []
    this.session = context.mask(basename(context.path).replace(/\.(?:jsonl|txt)$/i, ''))
    const folder = dirname(context.path)
    this.parent = basename(folder) === 'subagents' ? context.mask(basename(dirname(folder))) : null
    this.cwd = trustedFolder(context)
  }

  state(): unknown {
    return { thread: this.thread.state(), counted: this.counted.state(), unknown: this.unknown }
  }

  stub(place: Place): Draft {
    return this.thread.long(this.session, place)
  }

  /** @param as of a record that has a name, or may still grow */
  read(value: unknown, place: Place, as: Pick<Where, 'recordId' | 'closed'> = WHOLE): Outcome {
    if (!isObject(value)) return failed('not a record')
    const role = asString(value.role)
    if (role !== 'user' && role !== 'assistant') return this.other(value, role, place)
    const blocks = isObject(value.message) ? blocksOf(value.message.content) : null
    if (!blocks) return failed(`a record of role ${role} without readable content`)
    const out = outcome(this.facts(null))
    const where = { facts: this.facts(null), place, ...as }
    if (role === 'user') this.asked(blocks, out, where)
    else this.answered(blocks, out, where)
    return out
  }

  private facts(ts: number | null): SessionFacts {
    const { session, parent, cwd } = this
    return { session, ts, ...(cwd ? { cwd } : {}), ...(parent ? { parent } : {}) }
  }

  private other(value: Record<string, unknown>, role: string | null, place: Place): Outcome {
    const type = asString(value.type) ?? role ?? ''
    if (type === 'system') return dropped('system', this.facts(null))
    if (type !== 'turn_ended')
      return dropped(unknownReason(this.unknown, type, this.context.mask), this.facts(null))
    const out = outcome(this.facts(null))
    const finished =
      value.status === undefined || /^(?:success|completed|finished)$/.test(String(value.status))
    this.thread.close(this.session, finished ? 'conclusion' : 'note', out)
    const said = isObject(value.error) ? value.error.message : value.error
    const text = typeof said === 'string' ? normalise(stripInjected(said)).trim() : ''
    if (!finished && text !== '') {
      const handle = this.counted.next(this.session, 'error', text)
      const item = { kind: 'error', role: 'assistant', data: { tool: 'api' }, importance: 0.3 } as const
      const where = { facts: this.facts(null), place, recordId: null, closed: true }
      this.thread.add(out, where, handle, { ...item, text: headTail(text, 8_000) })
    }
    because(out, finished ? 'turn' : 'interruption')
    return out
  }

  private asked(blocks: readonly Block[], out: Outcome, where: Where): void {
    const raw = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
    const prompt = readPrompt(raw)
    this.cwd ??= prompt.cwd
    const facts = this.facts(prompt.ts)
    out.facts = facts
    const there = { ...where, facts }
    if (this.parent !== null) because(out, 'subagent-prompt')
    else if (prompt.text !== '') {
      this.thread.asked(out, there, this.counted.prompt(this.session, prompt.text), prompt.text)
    } else because(out, raw.trim() === '' ? 'empty' : 'injected')
    for (const block of blocks) {
      if (block.type === 'image' && this.parent === null) this.image(block.data, block.mediaType, out, there)
      else if (block.type === 'result') because(out, 'tool-result')
    }
  }

  private image(data: unknown, mediaType: unknown, out: Outcome, where: Where): void {
    const facts = imageFacts(data, mediaType)
    if (!facts) return
    const item = {
      kind: 'image',
      role: 'user',
      text: imageText(facts),
      data: facts,
      importance: 0.4,
    } as const
    this.thread.add(out, where, this.counted.next(this.session, 'image', facts.sha256), item)
  }

  private answered(blocks: readonly Block[], out: Outcome, where: Where): void {
    const text = proseOf(blocks)
    const last = blocks.findLastIndex((block) => block.type === 'text')
    const callsAfter = blocks.slice(last + 1).some((block) => block.type === 'call')
    if (text !== '' && callsAfter) this.said(text, out, where)
    for (const block of blocks) if (block.type === 'call') this.called(block, out, where)
    if (text !== '' && !callsAfter) this.said(text, out, where)
    if (blocks.some((block) => block.type === 'thinking')) because(out, 'thinking')
    if (blocks.some((block) => block.type === 'text' && REDACTED.test(block.text))) because(out, 'redacted')
  }

  private said(text: string, out: Outcome, where: Where): void {
    this.thread.said(out, where, this.counted.next(this.session, 'said', text), text)
  }

  private called(block: { id: string; name: string; input: unknown }, out: Outcome, where: Where): void {
    const readings = readCursorCalls(block.name, block.input, block.id)
    for (const [at, reading] of readings.entries()) {
      if ('skip' in reading) because(out, reading.skip)
      else if ('held' in reading) because(out, 'question')
      else {
        const handle = this.counted.next(this.session, 'call', block.name, String(at), reading.text)
        this.thread.did(out, where, handle, reading, block.name)
      }
    }
  }
}

const proseOf = (blocks: readonly Block[]): string =>
  normalise(
    stripInjected(
      blocks
        .flatMap((block) => (block.type === 'text' && !REDACTED.test(block.text) ? [block.text] : []))
        .join('\n\n'),
    ),
  ).trim()

function proseIn(record: unknown): string | null {
  const message = isObject(record) && isObject(record.message) ? record.message : null
  const blocks = message && blocksOf(message.content)
  const text = blocks ? proseOf(blocks) : ''
  return text === '' ? null : text
}

/**
 * The workspace's folder: `<project>/.workspace-trusted` names it. The project folder's own name is never read as a
 * path.
 */
function trustedFolder({ path, beside }: FormatContext): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (basename(folder) === 'agent-transcripts') {
      const text = beside?.(join(dirname(folder), '.workspace-trusted')) ?? ''
      const quoted = /"workspacePath"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/.exec(text)?.[1]
      return quoted ? asString(unquoted(quoted)) : null
    }
    if (dirname(folder) === folder) return null
  }
}

function unquoted(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return ''
  }
}
