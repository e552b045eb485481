import { stripInjected } from '../../injected'
import { asString, isObject, normalise } from '../../text'
import { entryOf } from './envelope'
import { textOf } from './prompts'

// What the agent said: its prose, and the plan that may stand in it.

const OPEN = '<proposed_plan>'
const CLOSE = '</proposed_plan>'
const CITATION = /<oai-mem-citation>[\s\S]{0,20000}?<\/oai-mem-citation>/g

/** Prose and plan of an answer. A plan is only one where plans are made: in plan mode, or where no mode is known. */
export function splitAnswer(raw: string, mode: string | null): { prose: string; plan: string | null } {
  const text = raw.includes('<oai-mem-citation>') ? raw.replace(CITATION, '') : raw
  const from = mode === null || mode === 'plan' ? openerIn(text) : -1
  const to = from === -1 ? -1 : text.lastIndexOf(CLOSE)
  if (from === -1 || to < from) return { prose: normalise(stripInjected(text)).trim(), plan: null }
  const plan = normalise(stripInjected(text.slice(from + OPEN.length, to))).trim()
  const around = `${text.slice(0, from).trimEnd()}\n${text.slice(to + CLOSE.length).trimStart()}`
  return { prose: normalise(stripInjected(around)).trim(), plan: plan === '' ? null : plan }
}

/** The tag opens a line; in the middle of one somebody writes about it. */
function openerIn(text: string): number {
  if (text.startsWith(OPEN)) return 0
  const at = text.indexOf(`\n${OPEN}`)
  return at === -1 ? -1 : at + 1
}

/** What a record of any teller says; null when it is none that speaks. */
export function textOfRecord(record: unknown): string | null {
  if (!isObject(record)) return null
  const { payload } = entryOf(record)
  const item = isObject(payload.item) ? payload.item : null
  if (item) return asString(item.text) ?? textOf(item.content)
  if (payload.type === 'message') return textOf(payload.content)
  return asString(payload.message)
}
