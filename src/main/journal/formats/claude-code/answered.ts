import type { Draft } from '../../drafts'
import { planHash } from '../../handles'
import { stripInjected } from '../../injected'
import type { ItemData } from '../../item-data'
import { asString, firstLine, headTail, isObject, normalise } from '../../text'
import type { ResultBlock } from './blocks'
import { isOwnTool } from './calls'
import {
  answers,
  approval,
  errorData,
  errorText,
  exitCode,
  isInterruption,
  outputText,
  patchCounts,
  refusal,
} from './results'

interface Answered {
  block: ResultBlock
  /** The call this result answers; null when its record is not in this file. */
  call: { name: string; draft: Draft | null } | null
  twin: unknown
  /** A draft at the result's own record; slot 0 is the decision, slot 1 the error. */
  base: (slot: number) => Draft
}

/** What a result makes: a decision or an error of its own, and the call it completes. */
export function answered({ block, call, twin, base }: Answered): { own: Draft[]; completed: Draft | null } {
  const name = call?.name ?? ''
  if (isOwnTool(name)) return { own: [], completed: null }
  const done = call?.draft ? { ...call.draft, settled: true } : null
  // Without its call a result tells less than another file that has both.
  const own = (slot: number): Draft => ({ ...base(slot), settled: call !== null })
  const refused = refusal(block.text)
  if (refused)
    return {
      own: [refusedDecision(block, name, refused, done, own(0))],
      completed: done && failedCall(done, block),
    }
  if (isInterruption(block.text)) return { own: [], completed: done && failedCall(done, block) }
  if (name === 'ExitPlanMode') return planAnswer(block, twin, done, own)
  if (name === 'AskUserQuestion' && !block.isError) return questionAnswer(block, twin, own(0))
  if (block.isError) return failure(block, name, done, own(1))
  return { own: [], completed: done && succeeded(done, block, twin) }
}

function decision(base: Draft, text: string, data: ItemData<'decision'>): Draft {
  return { ...base, kind: 'decision', text: normalise(text), data, importance: 0.9 }
}

function refusedDecision(
  block: ResultBlock,
  name: string,
  refused: { verdict: 'refused' | 'bare-stop'; words: string },
  call: Draft | null,
  base: Draft,
): Draft {
  const of = name === 'ExitPlanMode' ? 'plan' : name === 'AskUserQuestion' ? 'question' : 'tool'
  const what = of === 'plan' ? plan(firstLine(call?.text ?? '', 80)) : subject(name, call)
  const words = normalise(stripInjected(refused.words)).trim()
  const text = words === '' ? `Stopped at ${what}` : `Sent back ${what}: ${words}`
  return decision(base, headTail(text, 20_000), {
    of,
    toolUseId: block.callId,
    verdict: refused.verdict,
    words: headTail(words, 20_000),
    ...(name ? { tool: name } : {}),
  })
}

/** A plan file that was lost leaves a plan without a word. */
const plan = (title: string): string => (title === '' ? 'a plan' : `the plan “${title}”`)

const subject = (name: string, call: Draft | null): string =>
  name === 'AskUserQuestion' ? 'a question' : call ? firstLine(call.text, 120) : name || 'a tool call'

function planAnswer(
  block: ResultBlock,
  twin: unknown,
  plan: Draft | null,
  base: (slot: number) => Draft,
): { own: Draft[]; completed: Draft | null } {
  const approved = approval(block.text, twin)
  if (!approved) {
    return block.isError ? failure(block, 'ExitPlanMode', plan, base(1)) : { own: [], completed: plan }
  }
  // The call may come without the plan; then the result echoes what was approved.
  const completed =
    plan && plan.text.trim() === '' && approved.plan.trim() !== '' ? withPlan(plan, approved.plan) : plan
  const title = firstLine(completed?.text ?? approved.plan, 80)
  const data: ItemData<'decision'> = {
    of: 'plan',
    toolUseId: block.callId,
    verdict: 'approve',
    words: '',
    tool: 'ExitPlanMode',
    ...(approved.edited ? { edited: true } : {}),
  }
  return {
    own: [
      decision(
        base(0),
        `Approved the plan${title ? ` “${title}”` : ''}${approved.edited ? ', with edits' : ''}`,
        data,
      ),
    ],
    completed: completed && withFile(completed, approved.planFile),
  }
}

const withPlan = (plan: Draft, text: string): Draft => ({
  ...plan,
  text: normalise(text),
  data: { ...(plan.data as ItemData<'plan'>), planHash: planHash(text) },
})

const withFile = (plan: Draft, planFile: string | null): Draft =>
  planFile ? { ...plan, data: { ...(plan.data as ItemData<'plan'>), planFile } } : plan

function questionAnswer(block: ResultBlock, twin: unknown, base: Draft): { own: Draft[]; completed: null } {
  const given = answers(block.text, twin)
  if (given === null) return { own: [], completed: null }
  const words = headTail(normalise(given), 20_000)
  return {
    own: [
      decision(base, words, {
        of: 'question',
        toolUseId: block.callId,
        verdict: 'answered',
        words,
        tool: 'AskUserQuestion',
      }),
    ],
    completed: null,
  }
}

function failure(
  block: ResultBlock,
  name: string,
  call: Draft | null,
  base: Draft,
): { own: Draft[]; completed: Draft | null } {
  const text = normalise(errorText(stripInjected(block.text)))
  const completed = call && failedCall(call, block)
  if (text === '') return { own: [], completed }
  const data = errorData(name || 'unknown', call?.data ?? {})
  const where = data.command ? `$ ${firstLine(data.command, 200)}\n` : data.path ? `${data.path}\n` : ''
  return {
    own: [{ ...base, kind: 'error', role: 'tool', text: `${where}${text}`, data, importance: 0.6 }],
    completed,
  }
}

function failedCall(call: Draft, block: ResultBlock): Draft {
  if (call.kind !== 'command') return call
  const code = exitCode(block.text)
  const data = {
    ...(call.data as ItemData<'command'>),
    failed: true,
    ...(code === undefined ? {} : { exitCode: code }),
  }
  return { ...call, data, importance: Math.max(call.importance, 0.5) }
}

function succeeded(call: Draft, block: ResultBlock, twin: unknown): Draft {
  if (call.kind === 'command') {
    const output = normalise(outputText(stripInjected(block.text)))
    return output === '' ? call : { ...call, text: `${call.text}\n${output}` }
  }
  if (call.kind === 'file_op') {
    const counts = patchCounts(twin)
    return counts ? { ...call, data: { ...(call.data as ItemData<'file_op'>), ...counts } } : call
  }
  if (call.kind !== 'note') return call
  // A sub-agent's report, a fetched page, an MCP answer: head and tail of what came back.
  const report = normalise(headTail(stripInjected(agentReport(twin) ?? block.text).trim(), 6_000))
  return report === '' ? call : { ...call, text: `${call.text}\n→ ${report}` }
}

function agentReport(twin: unknown): string | null {
  if (!isObject(twin) || !Array.isArray(twin.content)) return null
  return asString(
    twin.content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('\n'),
  )
}
