import type { Handle } from '../../../../shared/domain'
import type { Outcome, Place } from '../../drafts'
import { keepsGoal } from '../../goals'
import { handleOf, planHash } from '../../handles'
import type { ItemData } from '../../item-data'
import { firstLine, headTail, normalise } from '../../text'
import { judge } from './decision'
import { asConclusion, type Desk, PROSE_LIMIT, type Sheet } from './desk'
import type { Json } from './envelope'
import { type Teller, wordsOf } from './memory'
import { pictureIn } from './outputs'
import { readPrompt, spokenParts } from './prompts'
import { splitAnswer, textOfRecord } from './spoken'

// Every prompt and every answer stands in a rollout twice. The person's words count as the event tells them; what
// the model was given holds machine text too and only speaks where no event does.

/** Words the agent said, told by any of the three tellers. */
export function said(desk: Desk, sheet: Sheet, raw: string, teller: Teller, phase: unknown): void {
  const { prose, plan } = splitAnswer(raw, desk.memory.mode)
  if (prose !== '') prosed(desk, sheet, prose, teller, phase)
  if (plan !== null) proposed(desk, sheet, plan, teller)
}

function prosed(desk: Desk, sheet: Sheet, prose: string, teller: Teller, phase: unknown): void {
  const { memory } = desk
  const words = wordsOf(prose)
  const { nth, again } = memory.tell('said', words, teller)
  if (!again) heard(desk, sheet.out)
  const handle = desk.wordsHandle(sheet.copied, 'said', words, nth)
  const draft = desk.saidDraft(desk.base(sheet), handle, prose)
  if (again) {
    desk.own(sheet, { ...draft, settled: false })
    return
  }
  desk.close('note', sheet.out)
  if (phase === 'commentary') {
    desk.own(sheet, draft)
    return
  }
  memory.answer = { ...desk.hold(sheet, draft), handle, drafts: [draft] }
  // Nothing has followed it yet: for now it is the closing statement.
  desk.own(sheet, { ...asConclusion(draft), settled: false })
}

/** A plan put to the person. The turn after it holds the decision. */
export function proposed(desk: Desk, sheet: Sheet, plan: string, teller: Teller): void {
  const { memory } = desk
  const { nth, again } = memory.tell('plan', wordsOf(plan), teller)
  const handle = desk.wordsHandle(sheet.copied, 'plan', wordsOf(plan), nth)
  if (!again) {
    heard(desk, sheet.out)
    desk.close('note', sheet.out)
    memory.plan = { handle, hash: planHash(plan), title: firstLine(plan, 80), place: sheet.place }
  }
  desk.own(sheet, {
    ...desk.base(sheet),
    handle,
    kind: 'plan',
    part: 1,
    role: 'assistant',
    text: headTail(plan, PROSE_LIMIT),
    data: { gate: { toolUseId: handle }, planHash: planHash(plan) },
    importance: 0.8,
    settled: !again,
  })
}

/** What the model was given in the person's name. It waits for the event that tells the same. */
export function given(desk: Desk, sheet: Sheet, payload: Json): void {
  const { memory } = desk
  const { out } = sheet
  const { spoken, shell, machine } = spokenParts(payload.content)
  if (machine === 'interruption') desk.close('note', out)
  if (isChild(desk, sheet)) {
    desk.reason(out, machine ?? 'subagent-prompt')
    return
  }
  pictures(desk, sheet, Array.isArray(payload.content) ? payload.content : [])
  for (const [at, command] of shell.entries()) ran(desk, sheet, command, at)
  const prompt = readPrompt(spoken.join('\n'), false)
  if (prompt.kind !== 'speech') {
    desk.reason(out, machine ?? (prompt.kind === 'machine' ? prompt.reason : 'command-echo'))
    return
  }
  const words = wordsOf(prompt.text)
  if (memory.isTold('user', words, 'response')) {
    const { nth } = memory.tell('user', words, 'response')
    const handle = desk.wordsHandle(sheet.copied, 'user', words, nth)
    desk.own(sheet, { ...desk.base(sheet), handle, role: 'user', text: prompt.text, settled: false })
    return
  }
  const text = spoken.join('\n')
  memory.waiting.push({ place: sheet.place, words, ts: sheet.entry.ts, copied: sheet.copied, text })
  if (out.disposition.kind === 'dropped') out.disposition = { kind: 'attached' }
}

/** The person's words as an event tells them. */
export function typed(
  desk: Desk,
  sheet: Sheet,
  raw: string,
  teller: Teller,
  images: readonly unknown[],
): void {
  const { memory } = desk
  if (isChild(desk, sheet)) {
    memory.waiting = []
    desk.reason(sheet.out, 'subagent-prompt')
    return
  }
  pictures(desk, sheet, images)
  const prompt = readPrompt(raw, false)
  if (prompt.kind === 'shell') ran(desk, sheet, prompt.command, 0)
  if (prompt.kind === 'machine') desk.reason(sheet.out, prompt.reason)
  if (prompt.kind !== 'speech') return
  const words = wordsOf(prompt.text)
  const waiting = memory.waiting
  memory.waiting = []
  if (!memory.isTold('user', words, teller)) speak(desk, sheet, prompt.text, prompt.data, words, teller)
  else {
    const { nth } = memory.tell('user', words, teller)
    const handle = desk.wordsHandle(sheet.copied, 'user', words, nth)
    desk.own(sheet, { ...desk.base(sheet), handle, role: 'user', text: prompt.text, settled: false })
  }
  for (const one of waiting) memory.tell('user', one.words, 'response')
}

