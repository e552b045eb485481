// The plain ways of finding something, written apart from the program they are compared with: BM25, the nearest
// embeddings, equal reciprocal ranks of both, and a weighted fusion with neighbours and a prior of the session.
import { bm25Ranker } from './bm25.mjs'

const TOP = 200
const EMBEDDED = 1000

/**
 * @param units `{session, date, name, text}` in the order they were said; a session's units stand together.
 * @param embed texts to unit vectors
 * @returns question → `{bm25, dense, rrf, weighted}`, each a list of units, best first
 */
export async function baselines(units, embed) {
  const lexical = bm25Ranker(units)
  const text = (unit) => `${unit.name}: ${unit.text}`.slice(0, EMBEDDED)
  const before = (i) => (units[i - 1]?.session === units[i].session ? `${text(units[i - 1])}\n` : '')
  const alone = await inBatches(units.map(text), embed)
  const inContext = await inBatches(
    units.map((unit, i) => `${before(i)}${text(unit)}`.slice(-EMBEDDED)),
    embed,
  )
  const places = new Map(units.map((unit, i) => [unit, i]))
  const sessions = bm25Ranker(sessionsOf(units))
  return async (question) => {
    const [vector] = await embed([question])
    const bm25 = lexical(question).slice(0, TOP)
    const dense = nearest(units, alone, vector)
    const context = nearest(units, inContext, vector)
    const sessionRanks = new Map(sessions(question).map((one, rank) => [one.session, rank + 1]))
    return {
      bm25,
      dense,
      rrf: ranked(
        fused([
          [1, bm25],
          [1, dense],
        ]),
        places,
      ),
      weighted: ranked(weighted({ bm25, dense, context }, units, places, sessionRanks), places),
    }
  }
}

function weighted({ bm25, dense, context }, units, places, sessionRanks) {
  const own = fused([
    [1, bm25],
    [0.3, dense],
    [0.3, context],
  ])
  const scores = new Map(own)
  for (const unit of new Set(
    [...own.keys()].flatMap((unit) => beside(units, places.get(unit)).concat(unit)),
  )) {
    const lent = Math.max(0, ...beside(units, places.get(unit)).map((other) => own.get(other) ?? 0))
    const rank = sessionRanks.get(unit.session)
    scores.set(unit, (own.get(unit) ?? 0) + 0.5 * lent + (rank ? 0.3 / (10 + rank) : 0))
  }
  return scores
}

function beside(units, i) {
  return [units[i - 1], units[i + 1]].filter((other) => other && other.session === units[i].session)
}

function fused(lists) {
  const scores = new Map()
  for (const [weight, list] of lists) {
    list.forEach((unit, i) => void scores.set(unit, (scores.get(unit) ?? 0) + weight / (11 + i)))
  }
  return scores
}

const ranked = (scores, places) =>
  [...scores].sort((a, b) => b[1] - a[1] || places.get(a[0]) - places.get(b[0])).map(([unit]) => unit)

function nearest(units, vectors, vector) {
  return vectors
    .map((other, i) => ({
      unit: units[i],
      cosine: other.reduce((sum, value, j) => sum + value * vector[j], 0),
      i,
    }))
    .sort((a, b) => b.cosine - a.cosine || a.i - b.i)
    .slice(0, TOP)
    .map(({ unit }) => unit)
}

function sessionsOf(units) {
  return [...Map.groupBy(units, (unit) => unit.session)].map(([session, members]) => ({
    session,
    date: members[0].date,
    name: '',
    text: members.map((unit) => `${unit.name}: ${unit.text}`).join('\n'),
  }))
}

async function inBatches(texts, embed) {
  const vectors = []
  for (let at = 0; at < texts.length; at += 64) vectors.push(...(await embed(texts.slice(at, at + 64))))
  return vectors
}
