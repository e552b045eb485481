import { basename } from 'node:path'
import type { Handle } from '../../../../shared/domain'
import type {
  Draft,
  FormatContext,
  FormatReader,
  Outcome,
  Place,
  SessionFacts,
  TextRecord,
} from '../../drafts'
import { dropped } from '../../drafts'
import { planHash } from '../../handles'
import { stripInjected } from '../../injected'
import { firstLine, headAndBody, headTail, normalise } from '../../text'
import type { CallItem } from '../claude-code/calls'
import { readPrompt } from '../claude-code/prompts'
import { approval, errorText, exitCode, isInterruption, refusal } from '../claude-code/results'
import { because, outcome, type Where } from '../speech'
import { Talk } from '../talk'
import { segmentsOf, type ToolSegment } from './body'
import { headerOf, type TurnHeader } from './cutter'
import { questionAnswer, readTool, resultOf } from './tools'

const AGENT = 'specstory'
const FOLDER = /[\\/]([^\\/]+)[\\/]\.specstory[\\/]history[\\/][^\\/]+$/

/** Reads the turns of one SpecStory document. */
export class SpecStoryReader implements FormatReader {
  private readonly talk = new Talk(AGENT)
  private facts: SessionFacts
  /** When the person's turn before this one called a command; null when it did not. */
  private commandAt: number | null = null

  constructor(private readonly context: FormatContext) {
    const stem = basename(context.path).replace(/\.md$/i, '')
    this.facts = this.sessionFacts(stem)
  }

  state(): unknown {
    return {}
  }

  stub(): Draft | null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const { text, closed } = value as TextRecord
    const { head, body } = headAndBody(text)
    const header = headerOf(head)
    if (!header) return dropped('preamble')
    if (header.kind === 'session') {
      this.facts = this.sessionFacts(header.id)
      if (header.agent) this.facts.agent = header.agent
      return dropped('header', { ...this.facts, ts: header.ts })
    }
    const facts = { ...this.facts, ts: header.ts }
    const out = outcome(facts)
    const who = `${header.role}${header.sidechain ? '-side' : ''}`
    const recordId = this.talk.contentId(facts.session, 'turn', who, header.ts ?? '').slice(4, 20)
    const where: Where = { facts, place, recordId, closed }
    if (header.role === 'user') this.person(out, where, header, trimmed(body))
    else this.agent(out, where, header, trimmed(body))
    return { ...out, turn: recordId }
  }

  private sessionFacts(id: string): SessionFacts {
    const project = FOLDER.exec(this.context.path)?.[1]
    return { session: this.context.mask(id), ts: null, ...(project ? { project } : {}) }
  }

  private id(where: Where, ...content: string[]): Handle {
    return this.talk.contentId(where.facts.session, where.facts.ts ?? '', ...content)
  }

  private person(out: Outcome, where: Where, header: TurnHeader, body: string): void {
    const prompt = readPrompt(body, undefined)
    // What a command stands for follows it in the same moment, in the person's name.
    const expands = this.commandAt !== null && this.commandAt === header.ts
    this.commandAt = null
    if (prompt.kind === 'machine') {
      if (prompt.reason === 'interruption') this.talk.close(where.facts.session, 'note', out)
      because(out, prompt.reason)
    } else if (header.sidechain) because(out, 'subagent-prompt')
    else if (prompt.kind === 'speech' && expands && !prompt.data.command) because(out, 'meta')
    else if (prompt.kind === 'speech') {
      if (prompt.data.command) this.commandAt = header.ts
      this.talk.asked(out, where, this.id(where, 'user', prompt.text), prompt.text, prompt.data)
    } else if (prompt.command !== '') {
      this.talk.add(out, where, this.id(where, 'shell', prompt.command), {
        kind: 'command',
        role: 'user',
        text: `$ ${headTail(prompt.command, 8_000)}`,
        data: { command: headTail(prompt.command, 8_000), failed: false },
        importance: 0.4,
      })
    }
  }

  private agent(out: Outcome, where: Where, header: TurnHeader, body: string): void {
    this.commandAt = null
    // The task given to a sub-agent is shown in its name, without a model.
    if (header.sidechain && header.model === '') {
      because(out, 'subagent-prompt')
      return
    }
    for (const segment of segmentsOf(body)) {
      if (segment.kind === 'think') because(out, 'thinking')
      else if (segment.kind === 'tool') this.tool(out, where, segment)
      else this.prose(out, where, header, segment.text)
    }
  }

  private prose(out: Outcome, where: Where, header: TurnHeader, raw: string): void {
    const text = normalise(stripInjected(raw)).trim()
    if (text === '') return
    const handle = this.id(where, 'agent', text)
    if (!header.sidechain) this.talk.said(out, where, handle, text)
    else this.talk.add(out, where, handle, { kind: 'note', role: 'assistant', text: headTail(text, 100_000) })
  }

  private tool(out: Outcome, where: Where, tool: ToolSegment): void {
    const { talk } = this
    const handle = this.id(where, 'tool', tool.name, tool.lead, ...tool.fences.map((fence) => fence.text))
    const callId = `specstory-${handle.slice(4)}`
    const result = resultOf({ ...tool, lead: '' })
    const refused = refusal(result)
    const reading = readTool(refused ? { ...tool, fences: [] } : tool, callId)
    const call = 'kind' in reading ? completed(reading, result, refused !== null) : null
    if (call) talk.did(out, where, handle, call, tool.name)
    else if ('skip' in reading) because(out, reading.skip)
    const decided = decisionOf(tool, callId, refused, result, call)
    if (decided) talk.did(out, where, this.id(where, 'decision', handle), decided, tool.name, 'user')
    else if (!refused) this.failure(out, where, tool, result, handle)
  }

  private failure(out: Outcome, where: Where, tool: ToolSegment, result: string, handle: Handle): void {
    const failed = result.startsWith('<tool_use_error>') || exitCode(result)
    if (!failed || isInterruption(result)) return
    const text = errorText(stripInjected(result))
    const item: CallItem = { kind: 'error', text, data: { tool: tool.name }, importance: 0.6 }
    this.talk.did(out, where, this.id(where, 'error', handle), item, tool.name, 'tool')
  }
}

