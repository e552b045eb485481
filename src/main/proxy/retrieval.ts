import { baseLevel, LISTED_ABOVE } from './activation'
import { cosine } from './lexical-vector'
import type { Case, EngineOptions, Vec } from './types'

/** What a pass knows of the experience it looks for. It never holds a response: that is what it predicts. */
export interface ExperienceQuery {
  situation: Vec
  stimulus: Vec
  artifact?: Vec
}

/** Score = ½·tanh(B − τ) + ½·(Σ cosine over the 4 experience dimensions)/4; a dimension not asked for adds nothing. */
export function retrievalScore(
  remembered: Case,
  query: ExperienceQuery,
  now: number,
  options: EngineOptions,
): number {
  const { vectors } = remembered
  const similarity =
    cosine(query.situation, vectors.situation) +
    cosine(query.stimulus, vectors.stimulus) +
    (query.artifact ? cosine(query.artifact, vectors.artifact) : 0)
  const activation = options.activation
    ? 0.5 * Math.tanh(baseLevel(remembered.traces, now) - LISTED_ABOVE)
    : 0
  return activation + (0.5 * similarity) / 4
}

/** The best ranked answered cases. Answers the proxy gave itself are no evidence and are never among them. */
export function retrieve(
  memory: readonly Case[],
  query: ExperienceQuery,
  now: number,
  options: EngineOptions,
): Case[] {
  return memory
    .filter((remembered) => remembered.answeredBy === 'person')
    .map((remembered) => ({ remembered, score: retrievalScore(remembered, query, now, options) }))
    .sort((a, b) => b.score - a.score || (a.remembered.id < b.remembered.id ? -1 : 1))
    .slice(0, options.cases)
    .map(({ remembered }) => remembered)
}

const SALIENT_CASES = 5
const SALIENT_FROM = 0.2

/**
 * When was I surprised in ways that matter here? A query of its own, over chunks that have a salience vector: by
 * situation for the prior, by situation and artifact for the posterior.
 */
export function retrieveSalience(memory: readonly Case[], query: { situation: Vec; artifact?: Vec }): Case[] {
  const near = (salience: Vec): number =>
    query.artifact
      ? (cosine(query.situation, salience) + cosine(query.artifact, salience)) / 2
      : cosine(query.situation, salience)
  return memory
    .flatMap((remembered) =>
      remembered.answeredBy === 'person' && remembered.vectors.salience
        ? [{ remembered, score: near(remembered.vectors.salience) }]
        : [],
    )
    .filter(({ score }) => score >= SALIENT_FROM)
    .sort((a, b) => b.score - a.score || (a.remembered.id < b.remembered.id ? -1 : 1))
    .slice(0, SALIENT_CASES)
    .map(({ remembered }) => remembered)
}

/** sim_c: the cosine over situation and stimulus taken as one vector. */
export function contextSimilarity(query: ExperienceQuery, remembered: Case): number {
  const { situation, stimulus } = remembered.vectors
  const length = (a: Vec, b: Vec): number => Math.sqrt(cosine(a, a) + cosine(b, b))
  const scale = length(query.situation, query.stimulus) * length(situation, stimulus)
  if (scale === 0) return 0
  return (cosine(query.situation, situation) + cosine(query.stimulus, stimulus)) / scale
}
