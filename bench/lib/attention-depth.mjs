import { existsSync, readFileSync } from 'node:fs'
import { assemble, depthFor, FIXED_DEPTH, shapeOf } from '../../out/main/library.js'
import { chars4 } from './attention-turns.mjs'
import { bm25Ranker } from './bm25.mjs'
import { evidenceOf, turnsOf } from './locomo-turns.mjs'

// Questions with known evidence: adaptive depth against the fixed one, from the same ranking, at the same budget.

const request = { scored: true, zone: 'green', count: chars4, goal: { about: [] } }

export function depth(file) {
  if (!existsSync(file)) return { skipped: `${file} is not there; name another with --locomo` }
  const sums = { fixed: new Map(), adaptive: new Map() }
  const shapes = {}
  for (const conversation of JSON.parse(readFileSync(file, 'utf8'))) {
    const turns = turnsOf(conversation.conversation)
    const rank = bm25Ranker(turns)
    const byId = new Map(turns.map((turn) => [turn.id, turn]))
    for (const question of conversation.qa) {
      const evidence = evidenceOf(question, byId)
      if (evidence.length === 0) continue
      const shape = shapeOf(question.question)
      shapes[shape] = (shapes[shape] ?? 0) + 1
      const ranked = rank(question.question)
      for (const [name, how] of [
        ['fixed', FIXED_DEPTH],
        ['adaptive', depthFor(question.question)],
      ]) {
        const context = atDepth(ranked, how)
        const share = evidence.filter((turn) => context.includes(turn.text)).length / evidence.length
        for (const key of ['all', shape]) {
          const sum = sums[name].get(key) ?? { n: 0, share: 0 }
          sums[name].set(key, { n: sum.n + 1, share: sum.share + share })
        }
      }
    }
  }
  const table = (name) =>
    Object.fromEntries(
      [...sums[name]].map(([key, { n, share }]) => [key, Math.round((share / n) * 1000) / 10]),
    )
  return {
    budget: 1000,
    questions: sums.fixed.get('all')?.n ?? 0,
    shapes,
    evidencePercent: { fixed: table('fixed'), adaptive: table('adaptive') },
  }
}

function atDepth(ranked, how) {
  const bids = ranked.slice(0, how.bids).map((turn, place) => {
    const line = `[${turn.date}] ${turn.name}: ${turn.text}`
    const short = line.length > 90 ? `${line.slice(0, 89)}…` : line
    const rungs = [{ level: 'L0', tokens: chars4(line), render: line }]
    if (how.ladder !== 'whole' && short !== line)
      rungs.unshift({ level: 'L1', tokens: chars4(short), render: short })
    return {
      id: turn.id,
      source: 'recall',
      title: turn.id,
      order: place,
      terms: { relevance: 1 / (1 + place / 10) },
      rungs,
    }
  })
  return assemble(bids, { ...request, budget: 1000, mode: 'adaptive', now: 0, shares: how.shares }).context
}