/** A turn's text without the rule that separates it from the next one. */
const trimmed = (body: string): string =>
  body
    .trimEnd()
    .replace(/(?:^|\n)---$/, '')
    .trim()

function completed(call: CallItem, result: string, refused: boolean): CallItem {
  if (call.kind === 'command') {
    const code = exitCode(result)
    const failed = refused || (code !== undefined && code !== 0)
    const data = {
      ...(call.data as { command: string }),
      failed,
      ...(code === undefined ? {} : { exitCode: code }),
    }
    return { ...call, data }
  }
  const approved = call.kind === 'plan' && 'gate' in call.data ? approval(result, undefined) : null
  if (!approved || approved.plan.trim() === '') return call
  return { ...call, text: approved.plan, data: { ...call.data, planHash: planHash(approved.plan) } }
}

function decisionOf(
  tool: ToolSegment,
  toolUseId: string,
  refused: ReturnType<typeof refusal>,
  result: string,
  call: CallItem | null,
): CallItem | null {
  const of = tool.name === 'ExitPlanMode' ? 'plan' : tool.name === 'AskUserQuestion' ? 'question' : 'tool'
  const make = (
    text: string,
    verdict: 'approve' | 'refused' | 'bare-stop' | 'answered',
    words: string,
  ): CallItem => ({
    kind: 'decision',
    text: headTail(text, 20_000),
    data: { of, toolUseId, verdict, words, tool: tool.name },
    importance: 0.9,
  })
  if (refused) {
    const words = headTail(normalise(stripInjected(refused.words)).trim(), 20_000)
    const title = firstLine(call?.text ?? '', 80)
    const plan = title === '' ? 'a plan' : `the plan “${title}”`
    const what = of === 'plan' ? plan : of === 'question' ? 'a question' : title || tool.name
    return make(words === '' ? `Stopped at ${what}` : `Sent back ${what}: ${words}`, refused.verdict, words)
  }
  if (of === 'plan' && approval(result, undefined)) {
    const title = firstLine(call?.text ?? '', 80)
    return make(`Approved the plan${title ? ` “${title}”` : ''}`, 'approve', '')
  }
  const answer = of === 'question' ? questionAnswer(tool) : null
  return answer === null ? null : make(normalise(answer), 'answered', normalise(answer))
}
