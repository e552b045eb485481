import { isAbsolute, resolve } from 'node:path'
import type { z } from 'zod'
import type { Outcome, SpeechAct } from '../../shared/domain'
import { DecisionData, PlanData, planHash } from '../journal'
import { gatesSql, type ReadDb, unpackText } from '../store'
import { outcomeOfWords, speechActOf } from './speech-act'

/** A plan that went to its agent's own gate, with the record that holds the result. */
export interface TranscriptPlan {
  plan: gatesSql.TranscriptItemRow
  text: string
  planHash: string
  result: gatesSql.TranscriptItemRow
  verdict: 'approve' | 'refused' | 'bare-stop'
  words: string
}

/** What the transcript shows about the decision. */
export type Verdict =
  | {
      status: 'decided'
      outcome: Outcome
      words: string
      speechAct: SpeechAct
      at: number
      evidence: string[]
    }
  | { status: 'pending' | 'ended' }

/** A bare stop this fresh may still be answered by a session that has not been written yet. */
const SETTLES_AFTER = 15 * 60_000
/** The session that goes on with an approved plan may carry a clock a little behind. */
const CLOCK_SLACK = 5_000

/**
 * Every plan with a result, oldest first. A plan still waiting in its agent's own dialog is not there yet, unless a
 * fresh session carries it out: then that request is the result.
 */
export function transcriptPlans(db: ReadDb, path: string | undefined): TranscriptPlan[] {
  const results = new Map<string, [gatesSql.TranscriptItemRow, z.infer<typeof DecisionData>][]>()
  for (const item of gatesSql.planDecisions(db)) {
    const data = DecisionData.safeParse(JSON.parse(item.data))
    if (!data.success || data.data.of !== 'plan' || data.data.verdict === 'answered') continue
    const list = results.get(data.data.toolUseId) ?? []
    list.push([item, data.data])
    results.set(data.data.toolUseId, list)
  }
  return gatesSql.gatePlans(db, path === undefined ? null : absolute(path)).flatMap((plan) => {
    const data = PlanData.safeParse(JSON.parse(plan.data))
    const tool = data.success ? data.data.gate?.toolUseId : undefined
    const told = tool === undefined ? undefined : results.get(tool)
    const chosen = told?.find(([item]) => item.session_id === plan.session_id) ?? told?.[0]
    if (!data.success) return []
    const text = unpackText(plan)
    const found = { plan, text, planHash: data.data.planHash ?? planHash(text) }
    if (!chosen) {
      const goal = carriedOut(db, found, plan.ts - CLOCK_SLACK)
      const result = goal && gatesSql.itemByHandle(db, goal.handle)
      return result ? [{ ...found, result, verdict: 'approve' as const, words: '' }] : []
    }
    const [result, { verdict, words }] = chosen
    return verdict === 'answered' ? [] : [{ ...found, result, verdict, words }]
  })
}

const absolute = (path: string): string => {
  const full = isAbsolute(path) ? path : resolve(path)
  return full.length > 1 ? full.replace(/[\\/]+$/, '') : full
}

/**
 * The decision behind a result. A bare stop looks refused and usually was approved with a cleared context: it waits
 * for (a) the same plan carried out in any session of the project, (b) the person's next typed words, (c) nothing.
 */
export function verdictOf(db: ReadDb, found: TranscriptPlan, now: number): Verdict {
  const { result, words } = found
  const at = result.ts
  const evidence = [found.plan.handle, result.handle]
  if (found.verdict === 'approve') {
    return { status: 'decided', outcome: 'approve', words, speechAct: speechActOf(words), at, evidence }
  }
  if (found.verdict === 'refused' && words.trim() !== '') return sentBack(words, at, evidence)
  const goal = carriedOut(db, found, result.ts - CLOCK_SLACK)
  if (goal) {
    const proof = [...evidence, goal.handle]
    return { status: 'decided', outcome: 'approve', words: '', speechAct: 'none', at, evidence: proof }
  }
  const typed = gatesSql.nextGoal(db, result.session_id, result.position)
  if (typed) return sentBack(unpackText(typed), typed.ts, [...evidence, typed.handle])
  return { status: now - result.ts < SETTLES_AFTER ? 'pending' : 'ended' }
}

/** The request in some session of the project that carries out this very plan. */
function carriedOut(db: ReadDb, found: Pick<TranscriptPlan, 'plan' | 'text' | 'planHash'>, since: number) {
  const project = found.plan.session_project ?? found.plan.project
  return gatesSql.carriedOutPlans(db, { project, since }).find((goal) => isSamePlan(found, goal))
}

/** What an agent writes before and behind a plan that goes on in a cleared context. */
const BEFORE = /^\s*Implement the following plan:\s*/i
const BEHIND = /^\s*(?:If you need specific details from before exiting plan mode\b[\s\S]*)?$/i

/** Whether a goal carries out this very plan. An empty plan equals every other one, which proves nothing. */
function isSamePlan(
  found: Pick<TranscriptPlan, 'text' | 'planHash'>,
  goal: { planHash: string | null; text: string | null; text_z: Uint8Array | null },
): boolean {
  const plan = found.text.trim()
  if (plan === '') return false
  if (goal.planHash === found.planHash) return true
  const text = unpackText(goal).replace(BEFORE, '').trimStart()
  return text.startsWith(plan) && BEHIND.test(text.slice(plan.length))
}

function sentBack(words: string, at: number, evidence: string[]): Verdict {
  return {
    status: 'decided',
    outcome: outcomeOfWords(words),
    words,
    speechAct: speechActOf(words),
    at,
    evidence,
  }
}