/** Something follows the prompt: what no event has claimed was the person speaking after all. */
export function heard(desk: Desk, out: Outcome): void {
  const waiting = desk.memory.waiting
  desk.memory.waiting = []
  for (const one of waiting) {
    const text = one.text ?? reread(desk, one.place)
    const prompt = readPrompt(text, false)
    if (prompt.kind !== 'speech') continue
    const entry = { type: 'other' as const, name: '', payload: {}, ts: one.ts, ordinal: null }
    const sheet: Sheet = { entry, place: one.place, copied: one.copied, out: { ...out, own: [] } }
    speak(desk, sheet, prompt.text, prompt.data, one.words, 'response')
    out.revises.push(...sheet.out.own)
    if (sheet.out.rewinds) out.rewinds = sheet.out.rewinds
  }
}

function reread(desk: Desk, place: Place): string {
  const record = desk.context.load(place)
  const content = record && typeof record === 'object' ? contentOf(record as Json) : null
  return content === null ? (textOfRecord(record) ?? '') : spokenParts(content).spoken.join('\n')
}

const contentOf = (record: Json): unknown => {
  const payload = (record.payload ?? record) as Json
  return payload.type === 'message' ? payload.content : null
}

function speak(
  desk: Desk,
  sheet: Sheet,
  text: string,
  data: ItemData<'goal'>,
  words: string,
  teller: Teller,
): void {
  const { memory } = desk
  desk.close('conclusion', sheet.out)
  memory.prompted()
  const { nth } = memory.tell('user', words, teller)
  const plan = memory.plan
  memory.plan = null
  const ruling = plan && judge(text, data.planHash ?? null, plan.hash, memory.mode)
  if (plan && ruling) decided(desk, sheet, plan, ruling, desk.wordsHandle(sheet.copied, 'user', words, nth))
  const left = memory.ask(desk.wordsHandle(sheet.copied, 'user', words, nth))
  if (left && !sheet.copied) {
    const to = desk.wordsHandle(sheet.copied, 'user', words, nth)
    sheet.out.rewinds = [{ session: desk.session, from: left, to }]
  }
  if (ruling && !ruling.newGoal) return
  const handle = desk.wordsHandle(sheet.copied, ruling ? 'user-goal' : 'user', words, nth)
  const keeps = !data.implementsPlan && keepsGoal(text, memory.goal !== null)
  if (!keeps) memory.goal = handle
  desk.own(sheet, {
    ...desk.base(sheet),
    handle,
    kind: keeps ? 'note' : 'goal',
    part: 1,
    role: 'user',
    goal: memory.goal,
    text: headTail(text, PROSE_LIMIT),
    data: keeps ? {} : data,
    importance: keeps ? 0.2 : data.implementsPlan ? 0.9 : 0.8,
  })
}

function decided(
  desk: Desk,
  sheet: Sheet,
  plan: NonNullable<Desk['memory']['plan']>,
  ruling: NonNullable<ReturnType<typeof judge>>,
  handle: Handle,
): void {
  const title = plan.title ?? titleAt(desk, plan.place)
  const name = `the plan${title ? ` “${title}”` : ''}`
  const what = ruling.verdict === 'approve' ? `Approved ${name}` : `Sent back ${name}`
  const edits = ruling.edited ? ', with edits' : ''
  const words = headTail(ruling.words, 20_000)
  desk.own(sheet, {
    ...desk.base(sheet),
    handle,
    kind: 'decision',
    role: 'user',
    text: headTail(`${what}${edits}${words === '' ? '' : `: ${words}`}`, 20_000),
    data: {
      of: 'plan',
      toolUseId: plan.handle,
      verdict: ruling.verdict,
      words,
      ...(ruling.edited ? { edited: true } : {}),
    },
    importance: 0.9,
  })
}

function titleAt(desk: Desk, place: Place): string {
  const text = textOfRecord(desk.context.load(place)) ?? ''
  return firstLine(splitAnswer(text, null).plan ?? normalise(text).trim(), 80)
}

/** In a sub-agent's own turns another agent speaks. */
const isChild = (desk: Desk, sheet: Sheet): boolean => desk.memory.lineage.child && !sheet.copied

function pictures(desk: Desk, sheet: Sheet, parts: readonly unknown[]): void {
  for (const [at, part] of parts.slice(0, 100).entries()) {
    const url = part && typeof part === 'object' ? (part as Json).image_url : part
    const picture = pictureIn(url)
    if (picture) desk.image(sheet, picture, 2 + at, 'user')
  }
}

function ran(desk: Desk, sheet: Sheet, command: string, at: number): void {
  if (command === '') return
  const kept = headTail(command, 8_000)
  const words = wordsOf(command)
  const { nth } = desk.memory.tell('shell', words, 'response')
  desk.own(sheet, {
    ...desk.base(sheet),
    handle: handleOf('codex', desk.scope(sheet.copied), 'shell', words, nth),
    kind: 'command',
    part: 200 + at,
    role: 'user',
    text: `$ ${kept}`,
    data: { command: kept, failed: false },
    importance: 0.4,
  })
}
