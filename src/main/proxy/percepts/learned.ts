import { stemmer } from 'stemmer'
import type { Case } from '../types'
import { contentWords, stemsOf } from '../words'
import { isGeneric } from './generic'
import { RULES } from './rules'

/** A phrase the person used when sending something back; looked for in what comes next. */
export interface LearnedPhrase {
  /** Its key: the words as the person first wrote them, in quotation marks. */
  phrase: string
  stems: readonly string[]
}

/** How many are looked for at once. */
const LOOKED_FOR = 16
/** A word must have come up in this many corrections; a one-off teaches nothing about the next plan. */
const CORRECTIONS = 2
/** What more than this share of all artifacts has, tells none of them from another. */
const MOST = 2 / 3

export const quoted = (words: string): string => `“${words}”`
export const isLearned = (phrase: string): boolean => phrase.startsWith('“')
/** The words of a key, without its quotation marks. */
export const unquoted = (phrase: string): string => phrase.replace(/^“|”$/g, '')

/** The phrase behind a key made by `quoted`. */
export function parseLearned(phrase: string): LearnedPhrase {
  return { phrase, stems: stemsOf(phrase) }
}

/** Words by which a person points at what a rule looks for anyway. */
const RULED: ReadonlySet<string> = new Set(RULES.flatMap(({ names }) => names.map((name) => stemmer(name))))

/** Whether a learned phrase says more than that software is talked about. */
export const isSpecific = ({ stems }: Pick<LearnedPhrase, 'stems'>): boolean => !stems.every(isGeneric)

/** Whether a rule looks for the same thing, so that saying both would say it twice. */
export const repeatsRule = (phrase: string): boolean =>
  isLearned(phrase) && stemsOf(phrase).every((stem) => RULED.has(stem))

/**
 * Words and pairs of words that came up in several of the person's corrections, the most frequent first. Words that
 * are said of everything are left out: generic ones, and those that artifacts have anyway.
 */
export function learnPhrases(memory: readonly Case[]): LearnedPhrase[] {
  const seen = new Map<string, { surface: string; stems: string[]; corrections: number }>()
  for (const remembered of memory) {
    if (remembered.answeredBy !== 'person' || remembered.outcome === 'approve') continue
    for (const [key, { surface, stems }] of grams(remembered.words)) {
      const known = seen.get(key)
      if (known) known.corrections += 1
      else seen.set(key, { surface, stems, corrections: 1 })
    }
  }
  return [...seen]
    .filter(([, { corrections, stems }]) => corrections >= CORRECTIONS && isSpecific({ stems }))
    .sort(
      ([a, x], [b, y]) =>
        y.corrections - x.corrections || y.stems.length - x.stems.length || (a < b ? -1 : 1),
    )
    .map(([, { surface, stems }]) => ({ phrase: quoted(surface), stems }))
    .filter((phrase) => isTelling(phrase, memory))
    .slice(0, LOOKED_FOR)
}

function isTelling(phrase: LearnedPhrase, memory: readonly Case[]): boolean {
  const having = memory.filter(({ terms }) => mentions(terms, phrase)).length
  return having <= memory.length * MOST
}

/** Each distinct word and pair of neighbours once. */
function grams(words: string): Map<string, { surface: string; stems: string[] }> {
  const list = contentWords(words.slice(0, 4000)).filter(({ surface }) => surface.length >= 3)
  const found = new Map<string, { surface: string; stems: string[] }>()
  list.forEach((word, index) => {
    const next = list[index + 1]
    for (const gram of next ? [[word], [word, next]] : [[word]]) {
      const stems = gram.map(({ stem }) => stem)
      const key = stems.join(' ')
      if (!found.has(key)) found.set(key, { surface: gram.map(({ surface }) => surface).join(' '), stems })
    }
  })
  return found
}

/** Whether all words of the phrase are among the terms of an artifact. */
export function mentions(terms: ReadonlySet<string>, { stems }: LearnedPhrase): boolean {
  return stems.length > 0 && stems.every((stem) => terms.has(stem))
}
