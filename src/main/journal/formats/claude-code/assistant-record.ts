import { failed, type Outcome, type Place } from '../../drafts'
import { stripInjected } from '../../injected'
import { headTail, isObject, normalise } from '../../text'
import { type Block, blocksOf, type CallBlock } from './blocks'
import { readCall, TEXT_LIMIT } from './calls'
import { asConclusion, type Desk, fresh, type Json, type Sheet } from './desk'

/** An assistant record: usually one block of an answer that goes on in the records after it. */
export function readAssistant(desk: Desk, record: Json, place: Place): Outcome {
  const chain = desk.enter(record)
  const message = isObject(record.message) ? record.message : null
  const blocks = message ? blocksOf(message.content) : null
  if (!message || !blocks) {
    return { ...failed('an assistant record without readable content'), facts: chain.facts }
  }
  const sheet: Sheet = { record, chain, place, out: fresh(chain.facts) }
  const { out } = sheet
  if (record.isApiErrorMessage === true) apiError(desk, sheet, blocks)
  else {
    for (const [index, block] of blocks.entries()) {
      if (block.type === 'text') said(desk, sheet, block.text, index, message)
      else if (block.type === 'call') called(desk, sheet, block, index)
      else if (block.type === 'thinking') reason(out, 'thinking')
    }
  }
  if (out.own.length > 0) out.disposition = { kind: 'used' }
  return out
}

function reason(out: Outcome, why: string): void {
  if (out.disposition.kind === 'dropped') out.disposition = { kind: 'dropped', reason: why }
}

function said(desk: Desk, sheet: Sheet, raw: string, index: number, message: Json): void {
  const { chain, place, out } = sheet
  const text = normalise(stripInjected(raw)).trim()
  if (text === '') return
  if (message.model === '<synthetic>' && text === 'No response requested.') {
    reason(out, 'machine-text')
    return
  }
  const draft = desk.said(text, index, chain, place)
  if (chain.inlineSide) {
    out.own.push(draft)
    return
  }
  const id = typeof message.id === 'string' ? message.id : null
  // The blocks of one answer come as records of their own; they close the turn together.
  if (!desk.memory.isOpenAnswer(id)) desk.close('note', out)
  desk.memory.openAnswer(id, { place, part: index, goal: draft.goal, draft })
  // Nothing has followed it yet: for now it is the closing statement.
  out.own.push({ ...asConclusion(draft), settled: false })
}

function called(desk: Desk, sheet: Sheet, block: CallBlock, index: number): void {
  const { chain, place, out } = sheet
  if (!chain.inlineSide) desk.close('note', out)
  const reading = readCall(block.name, block.input, block.id)
  const draft = desk.called(reading, block.name, index, chain, place)
  const goal = desk.memory.goal(chain.session)
  desk.memory.holdCall(block.id, { place, part: index, goal, name: block.name, draft })
  if (draft) out.own.push(draft)
  else if ('skip' in reading) reason(out, reading.skip)
  // A question waits for its answer and lives in the decision's item.
  else out.disposition = { kind: 'attached' }
}

function apiError(desk: Desk, sheet: Sheet, blocks: readonly Block[]): void {
  const text = blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim()
  if (text === '') return
  desk.close('note', sheet.out)
  sheet.out.own.push({
    ...desk.base(sheet.chain, sheet.place, 0),
    kind: 'error',
    role: 'assistant',
    text: headTail(normalise(text), TEXT_LIMIT),
    data: { tool: 'api' },
    importance: 0.3,
  })
}
