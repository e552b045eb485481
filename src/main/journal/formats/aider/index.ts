import { basename, dirname } from 'node:path'
import {
  type Draft,
  dropped,
  type Format,
  type FormatContext,
  type FormatReader,
  type Outcome,
  type Place,
  type SessionFacts,
  type TextRecord,
} from '../../drafts'
import { stripInjected } from '../../injected'
import { asString, headTail, isObject, normalise } from '../../text'
import { because, outcome, type Where } from '../speech'
import { Talk } from '../talk'
import { AiderCutter, PROMPT, runStart } from './cutter'
import { type Part, type Turn, turnOf } from './turn'

const AGENT = 'aider'
/** Commands that carry a request to the model. */
const ASKING = /^\/(?:ask|code|architect|chat|copy-context|context|editor|help)\s+([\s\S]+)$/
const RUNNING = /^(?:\/(?:run|test|lint)\s+|!)([\s\S]+)$/
const APPLIED = /^Applied edit to (.{1,600})$/
const COMMITTED = /^Commit [0-9a-f]{7,40} .{1,500}$/

/** Reads one `.aider.chat.history.md`: many runs, each a session of its own. */
class AiderReader implements FormatReader {
  private readonly talk: Talk
  private readonly runs = new Map<string, number>()
  private facts: SessionFacts

  constructor(
    private readonly context: FormatContext,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    const known = Array.isArray(it.runs) ? (it.runs as [string, number][]) : []
    for (const [name, n] of known) this.runs.set(name, n)
    this.facts = this.factsOf(asString(it.session) ?? 'start')
    this.talk = new Talk(AGENT, it.talk, (place) => closingOf(context.load(place)))
  }

  state(): unknown {
    return { session: this.facts.session, runs: [...this.runs], talk: this.talk.state() }
  }

  stub(): Draft | null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const { text, closed } = value as TextRecord
    const run = runStart(text.split('\n', 1)[0] ?? '')
    if (run) {
      const n = (this.runs.get(run.name) ?? 0) + 1
      this.runs.set(run.name, n)
      this.facts = this.factsOf(n === 1 ? run.name : `${run.name}-${n}`)
      // A run is never taken up again.
      this.talk.forgetAll()
      return dropped('header', { ...this.facts, ts: run.ts })
    }
    if (!text.startsWith(PROMPT)) return dropped('preamble')
    const turn = this.talk.contentId(this.facts.session, 'turn').slice(4, 20)
    const out = { ...outcome(this.facts), turn }
    this.turn(out, { facts: this.facts, place, recordId: turn, closed }, turnOf(text))
    return out
  }

  /** The history lies at the root of the repository it is about. */
  private factsOf(session: string): SessionFacts {
    const inPlace = basename(this.context.path).startsWith('.aider')
    return { session, ts: null, ...(inPlace ? { cwd: dirname(this.context.path) } : {}) }
  }

  private turn(out: Outcome, where: Where, { prompt, parts }: Turn): void {
    const { session } = where.facts
    const text = normalise(stripInjected(prompt)).trim()
    const ran = RUNNING.exec(text)?.[1]
    const asked = ASKING.exec(text)?.[1] ?? (text.startsWith('/') || text === '<blank>' ? '' : text)
    if (ran) this.ran(out, where, ran, parts)
    else if (asked !== '') this.talk.asked(out, where, this.talk.contentId(session, 'user', asked), asked)
    else because(out, 'built-in-command')
    for (const part of parts) {
      if (part.kind === 'answer') this.answer(out, where, part.text)
      else if (!ran) this.output(out, where, part.text)
    }
  }

  private ran(out: Outcome, where: Where, command: string, parts: readonly Part[]): void {
    const output = parts.flatMap((part) => (part.kind === 'output' ? [part.text] : [])).join('\n')
    const kept = headTail(command, 8_000)
    const printed = headTail(normalise(stripInjected(output)).trim(), 1_600)
    this.talk.add(out, where, this.talk.contentId(where.facts.session, 'ran', command), {
      kind: 'command',
      role: 'user',
      text: `$ ${kept}${printed === '' ? '' : `\n${printed}`}`,
      data: { command: kept, failed: false },
      importance: 0.4,
    })
  }

  private answer(out: Outcome, where: Where, raw: string): void {
    const text = answerIn(raw)
    if (text !== '')
      this.talk.said(out, where, this.talk.contentId(where.facts.session, 'answer', text), text)
  }

  /** Of what Aider reports only what it did to files and to the repository is kept. */
  private output(out: Outcome, where: Where, text: string): void {
    for (const line of text.split('\n')) {
      const path = APPLIED.exec(line)?.[1]
      const committed = path ? null : COMMITTED.exec(line)
      if (!path && !committed) continue
      const handle = this.talk.contentId(where.facts.session, 'did', line)
      this.talk.add(out, where, handle, {
        kind: path ? 'file_op' : 'note',
        role: 'assistant',
        tool: path ? 'edit' : 'git',
        text: normalise(path ? `Edit ${path}` : line),
        data: path ? { path, op: 'edit' } : {},
        importance: path ? 0.45 : 0.4,
      })
    }
  }
}

/** What a turn's last answer says. */
function closingOf(record: unknown): string | null {
  if (!isObject(record) || typeof record.text !== 'string') return null
  const last = turnOf(record.text).parts.findLast(({ kind }) => kind === 'answer')
  return last ? answerIn(last.text) : null
}

const answerIn = (raw: string): string => normalise(stripInjected(raw)).trim()

/** Aider's chat history. */
export const aider: Format = {
  agent: AGENT,
  framing: { kind: 'text', cutter: (saved) => new AiderCutter(saved) },
  recognise: ({ text }) => {
    const runs = text
      .slice(0, 16_000)
      .split('\n')
      .some((line) => runStart(line) !== null)
    return runs && /^\s*# aider chat started at /.test(text) ? 1 : 0
  },
  open: (context, saved) => new AiderReader(context, saved),
}
