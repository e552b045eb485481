import type { Outcome } from '../../shared/domain'
import { winner } from './distribution'
import type { PerceptEvidence } from './evidence'
import { clip, repeatsRule, topicOf } from './percepts'
import type { Posterior } from './posterior'
import type { Prior, WeightedCase } from './prior'
import type { Probabilities } from './types'

// Reasons in a person's voice, put together from the evidence that stands behind the numbers and from nothing else.

const WOULD: Record<Outcome, string> = {
  approve: 'I’d approve',
  correct: 'I’d send it back with a correction',
  reject: 'I’d reject it',
}
const ENDED: Record<Outcome, [one: string, many: string]> = {
  approve: ['was approved', 'were approved'],
  correct: ['was sent back', 'were sent back'],
  reject: ['was rejected', 'were rejected'],
}
/** Cases lighter than this share of the heaviest are too far away to be told. */
const NEAR = 0.5

/** Why the prior says what it says. It quotes earlier gates only. */
export function priorReason({ p, cases, surprising }: Prior): string {
  if (cases.length === 0) {
    return `${WOULD[winner(p)]}, but only as a starting guess: there is no earlier decision of yours to go by.`
  }
  const moved = surprising.find(({ salient }) => salient.length > 0)
  const memory = moved
    ? ` Something about ${topicOf(moved.salient[0] ?? '')} has changed my mind here before.`
    : ''
  return `${WOULD[winner(p)]}: ${precedent(p, cases, 'gates most like this')}.${memory}`
}

/** Why the posterior says what it says: what stood out in the artifact, then the gates whose artifact reads alike. */
export function posteriorReason(prior: Probabilities, { p, cases, percepts }: Posterior): string {
  if (cases.length === 0) {
    const seen = percepts.filter(({ present }) => present).slice(0, 3)
    const noticed = seen.length > 0 ? ` I noticed: ${seen.map(({ name }) => name).join(', ')}.` : ''
    return `${WOULD[winner(p)]}. I have read it, but without earlier decisions nothing in it weighs yet.${noticed}`
  }
  const same = winner(prior) === winner(p)
  const opening = `Having read it, ${same ? 'I still think' : 'I change my mind'}: ${WOULD[winner(p)]}.`
  const moving = movers(percepts.filter(isTold), p, 2)
  const because = moving.length > 0 ? ` ${capital(moving.map(grounds).join('; '))}.` : ''
  return `${opening}${because} ${capital(precedent(p, cases, 'gates that read most like it'))}.`
}

/** One sentence on what in the artifact moved the prediction. Only for a surprise. */
export function salienceSentence(prior: Probabilities, posterior: Posterior): string {
  const { p, cases, percepts } = posterior
  const from = winner(prior)
  const to = winner(p)
  const change =
    from === to
      ? `me ${p[to] > prior[from] ? 'surer' : 'less sure'} of “${to}”`
      : `me go from “${from}” to “${to}”`
  const moving = movers(percepts.filter(isTold), shift(prior, p), 2)
  if (moving.length > 0) return `What made ${change}: ${moving.map(({ name }) => name).join('; ')}.`
  const nearest = cases[0]
  if (!nearest) return `The text as a whole made ${change}.`
  return `That it reads like “${nearest.remembered.title}”, which ${ENDED[nearest.remembered.outcome][0]}, made ${change}.`
}

/** The percepts that push towards the winner of `p`, strongest first. */
export function movers(
  percepts: readonly PerceptEvidence[],
  p: Probabilities,
  most: number,
): PerceptEvidence[] {
  const against = winner(p) !== 'approve'
  return percepts
    .filter(({ logRatio }) => (against ? logRatio > MOVES : logRatio < -MOVES))
    .sort((a, b) => Math.abs(b.logRatio) - Math.abs(a.logRatio) || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, most)
}

/** A percept that moves the odds by less than a tenth is not worth a word. */
export const MOVES = 0.1

/** Which way the belief went, as a distribution whose winner says it. */
export function shift(prior: Probabilities, posterior: Probabilities): Probabilities {
  return posterior.approve >= prior.approve
    ? { approve: 1, correct: 0, reject: 0 }
    : { approve: 0, correct: 1, reject: 0 }
}

function precedent(p: Probabilities, cases: readonly WeightedCase[], which: string): string {
  const heaviest = cases[0]
  if (!heaviest) return 'there is nothing to compare it with'
  const near = cases.filter(({ weight }) => weight >= NEAR * heaviest.weight)
  const outcome = winner(p)
  const count = near.filter(({ remembered }) => remembered.outcome === outcome).length
  const { title, outcome: ended } = heaviest.remembered
  const closest = `the closest, “${title}”, ${ENDED[ended][0]}`
  if (near.length === 1) return `the gate closest to it, “${title}”, ${ENDED[ended][0]}`
  return `${count} of the ${near.length} ${which} ${ENDED[outcome][count === 1 ? 0 : 1]}; ${closest}`
}

function grounds({ name, present, seen, evidence }: PerceptEvidence): string {
  const what = name
  if (!present || seen.present === 0) return what
  const quote = evidence === '' ? '' : ` (${clip(evidence, 90)})`
  return `${what}${quote}: ${seen.notApproved} of ${seen.present} with that did not pass`
}

/** A learned word for what a rule sees counts, and is left to the rule to say. */
const isTold = ({ phrase }: PerceptEvidence): boolean => !repeatsRule(phrase)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
