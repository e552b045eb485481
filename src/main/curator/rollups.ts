import { z } from 'zod'
import { curatorSql, rollupSql, type WriteDb } from '../store'
import { union } from './arcs'
import { contentWords } from './cues'
import type { Distillation } from './distil'
import { join } from './item-rungs'
import { stillStands } from './model/material'
import { offerRollup } from './model/offers'
import { usesModel } from './model/settings'
import { statementsOf } from './statements'

/** Arcs read for one rollup, the newest; handles kept as provenance. */
const ARCS = 60
const PROVENANCE = 64
const EACH = { entities: 12, decisions: 6, constraints: 4, outcomes: 8, open_questions: 4 }

const Lists = z.object({
  entities: z.array(z.string()),
  decisions: z.array(z.string()),
  constraints: z.array(z.string()),
  outcomes: z.array(z.string()),
  open_questions: z.array(z.string()),
})

/**
 * Makes the summaries of sessions, days and projects that wait, from the rungs of their arcs. A rollup without arcs is
 * gone.
 * @returns how many left the queue; 0 when it is empty
 */
export function makeRollups(db: WriteDb, options: { now: number; version: number; limit: number }): number {
  const subjects = rollupSql.nextRollups(db, options.limit)
  if (subjects.length === 0) return 0
  db.transaction(() => {
    for (const subject of subjects) {
      make(db, subject, options)
      rollupSql.dequeueRollup(db, subject)
    }
  })
  return subjects.length
}

function make(db: WriteDb, text: string, { now, version }: { now: number; version: number }): void {
  const subject = rollupSql.parseSubject(text)
  const stands = subject !== null && stillStands(db, text)
  if (!stands) curatorSql.deleteRungs(db, text)
  if (subject === null) return
  const arcs = rollupSql.arcsOfRollup(db, subject, ARCS)
  const span = rollupSql.spanOfRollup(db, subject)
  if (arcs.length === 0) return
  const labels = union(arcs.map((arc) => JSON.parse(arc.labels) as string[]))
  const provenance = [...new Set(arcs.flatMap((arc) => JSON.parse(arc.sources) as string[]))]
  const put = (level: 'L1' | 'L2' | 'L3', made: string, method: string): void => {
    // What a model said of the same arcs stays.
    if (stands && level !== 'L3') return
    curatorSql.putRung(db, {
      subject: text,
      level,
      text: made,
      method,
      model: null,
      version,
      tokens: Math.ceil(made.length / 4),
      createdAt: now,
      provenance: provenance.slice(-PROVENANCE),
      labels,
    })
  }
  const lists = merged(arcs)
  const sentence = mainSentence(arcs)
  if (sentence) put('L1', sentence, 'extractive')
  if (Object.values(lists).some((list) => list.length > 0)) put('L2', JSON.stringify(lists), 'extractive')
  const size = `${plural(span.arcs, 'arc')}, ${plural(span.items, 'item')}:`
  put('L3', join(size, lists.entities.slice(0, 4)), 'rules')
  const newestAt = arcs.at(-1)?.endedAt ?? now
  if (!stands && usesModel(db)) offerRollup(db, text, { arcs: span.arcs, newestAt, now })
}

const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** The sentence of the arc that came furthest: what was decided or done, in much work, about what the others are about. */
function mainSentence(arcs: readonly rollupSql.RollupArc[]): string | null {
  const told = arcs.flatMap((arc) =>
    arc.sentence === null ? [] : [{ text: arc.sentence, items: arc.items }],
  )
  const counts = new Map<string, number>()
  for (const { text } of told)
    for (const word of new Set(contentWords(text, 60))) counts.set(word, (counts.get(word) ?? 0) + 1)
  let best: { text: string; score: number } | null = null
  for (const { text, items } of told) {
    const [act] = statementsOf(text, 'agent')
    const words = act?.words ?? []
    const central =
      words.length === 0
        ? 0
        : words.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0) / words.length / told.length
    const does = act && !act.idle ? Math.min(3, Math.max(act.outcome, act.decision)) : -2
    const score = does + 0.5 * Math.log2(1 + items) + 2 * central
    if (best === null || score > best.score) best = { text, score }
  }
  return best?.text ?? null
}

/** The lists of all arcs, each sentence once; a list that is full keeps the newest. */
function merged(arcs: readonly rollupSql.RollupArc[]): Distillation {
  const all: Distillation = { entities: [], decisions: [], constraints: [], outcomes: [], open_questions: [] }
  for (const { distillation } of arcs) {
    const lists = parsed(distillation)
    if (lists === null) continue
    for (const key of Object.keys(EACH) as (keyof Distillation)[]) all[key].push(...lists[key])
  }
  for (const key of Object.keys(EACH) as (keyof Distillation)[])
    all[key] = [...new Set(all[key])].slice(-EACH[key])
  return all
}

function parsed(json: string | null): Distillation | null {
  try {
    return Lists.safeParse(JSON.parse(json ?? 'null')).data ?? null
  } catch {
    return null
  }
}
