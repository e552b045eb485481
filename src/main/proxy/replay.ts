import type { Outcome } from '../../shared/domain'
import { type AttentionObservation, NO_ATTENTION, observed } from './attention'
import { type CasePrediction, predictCase } from './case-engine'
import { pooledRate, winner } from './distribution'
import { learnPhrases, mentions, namedBy, observe, type Upstream, viewArtifact } from './percepts'
import {
  accuracy,
  alwaysApproveReference,
  baseRateReference,
  brier,
  logLoss,
  type Scored,
  skill,
} from './scoring'
import { salienceText, situationText } from './situation'
import { type AttentionMap, type Case, DEFAULT_OPTIONS, type EngineOptions, type Situation } from './types'
import type { VectorSpace } from './vector-space'

/** One decided gate of the past, in the order in which it was decided. */
export interface PastGate {
  id: string
  title: string
  situation: Situation
  /** The question or goal that brought it up. */
  stimulus: string
  artifact: string
  upstream: readonly Upstream[]
  outcome: Outcome
  words: string
}

/** What the proxy has after some gates. Values are never changed in place. */
export interface Experience {
  memory: readonly Case[]
  /** By gate state. */
  attention: ReadonlyMap<string, AttentionMap>
  /** Interactions so far. */
  now: number
}

export const NO_EXPERIENCE: Experience = { memory: [], attention: new Map(), now: 0 }

/** A gate made ready for both passes; the first pass is given nothing of `inspection`. */
export async function prepare(
  gate: Omit<PastGate, 'outcome' | 'words' | 'id'>,
  experience: Experience,
  space: VectorSpace,
  options: EngineOptions = DEFAULT_OPTIONS,
) {
  const situation = situationText(gate.situation)
  const [situationVec = new Float32Array(), stimulus = new Float32Array()] = await space.short([
    situation,
    gate.stimulus,
  ])
  const view = viewArtifact(gate.artifact)
  return {
    context: {
      state: gate.situation.state,
      situation: situationVec,
      stimulus,
      memory: experience.memory,
      now: experience.now + 1,
      options,
    },
    inspection: {
      vector: await space.artifact(gate.artifact),
      view,
      observations: observe(view, gate.upstream),
      attention: experience.attention.get(gate.situation.state) ?? NO_ATTENTION,
    },
  }
}

export type Prepared = Awaited<ReturnType<typeof prepare>>

/** Percepts of an artifact that count as present for attention: what rules saw and learned phrases it mentions. */
export function presentPercepts({ context, inspection }: Prepared): string[] {
  const learned = learnPhrases(context.memory).filter((phrase) => mentions(inspection.view.terms, phrase))
  return [...inspection.observations.map(({ phrase }) => phrase), ...learned.map(({ phrase }) => phrase)]
}

/** What a decided gate leaves behind: one more case, one more look for the attention map, traces on what was used. */
export async function learn(
  experience: Experience,
  gate: PastGate,
  prepared: Prepared,
  made: Pick<CasePrediction, 'prediction' | 'salient' | 'used'>,
  space: VectorSpace,
): Promise<Experience> {
  const salience = salienceText(situationText(gate.situation), made.prediction.salience)
  const [response = new Float32Array(), salienceVec] = await space.short([gate.words, salience])
  const now = experience.now + 1
  const remembered: Case = {
    id: gate.id,
    title: gate.title,
    state: gate.situation.state,
    outcome: gate.outcome,
    answeredBy: 'person',
    traces: creationTraces(gate.outcome, now),
    vectors: {
      situation: prepared.context.situation,
      stimulus: prepared.context.stimulus,
      artifact: prepared.inspection.vector,
      response,
      salience: salience === '' ? null : (salienceVec ?? null),
    },
    features: new Set(prepared.inspection.observations.map(({ phrase }) => phrase)),
    terms: prepared.inspection.view.terms,
    words: gate.words,
    salient: made.salient,
  }
  const seen = observationOf(gate, prepared, made.salient)
  const state = gate.situation.state
  const attention = new Map(experience.attention)
  attention.set(state, observed(attention.get(state) ?? NO_ATTENTION, seen))
  const used = new Set(made.used)
  const memory = experience.memory.map((old) =>
    used.has(old.id) ? { ...old, traces: [...old.traces, now] } : old,
  )
  return { memory: [...memory, remembered], attention, now }
}

/** What a decided gate says about attention. */
export function observationOf(
  gate: Pick<PastGate, 'outcome' | 'words'>,
  prepared: Prepared,
  salient: readonly string[],
): AttentionObservation {
  const named = namedBy(gate.words, learnPhrases(prepared.context.memory))
  return { outcome: gate.outcome, present: presentPercepts(prepared), salient, named }
}

/** A decision leaves one trace; a taught correction leaves a second one. */
export function creationTraces(outcome: Outcome, now: number): number[] {
  return outcome === 'approve' ? [now] : [now, now]
}

export interface Step {
  gate: PastGate
  made: CasePrediction
  /** What the outcomes before it alone would have said. */
  base: ReturnType<typeof pooledRate>
}

/**
 * Predicts each gate from the ones before it, in the given order. The outcome and the words of a gate are looked at
 * only after its prediction stands.
 */
export async function replay(
  gates: readonly PastGate[],
  space: VectorSpace,
  options: EngineOptions = DEFAULT_OPTIONS,
): Promise<{ steps: Step[]; experience: Experience }> {
  let experience = NO_EXPERIENCE
  const steps: Step[] = []
  for (const gate of gates) {
    const { outcome: _outcome, words: _words, ...question } = gate
    const prepared = await prepare(question, experience, space, options)
    const made = predictCase(prepared.context, prepared.inspection, space.reason)
    steps.push({ gate, made, base: pooledRate(experience.memory.map(({ outcome }) => outcome)) })
    experience = await learn(experience, gate, prepared, made, space)
  }
  return { steps, experience }
}

/** Figures of a replay, for prior and posterior and the two references. Brier over three classes, log loss in nats. */
export function summarise(steps: readonly Step[]) {
  const of = (pick: (step: Step) => Scored['p']): Scored[] =>
    steps.map((step) => ({ p: pick(step), outcome: step.gate.outcome }))
  const figures = (scored: readonly Scored[]) => ({
    accuracy: accuracy(scored),
    brier: brier(scored),
    logLoss: logLoss(scored),
  })
  const outcomes = steps.map(({ gate }) => gate.outcome)
  const posterior = of(({ made }) => made.posterior.p)
  const share = (count: number): number | null => (steps.length === 0 ? null : count / steps.length)
  return {
    n: steps.length,
    prior: figures(of(({ made }) => made.prior.p)),
    posterior: figures(posterior),
    runningBaseRate: figures(of(({ base }) => base)),
    baseRate: figures(baseRateReference(outcomes)),
    alwaysApprove: figures(alwaysApproveReference(outcomes)),
    skill: {
      runningBaseRate: skill(
        posterior,
        of(({ base }) => base),
      ),
      baseRate: skill(posterior, baseRateReference(outcomes)),
      alwaysApprove: skill(posterior, alwaysApproveReference(outcomes)),
    },
    surpriseRate: share(steps.filter(({ made }) => made.prediction.surprise.fired).length),
    priorOverturned: share(
      steps.filter(({ made }) => winner(made.prior.p) !== winner(made.posterior.p)).length,
    ),
  }
}
