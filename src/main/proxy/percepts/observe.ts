import { stemmer } from 'stemmer'
import { stemsOf } from '../words'
import { type ArtifactView, clip, type Observation, type Sighting } from './artifact-view'
import { type LearnedPhrase, mentions } from './learned'
import { RULES } from './rules'
import { deviations, UNADDRESSED, UNCOVERED, type Upstream } from './upstream'

/** Every phrase the rules know, whether or not an artifact shows it. */
export const RULE_PHRASES: readonly string[] = [...RULES.map(({ phrase }) => phrase), UNCOVERED, UNADDRESSED]

/** What the rules see in an artifact beside its upstream texts. Its words describe it; they are never obeyed. */
export function observe(view: ArtifactView, upstream: readonly Upstream[]): Observation[] {
  const seen = RULES.flatMap((rule) => {
    const sighting = rule.see(view)
    return sighting ? [{ phrase: rule.phrase, names: rule.names, ...sighting }] : []
  })
  return [...seen, ...deviations(view, upstream)]
}

/** Where an artifact speaks of a learned phrase, or that it does not. */
export function lookFor(view: ArtifactView, learned: LearnedPhrase): Sighting & { present: boolean } {
  if (!mentions(view.terms, learned)) {
    return { present: false, evidence: `nothing in the plan about ${learned.phrase}`, line: null }
  }
  const line = view.lines.find(({ text }) => {
    const stems = new Set(stemsOf(text))
    return learned.stems.some((stem) => stems.has(stem))
  })
  return { present: true, evidence: clip(line?.text ?? ''), line: line?.number ?? null }
}

/** Which percepts the person's words point at. */
export function namedBy(words: string, learned: readonly LearnedPhrase[]): string[] {
  const stems = new Set(stemsOf(words))
  if (stems.size === 0) return []
  const rules = RULES.filter((rule) => rule.names.some((name) => stems.has(stemmer(name)))).map(
    ({ phrase }) => phrase,
  )
  const phrases = learned.filter((phrase) => mentions(stems, phrase)).map(({ phrase }) => phrase)
  return [...rules, ...phrases]
}
