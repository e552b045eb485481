import { failed, type Outcome } from '../../drafts'
import { type Block, blocksOf } from '../claude-code/blocks'
import { because, outcome, type Where } from '../speech'
import { isPlain, readPerson, startsResult } from './person'
import { segmentsOf } from './tags'
import type { Task } from './task'

/** A message as it was sent to the model: the person's words among what the program adds, calls as tags or blocks. */
export function readApiMessage(task: Task, where: Where, message: Record<string, unknown>): Outcome {
  const blocks = blocksOf(message.content)
  if (!blocks) return failed('a message without readable content')
  const out = outcome(where.facts)
  if (message.role === 'assistant') for (const block of blocks) readAssistant(task, out, where, block)
  else for (const block of joined(blocks)) readUser(task, out, where, block)
  return out
}

/** A result's text comes in the blocks after the one that announces it. */
function joined(blocks: readonly Block[]): Block[] {
  const found: Block[] = []
  for (const block of blocks) {
    const last = found.at(-1)
    const goesOn =
      last?.type === 'text' && block.type === 'text' && startsResult(last.text) && isPlain(block.text)
    if (goesOn) found[found.length - 1] = { type: 'text', text: `${last.text}\n${block.text}` }
    else found.push(block)
  }
  return found
}

function readAssistant(task: Task, out: Outcome, where: Where, block: Block): void {
  if (block.type === 'thinking') because(out, 'thinking')
  if (block.type === 'call') task.called(out, where, block.name, block.input, block.id)
  if (block.type !== 'text') return
  for (const segment of segmentsOf(block.text)) {
    if (segment.kind === 'prose') task.said(out, where, segment.text)
    else task.called(out, where, segment.name, segment.input, '')
  }
}

function readUser(task: Task, out: Outcome, where: Where, block: Block): void {
  if (block.type === 'result') readText(task, out, where, block.text, block.callId, block.isError)
  else if (block.type === 'text') readText(task, out, where, block.text, '', false)
}

function readText(
  task: Task,
  out: Outcome,
  where: Where,
  text: string,
  callId: string,
  isError: boolean,
): void {
  const told = readPerson(text)
  if (told.kind === 'denied') task.denied(out, where, told.words, callId)
  else if (told.kind === 'act') task.approved(out, where)
  else if (told.kind === 'result') task.result(out, where, told.text, told.failed || isError, callId)
  else if (callId !== '') task.result(out, where, text, isError, callId)
  else if (told.kind === 'speech') task.asked(out, where, told.text)
  else because(out, told.reason)
  if (callId !== '' && told.kind === 'speech' && isSpoken(text)) task.asked(out, where, told.text)
}

/** A result may carry the person's feedback in a tag of its own. */
const isSpoken = (text: string): boolean => /<(?:feedback|user_message|answer)>/.test(text)
