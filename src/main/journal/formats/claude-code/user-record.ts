import { dropped, failed, type Outcome, type Place } from '../../drafts'
import { isAcknowledgement, keepsGoal, wordsHash } from '../../goals'
import type { ItemData } from '../../item-data'
import { asString, headTail, isObject } from '../../text'
import { answered } from './answered'
import { type Block, blocksOf, type ResultBlock } from './blocks'
import { TEXT_LIMIT } from './calls'
import { type Desk, fresh, type Json, PROSE_LIMIT, type Sheet, SLOTS } from './desk'
import { readPrompt } from './prompts'
import type { Chain } from './record'
import { isInterruption } from './results'
import { unspilled, withPlanFile } from './side-files'

/** A user record: the person's words, tools' results, or a machine's text in the person's name. */
export function readUser(desk: Desk, record: Json, place: Place): Outcome {
  const chain = desk.enter(record)
  const blocks = isObject(record.message) ? blocksOf(record.message.content) : null
  if (!blocks) return { ...failed('a user record without readable content'), facts: chain.facts }
  const sheet: Sheet = { record, chain, place, out: fresh(chain.facts) }
  const { out } = sheet
  let results = 0
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'result') continue
    results++
    readResult(desk, sheet, block, index)
  }
  const machine = machineReason(record, chain)
  if (machine && results === 0) {
    if (!chain.inlineSide) desk.memory.passed(chain.uuid, chain.follows)
    return dropped(machine, chain.facts)
  }
  if (!machine) readSpeech(desk, sheet, blocks)
  if (out.own.length > 0) out.disposition = { kind: 'used' }
  else if (out.completes.length > 0) out.disposition = { kind: 'attached' }
  return out
}

/** Why a user record is not the person speaking; null when it may be. */
function machineReason(record: Json, chain: Chain): string | null {
  if (record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true)
    return 'compaction-summary'
  if (record.isMeta === true || typeof record.sourceToolUseID === 'string') return 'meta'
  if (chain.child || chain.inlineSide) return 'subagent-prompt'
  if (record.promptSource === 'system') return 'injected'
  const origin = isObject(record.origin) ? record.origin.kind : undefined
  return typeof origin === 'string' && !['human', 'user', 'typed'].includes(origin) ? 'injected' : null
}

function readSpeech(desk: Desk, sheet: Sheet, blocks: readonly Block[]): void {
  const { out } = sheet
  const spoken: string[] = []
  let first = 0
  let data: ItemData<'goal'> = {}
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'image') desk.image(sheet, block, index, 'user')
    if (block.type !== 'text') continue
    const prompt = readPrompt(block.text, sheet.record.planContent)
    if (prompt.kind === 'machine') {
      if (out.disposition.kind === 'dropped') out.disposition = { kind: 'dropped', reason: prompt.reason }
      if (prompt.reason === 'interruption') desk.close('note', out)
    } else if (prompt.kind === 'shell') ran(desk, sheet, prompt.command, index)
    else {
      if (spoken.length === 0) first = index
      spoken.push(prompt.text)
      data = { ...data, ...prompt.data }
    }
  }
  const text = spoken.join('\n').trim()
  if (text !== '') spoke(desk, sheet, text, first, data)
  else if (out.own.length === 0) desk.memory.passed(sheet.chain.uuid, sheet.chain.follows)
}

function spoke(desk: Desk, sheet: Sheet, text: string, index: number, data: ItemData<'goal'>): void {
  const { chain, place, out } = sheet
  desk.close('conclusion', out)
  const left = desk.memory.turn(chain.session, chain.follows, desk.base(chain, place, index).handle)
  const base = desk.base(chain, place, index)
  if (left) out.rewinds = [{ session: chain.session, from: left, to: base.handle }]
  // A request sent again, word for word, is the one that stands.
  const said = wordsHash(text)
  const command = data.command !== undefined || data.implementsPlan === true
  const active = desk.memory.goal(chain.session) !== null
  const again = desk.memory.isLastRequest(chain.session, said)
  const keeps = again || (!command && keepsGoal(text, active))
  if (!keeps) desk.memory.setGoal(chain.session, base.handle, said)
  out.own.push({
    ...base,
    kind: keeps ? 'note' : 'goal',
    role: 'user',
    goal: desk.memory.goal(chain.session),
    text: headTail(text, PROSE_LIMIT),
    data: keeps ? (again || isAcknowledgement(text) ? {} : { remark: true }) : data,
    importance: keeps ? 0.2 : data.implementsPlan ? 0.9 : 0.8,
  })
}

function ran(desk: Desk, sheet: Sheet, command: string, index: number): void {
  if (command === '') return
  const kept = headTail(command, TEXT_LIMIT)
  sheet.out.own.push({
    ...desk.base(sheet.chain, sheet.place, index),
    kind: 'command',
    role: 'user',
    text: `$ ${kept}`,
    data: { command: kept, failed: false },
    importance: 0.4,
  })
}

function readResult(desk: Desk, sheet: Sheet, given: ResultBlock, index: number): void {
  const { record, chain, place, out } = sheet
  const block = unspilled(desk.context, given, record.toolUseResult, record.sessionId)
  const call = desk.recall(block.callId)
  const answer = answered({
    block,
    call,
    twin: record.toolUseResult,
    base: (slot) => ({ ...desk.base(chain, place, index, slot), role: 'user', tool: call?.name ?? null }),
  })
  const agent = isObject(record.toolUseResult) ? asString(record.toolUseResult.agentId) : null
  if (agent && call?.draft) {
    out.spawned = [...(out.spawned ?? []), { child: desk.childOf(record, agent), call: call.draft.handle }]
  }
  out.own.push(...answer.own)
  if (answer.completed) out.completes.push(withPlanFile(desk.context, answer.completed))
  // A result without an item of its own still belongs to the call it answers.
  else if (answer.own.length === 0 && out.disposition.kind === 'dropped') {
    out.disposition = { kind: 'dropped', reason: call ? 'bookkeeping' : 'result-without-item' }
  }
  for (const [at, image] of block.images.slice(0, SLOTS - 2).entries()) {
    desk.image(sheet, image, index, 'tool', 2 + at)
  }
  if (isInterruption(block.text)) desk.close('note', out)
}
