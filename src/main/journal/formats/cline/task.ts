import type { Handle } from '../../../../shared/domain'
import type { Draft, Outcome } from '../../drafts'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { firstLine, headTail, normalise } from '../../text'
import { planItem } from '../claude-code/calls'
import { because, type Where } from '../speech'
import { Talk } from '../talk'
import { readClineCall } from './calls'

/** A task's conversation. Its messages have no ids: what is said is known by its words, in whichever file it stands. */
export class Task {
  readonly talk = new Talk('cline')
  /** Calls whose results come with the next message, by the id the model gave them; '' for calls by tags. */
  private readonly calls = new Map<string, Draft>()
  private plan: Draft | null = null

  asked(out: Outcome, where: Where, text: string): void {
    if (text !== '') this.talk.asked(out, where, this.id(where, 'user', text), text)
  }

  said(out: Outcome, where: Where, raw: string): void {
    const text = normalise(stripInjected(raw)).trim()
    if (text !== '') this.talk.said(out, where, this.id(where, 'agent', text), text)
  }

  called(out: Outcome, where: Where, name: string, input: unknown, callId: string): void {
    if (name === 'attempt_completion') this.said(out, where, field(input, 'result'))
    else if (name === 'ask_followup_question') this.said(out, where, field(input, 'question'))
    else if (name === 'plan_mode_respond') this.planned(out, where, field(input, 'response'))
    else this.did(out, where, name, input, callId)
  }

  private did(out: Outcome, where: Where, name: string, input: unknown, callId: string): void {
    const reading = readClineCall(name, input, callId)
    if ('skip' in reading) because(out, reading.skip)
    if (!('kind' in reading)) return
    const handle = this.id(where, 'call', name, JSON.stringify(input))
    this.talk.did(out, where, handle, reading, name)
    const draft = out.own.at(-1)
    if (draft) this.calls.set(callId, draft)
  }

  /** What the model proposes in plan mode. Whether it was approved shows only when the person switches to act mode. */
  private planned(out: Outcome, where: Where, raw: string): void {
    const text = normalise(stripInjected(raw)).trim()
    if (text === '') return
    this.talk.did(
      out,
      where,
      this.id(where, 'plan', text),
      { ...planItem(text, '', null), data: {} },
      'plan_mode_respond',
    )
    this.plan = out.own.at(-1) ?? null
  }

  approved(out: Outcome, where: Where): void {
    const plan = this.plan
    this.plan = null
    if (!plan) return
    const toolUseId = `cline-${plan.handle.slice(4)}`
    out.revises.push({ ...plan, ...planItem(plan.text, toolUseId, null) })
    const title = firstLine(plan.text, 80)
    const data: ItemData<'decision'> = {
      of: 'plan',
      toolUseId,
      verdict: 'approve',
      words: '',
      tool: 'plan_mode_respond',
    }
    const text = `Approved the plan${title ? ` “${title}”` : ''}`
    const handle = this.id(where, 'approved', plan.handle)
    this.talk.did(
      out,
      where,
      handle,
      { kind: 'decision', text, data, importance: 0.9 },
      'plan_mode_respond',
      'user',
    )
  }

  denied(out: Outcome, where: Where, words: string, callId: string): void {
    const call = this.take(callId)
    const subject = call ? firstLine(call.text, 120) : 'a tool call'
    const data: ItemData<'decision'> = {
      of: 'tool',
      toolUseId: call ? `cline-${call.handle.slice(4)}` : `cline-${callId}`,
      verdict: words === '' ? 'bare-stop' : 'refused',
      words: headTail(words, 20_000),
      ...(call?.tool ? { tool: call.tool } : {}),
    }
    const text = words === '' ? `Stopped at ${subject}` : `Sent back ${subject}: ${words}`
    const handle = this.id(where, 'denied', call?.handle ?? '', words)
    this.talk.did(
      out,
      where,
      handle,
      { kind: 'decision', text, data, importance: 0.9 },
      call?.tool ?? 'tool',
      'user',
    )
  }

  result(out: Outcome, where: Where, raw: string, failed: boolean, callId: string): void {
    const call = this.take(callId)
    const text = normalise(stripInjected(raw)).trim()
    if (call?.kind === 'command') {
      const output = headTail(text.replace(/^\[[^\n]{0,4000}\] Result:\s*/, ''), 1_600)
      const data = { ...(call.data as ItemData<'command'>), failed }
      out.completes.push({ ...call, data, text: output === '' ? call.text : `${call.text}\n${output}` })
      if (out.disposition.kind === 'dropped') out.disposition = { kind: 'attached' }
    }
    if (!failed || text === '') return
    const tool = call?.tool ?? 'tool'
    const handle = this.id(where, 'failed', call?.handle ?? '', text)
    const item = { kind: 'error' as const, text: headTail(text, 8_000), data: { tool }, importance: 0.6 }
    this.talk.did(out, where, handle, item, tool, 'tool')
  }

  private take(callId: string): Draft | null {
    const call = this.calls.get(callId) ?? null
    this.calls.delete(callId)
    return call
  }

  private id(where: Where, ...content: string[]): Handle {
    return this.talk.contentId(where.facts.session, ...content)
  }
}

const field = (input: unknown, name: string): string => {
  const value = (input as Record<string, unknown> | null)?.[name]
  return typeof value === 'string' ? value : ''
}
