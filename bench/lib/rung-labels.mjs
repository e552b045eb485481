import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { labelSentences, sentenceKey, words } from './label-sentences.mjs'

/** The labelled arcs as they stand in the file. */
export function labelNames(name) {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../labels/${name}.json`), 'utf8')).arcs
}

/** The labelled arcs, each label with the words of its sentence, found again in the ingested texts. */
export function labelledArcs(textOf, name) {
  const arcs = labelNames(name)
  const sentences = new Map()
  const resolve = (at) => {
    const [handle, key] = at.split(' ')
    if (!sentences.has(handle)) {
      const found = labelSentences(textOf(handle) ?? '').map((text) => [sentenceKey(text), words(text)])
      sentences.set(handle, new Map(found))
    }
    return sentences.get(handle).get(key)
  }
  let missing = 0
  const resolved = (list) =>
    list.map(resolve).filter((found) => {
      if (!found) missing++
      return found
    })
  const read = arcs.map((arc) => ({
    ...arc,
    facts: arc.facts.map((fact) => ({ ...fact, told: resolved(fact.at) })),
    neutral: resolved(arc.neutral),
  }))
  return { arcs: read, missing }
}

/** Whether two sentences are the same one: three quarters of the shorter one's words, and it is no mere fragment. */
export function same(said, told) {
  const [a, b] = [new Set(said), new Set(told)]
  const both = [...a].filter((word) => b.has(word)).length
  return both / Math.min(a.size, b.size) >= 0.75 && both / Math.max(a.size, b.size) >= 0.4
}

/**
 * Compares what a method says of an arc with its labels.
 * @param said list of sentences
 * @param of 'decision', 'outcome' or null for either
 */
export function compare(arc, said, of) {
  const wanted = arc.facts.filter((fact) => of === null || fact.of === of)
  const hit = new Set()
  let right = 0
  let neutral = 0
  for (const sentence of said.map(words)) {
    const facts = wanted.filter((fact) => fact.told.some((told) => same(sentence, told)))
    for (const fact of facts) hit.add(fact)
    if (facts.length > 0) right++
    else if (arc.neutral.some((told) => same(sentence, told))) neutral++
  }
  return {
    said: said.length,
    right,
    neutral,
    wrong: said.length - right - neutral,
    hit: hit.size,
    wanted: wanted.length,
  }
}

/** Sums of compare() as precision and recall. */
export function score(rows) {
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0)
  const share = (part, whole) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 1000)
  const [precision, recall] = [
    share(sum('right'), sum('right') + sum('wrong')),
    share(sum('hit'), sum('wanted')),
  ]
  return {
    precision,
    recall,
    f1: precision && recall ? share(2 * precision * recall, precision + recall) : 0,
    sentences: sum('said'),
    neutral: sum('neutral'),
    facts: sum('wanted'),
  }
}
