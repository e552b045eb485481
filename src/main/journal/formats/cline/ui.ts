import type { Outcome } from '../../drafts'
import { stripInjected } from '../../injected'
import { asString, isObject, normalise } from '../../text'
import { because, outcome, type Where } from '../speech'
import type { Task } from './task'

/** What the panel showed. Only speech is taken from here: what was done stands in the other file. */
export function readUiMessage(task: Task, where: Where, message: Record<string, unknown>): Outcome {
  const out = outcome(where.facts)
  const kind = asString(message.say) ?? asString(message.ask) ?? ''
  const text = normalise(stripInjected(asString(message.text) ?? '')).trim()
  if (message.type !== 'say' && message.type !== 'ask') because(out, 'unknown-record')
  else if (message.partial === true) because(out, 'partial')
  else if (text === '') because(out, 'empty')
  else if (message.type === 'say') said(task, out, where, kind, text)
  else asked(task, out, where, kind, text)
  return out
}

function said(task: Task, out: Outcome, where: Where, kind: string, text: string): void {
  // The first text is the task itself, in the person's own words.
  if (
    kind === 'task' ||
    kind === 'user_feedback' ||
    (kind === 'text' && task.talk.goal(where.facts.session) === null)
  )
    task.asked(out, where, text)
  else if (kind === 'text') task.said(out, where, text)
  else if (kind === 'completion_result') task.said(out, where, text.replace(/HAS_CHANGES$/, ''))
  else because(out, kind === 'reasoning' ? 'thinking' : 'progress')
}

function asked(task: Task, out: Outcome, where: Where, kind: string, text: string): void {
  // `text` of an ask is often JSON in a string.
  const inner = parsed(text)
  if (kind === 'followup') task.said(out, where, asString(inner?.question) ?? text)
  else if (kind === 'plan_mode_respond')
    task.called(out, where, kind, { response: asString(inner?.response) ?? text }, '')
  else because(out, 'progress')
}

function parsed(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
