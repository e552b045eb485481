import type { GateState, Outcome } from '../../shared/domain'
import type { Bid } from '../faculty'
import { baseLevel, LISTED_ABOVE } from './activation'
import { attentionLines } from './attention'
import { bare } from './percepts'
import type { WeightedCase } from './prior'
import type { AttentionMap, Case, Situation } from './types'

export type Count = (text: string) => number

const ENDED: Record<Outcome, string> = {
  approve: 'approved',
  correct: 'sent back for correction',
  reject: 'rejected',
}

/** Remembered gates as bids: how they ended, and in what words. `surprising`: gates that changed a mind here. */
export function caseBids(
  found: { cases: readonly WeightedCase[]; surprising: readonly Case[] },
  now: number,
  count: Count,
): Bid[] {
  const weighted = found.cases.map(({ remembered, similarity }) => ({
    remembered,
    similarity,
    startled: false,
  }))
  const known = new Set(weighted.map(({ remembered }) => remembered.id))
  const more = found.surprising
    .filter(({ id }) => !known.has(id))
    .map((remembered) => ({ remembered, similarity: 0.5, startled: true }))
  return [...weighted, ...more].map(({ remembered, similarity, startled }, order): Bid => {
    const { id, title, outcome, words, traces, salient } = remembered
    const short = `A gate like this, “${title}”, was ${ENDED[outcome]}.`
    const said = words.trim() === '' ? '' : ` The person said: “${words.trim()}”`
    const moved = salient.length === 0 ? '' : ` What changed the expectation: ${salient.join(', ')}.`
    const full = `${short}${said}${moved}`
    return {
      id: `recall:${id}`,
      source: 'recall',
      title: `${title} (${ENDED[outcome]})`,
      key: id,
      order,
      terms: {
        relevance: unit(similarity),
        recency: unit((1 + Math.tanh(baseLevel(traces, now) - LISTED_ABOVE)) / 2),
        importance: words.trim() === '' ? 0.3 : 0.8,
        surprise: startled || salient.length > 0 ? 1 : 0,
      },
      rungs:
        full === short
          ? [{ level: 'L0', tokens: count(short), render: short }]
          : [
              { level: 'L3', tokens: count(short), render: short },
              { level: 'L0', tokens: count(full), render: full },
            ],
    }
  })
}

/** The attention map as bids: what the person looks for at this state, and what they never look at. */
export function attentionBids(map: AttentionMap, state: GateState, count: Count): Bid[] {
  return attentionLines(map)
    .filter(({ listed, ignored }) => listed || ignored)
    .map(({ phrase, rate, present, listed }, order): Bid => {
      const text = listed
        ? `At ${state} the person looks for “${bare(phrase)}”: ${Math.round(rate * 100)} % of ${present} gates with it did not pass.`
        : `At ${state} the person never looks at “${bare(phrase)}”: it was there ${present} times.`
      return {
        id: `attention:${phrase}`,
        source: 'attention-map',
        title: phrase,
        order,
        terms: { relevance: listed ? 0.8 : 0.2, importance: listed ? 0.9 : 0.2, recency: 1 },
        rungs: [{ level: 'L0', tokens: count(text), render: text }],
      }
    })
}

/** Where the gate stands, and what brought it up. It takes no artifact. */
export function situationBid(situation: Situation, stimulus: string, count: Count): Bid {
  const { state, taskType, project, agent, round, last } = situation
  const head = [
    `A gate at ${state}`,
    taskType === null ? '' : `task: ${taskType}`,
    project === null ? '' : `project: ${project}`,
    agent === null ? '' : `agent: ${agent}`,
    `round ${round}`,
    last === null ? '' : `the last round was ${ENDED[last]}`,
  ]
    .filter((part) => part !== '')
    .join('; ')
  const full = stimulus.trim() === '' ? `${head}.` : `${head}.\nWhat was asked: ${stimulus.trim()}`
  return {
    id: 'situation',
    source: 'situation',
    title: 'Where the gate stands',
    terms: { relevance: 1, recency: 1, importance: 1 },
    rungs:
      full === `${head}.`
        ? [{ level: 'L0', tokens: count(full), render: full }]
        : [
            { level: 'L3', tokens: count(`${head}.`), render: `${head}.` },
            { level: 'L0', tokens: count(full), render: full },
          ],
  }
}

const unit = (value: number): number => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0))
