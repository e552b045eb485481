import type { GateState } from '../../shared/domain'
import { perceptWeight } from './attention'
import { normalise } from './distribution'
import {
  type ArtifactView,
  isLearned,
  type LearnedPhrase,
  learnPhrases,
  lookFor,
  mentions,
  type Observation,
  parseLearned,
  RULE_PHRASES,
  spokenLearned,
  unseenRule,
} from './percepts'
import { type AttentionMap, type Case, type EngineOptions, OUTCOMES, type Probabilities } from './types'

/** m: how many gates the percept's overall rate is worth. */
export const PERCEPT_SMOOTHING = 8

/** One percept looked for in the artifact, and what it says. */
export interface PerceptEvidence {
  phrase: string
  /** How it is said of this artifact: the phrase itself, or what its absence means. */
  name: string
  present: boolean
  evidence: string
  line: number | null
  /** 0…1: how far the attention map lets it move the posterior. */
  weight: number
  /** ln of the factor for "not approved" over the factor for "approve", weighted; above 0 speaks against approval. */
  logRatio: number
  /** Gates with it in the same state that were not approved, and in all. */
  seen: { notApproved: number; present: number }
}

export interface EvidenceInput {
  state: GateState
  view: ArtifactView
  observations: readonly Observation[]
  memory: readonly Case[]
  attention: AttentionMap
  /** Gates the salience query found: their percepts are looked for as well, and count in full. */
  surprising: readonly Case[]
  options: EngineOptions
}

/** Every percept the rules know and every phrase learned, weighed against the gates of this state. */
export function weighPercepts(input: EvidenceInput): PerceptEvidence[] {
  const cases = input.memory.filter(
    ({ answeredBy, state }) => answeredBy === 'person' && state === input.state,
  )
  const urgent = new Set(input.surprising.flatMap(({ salient }) => salient))
  const weightOf = (phrase: string): number => {
    if (!input.options.attention || urgent.has(phrase)) return 1
    return perceptWeight(phrase, input.attention)
  }
  const rules = RULE_PHRASES.map((phrase) => {
    const observation = input.observations.find((candidate) => candidate.phrase === phrase)
    const seen = tally(cases, ({ features }) => features.has(phrase))
    const { evidence, line } = observation ?? unseenRule(input.view, phrase)
    const name = observation ? phrase : unseenRule(input.view, phrase).name
    const present = observation !== undefined
    return weigh({ phrase, name, present, evidence, line, seen, weight: weightOf(phrase) })
  })
  const learned = learnedPhrases(input.memory, urgent).map((phrase) => {
    const seen = tally(cases, ({ terms }) => mentions(terms, phrase))
    const found = lookFor(input.view, phrase)
    return weigh({
      phrase: phrase.phrase,
      name: spokenLearned(phrase.phrase, found.present),
      ...found,
      seen,
      weight: weightOf(phrase.phrase),
    })
  })
  // An empty artifact shows nothing; what it does not say is no evidence.
  if (input.view.text.trim() === '') return rules.filter(({ phrase }) => phrase === 'empty')
  return [...rules, ...learned]
}

/** p^f ∝ p⁰ · Π factor, computed in logarithms; correct and reject share the "not approved" factor. */
export function percepticPosterior(
  prior: Probabilities,
  evidence: readonly PerceptEvidence[],
): Probabilities {
  const against = evidence.reduce((sum, { logRatio }) => sum + logRatio, 0)
  const scores = OUTCOMES.map((o) => Math.log(prior[o]) + (o === 'approve' ? 0 : against))
  const highest = Math.max(...scores)
  const [approve = 0, correct = 0, reject = 0] = scores.map((score) => Math.exp(score - highest))
  return normalise({ approve, correct, reject })
}

interface Tally {
  present: number
  notApproved: number
  /** All gates of the state, and those not approved. */
  gates: number
  gatesNotApproved: number
}

function tally(cases: readonly Case[], has: (remembered: Case) => boolean): Tally {
  const counts: Tally = { present: 0, notApproved: 0, gates: cases.length, gatesNotApproved: 0 }
  for (const remembered of cases) {
    const against = remembered.outcome === 'approve' ? 0 : 1
    counts.gatesNotApproved += against
    if (has(remembered)) {
      counts.present += 1
      counts.notApproved += against
    }
  }
  return counts
}

/**
 * q_{f,y} = (c_{f,y} + mπ_f)/(n_y + m) with π_f = (n_f + 1)/(n + 2): the factor of a percept that is there is
 * q/π_f, of one that is not (1 − q)/(1 − π_f).
 */
export function factors(seen: Tally): { approve: Factor; notApproved: Factor } {
  const pi = (seen.present + 1) / (seen.gates + 2)
  const rate = (count: number, of: number): Factor => {
    const q = (count + PERCEPT_SMOOTHING * pi) / (of + PERCEPT_SMOOTHING)
    return { present: q / pi, absent: (1 - q) / (1 - pi) }
  }
  return {
    approve: rate(seen.present - seen.notApproved, seen.gates - seen.gatesNotApproved),
    notApproved: rate(seen.notApproved, seen.gatesNotApproved),
  }
}

interface Factor {
  present: number
  absent: number
}

function weigh(found: Omit<PerceptEvidence, 'logRatio' | 'seen'> & { seen: Tally }): PerceptEvidence {
  const { approve, notApproved } = factors(found.seen)
  const side = found.present ? 'present' : 'absent'
  const { present, notApproved: against } = found.seen
  return {
    ...found,
    logRatio: found.weight * Math.log(notApproved[side] / approve[side]),
    seen: { present, notApproved: against },
  }
}

function learnedPhrases(memory: readonly Case[], urgent: ReadonlySet<string>): LearnedPhrase[] {
  const learned = learnPhrases(memory)
  const known = new Set(learned.map(({ phrase }) => phrase))
  const remembered = [...urgent].filter((phrase) => isLearned(phrase) && !known.has(phrase)).map(parseLearned)
  return [...learned, ...remembered]
}
