import type { PlanePolicy } from './plane-policy'
import { Repeats, shingles } from './shingles'

/** A candidate as selection sees it. `relevance` is its score over the best one's. */
export interface Weighable {
  id: number
  relevance: number
  ts: number
  importance: number
  text: string
  /** What it belongs with: its arc, or else its session. */
  group: string
  /** The file or command it is about. */
  subject: string | null
  /** How surely it reverses something near the goal, 0 to 1. */
  tension?: number
  /** How surely something newer reverses it, 0 to 1. */
  reversed?: number
  /** What the person said of it, as worth; absent when nothing. */
  feedback?: number
}

/** Every term as it went into the sum, unweighted; interference counts against, feedback counts as it is. */
export interface Terms {
  relevance: number
  recency: number
  importance: number
  novelty: number
  coherence: number
  tension: number
  interference: number
  feedback?: number
}

export interface Weighed {
  id: number
  utility: number
  terms: Terms
  duplicate: boolean
}

/** Texts as alike as this are one: the better placed of them stands for both. */
const DUPLICATE = 0.9
const COHERENT = 3
const DAY = 86_400_000

/**
 * Utility of each candidate: Σ weight × term − weight × interference. Candidates are taken in the order given, most
 * relevant first; novelty, coherence and interference look at those before. `asOf` in milliseconds.
 */
export function weigh(candidates: readonly Weighable[], plane: PlanePolicy, asOf: number): Weighed[] {
  const repeats = new Repeats()
  const groups = new Map<string, number>()
  const subjects = new Map<string, number>()
  return candidates.map((candidate) => {
    const set = shingles(candidate.text)
    const alike = repeats.mostLike(set)
    const duplicate = alike >= DUPLICATE
    const terms: Terms = {
      relevance: round(candidate.relevance),
      recency: round(Math.exp(-Math.max(0, asOf - candidate.ts) / (plane.recencyDays * DAY))),
      importance: round(candidate.importance),
      novelty: round(1 - alike),
      coherence: round(Math.min(1, (groups.get(candidate.group) ?? 0) / COHERENT)),
      tension: round(candidate.tension ?? 0),
      interference: round(Math.max(candidate.reversed ?? 0, repeated(subjects, candidate.subject))),
      ...(candidate.feedback === undefined ? {} : { feedback: round(candidate.feedback) }),
    }
    if (!duplicate) {
      repeats.add(set)
      groups.set(candidate.group, (groups.get(candidate.group) ?? 0) + 1)
      if (candidate.subject !== null)
        subjects.set(candidate.subject, (subjects.get(candidate.subject) ?? 0) + 1)
    }
    return { id: candidate.id, utility: round(Math.max(0, sum(terms, plane.weights))), terms, duplicate }
  })
}

const repeated = (subjects: ReadonlyMap<string, number>, subject: string | null): number =>
  subject === null ? 0 : 1 - 0.5 ** (subjects.get(subject) ?? 0)

function sum(terms: Terms, weights: PlanePolicy['weights']): number {
  return (
    weights.relevance * terms.relevance +
    weights.recency * terms.recency +
    weights.importance * terms.importance +
    weights.novelty * terms.novelty +
    weights.coherence * terms.coherence +
    weights.tension * terms.tension -
    weights.interference * terms.interference +
    (terms.feedback ?? 0)
  )
}

/** Receipts show six decimals; what is shown is what was used. */
export const round = (value: number): number => Math.round(value * 1e6) / 1e6
