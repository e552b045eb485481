import type { Percept, Prediction } from '../../shared/review'
import { surpriseBetween, winner } from './distribution'
import type { PerceptEvidence } from './evidence'
import { type Inspection, type Posterior, predictPosterior } from './posterior'
import { type Prior, type PriorInput, predictPrior } from './prior'
import { MOVES, movers, posteriorReason, priorReason, salienceSentence, shift } from './reasons'
import type { Probabilities } from './types'

/** How many percepts are shown at most, and how many are kept as salient. */
const SHOWN = 12
const SALIENT = 5
/** How many of the heaviest cases of each pass count as used. */
const USED = 5

export interface CasePrediction {
  /** As every surface speaks it. */
  prediction: Prediction
  prior: Prior
  posterior: Posterior
  /** Phrases that moved it; empty without surprise. */
  salient: string[]
  /** Memory that took part; it gains a trace when the person then answers. */
  used: string[]
}

/**
 * Both passes of the case engine: deterministic, no model. The first pass is finished before the artifact is
 * touched; `inspection` is a separate argument so that nothing of it can reach the prior.
 */
export function predictCase(
  context: PriorInput,
  inspection: Inspection,
  engineReason: string | null = null,
): CasePrediction {
  const prior = predictPrior(context)
  const posterior = predictPosterior(context, prior, inspection)
  const surprise = surpriseBetween(prior.p, posterior.p)
  const moving = movers(posterior.percepts, shift(prior.p, posterior.p), SALIENT)
  const salience = surprise.fired ? salienceSentence(prior.p, posterior) : ''
  return {
    prediction: {
      prior: distribution(prior.p, priorReason(prior)),
      posterior: distribution(posterior.p, posteriorReason(prior.p, posterior)),
      surprise,
      percepts: shown(posterior.percepts),
      salience,
      engine: 'case',
      engineReason,
      receipts: { prior: null, posterior: null },
      cases: prior.cases.length,
    },
    prior,
    posterior,
    salient: surprise.fired ? moving.map(({ phrase }) => phrase) : [],
    used: used(prior, posterior),
  }
}

function used(prior: Prior, posterior: Posterior): string[] {
  const heaviest = [...prior.cases.slice(0, USED), ...posterior.cases.slice(0, USED)]
  return [...new Set(heaviest.map(({ remembered }) => remembered.id))]
}

const distribution = (p: Probabilities, reason: string) => ({ ...p, confidence: p[winner(p)], reason })

/** What is there, and what is missing and says something; the weightiest first. */
function shown(percepts: readonly PerceptEvidence[]): Percept[] {
  return percepts
    .filter(({ present, logRatio }) => present || Math.abs(logRatio) > MOVES)
    .sort((a, b) => Math.abs(b.logRatio) - Math.abs(a.logRatio) || (a.phrase < b.phrase ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ phrase, name, evidence, line, present, logRatio }) => ({
      phrase,
      name,
      evidence,
      line,
      present,
      logRatio,
    }))
}
