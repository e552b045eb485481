// npm run bench -- attention [--data FOLDER] [--locomo FILE]
// Does attention pay? Two questions, each against plainer ways with the same budget in the same run.
// 1. Real transcripts replayed turn by turn: of the files that the agent touched next and that had come up before, how
//    many were in the context that was put together at the moment of the request? Adaptive (also without scoring, and
//    without spreading activation), fixed, and plain recency, at 1 k, 4 k and 16 k tokens.
// 2. Questions with known evidence: adaptive depth against the fixed one, at 1,000 tokens, from the same ranking.
// Tokens are ceil(length / 4). Prints one JSON object.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stemmer } from 'stemmer'
import {
  assemble,
  createEngine,
  depthFor,
  FIXED_DEPTH,
  itemEntities,
  openRead,
  shapeOf,
  unpackText,
} from '../out/main/library.js'
import { bm25Ranker } from './lib/bm25.mjs'
import { evidenceOf, turnsOf } from './lib/locomo-turns.mjs'
import { machine } from './lib/report.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: resolve(root, '../shared/data/transcripts') },
    locomo: { type: 'string', default: resolve(root, '../shared/data/locomo/locomo3.json') },
  },
})
const chars4 = (text) => Math.ceil(text.length / 4)
const BUDGETS = [1000, 4000, 16_000]
const IMPORTANCE = {
  decision: 0.9,
  goal: 0.8,
  plan: 0.7,
  conclusion: 0.6,
  error: 0.5,
  command: 0.4,
  file_op: 0.4,
  note: 0.3,
  image: 0.1,
}
/** How many items of other sessions bid, and how many of the own one. */
const RECALLED = 40
const OWN = 400
const request = { scored: true, zone: 'green', count: chars4, goal: { about: [] } }

const result = {
  bench: 'attention',
  ...machine(),
  replay: await replay(values.data),
  depth: depth(values.locomo),
}
console.log(JSON.stringify(result, null, 2))

async function replay(folder) {
  if (!existsSync(folder)) return { skipped: `${folder} is not there; name another with --data` }
  const sessions = await journalOf(folder)
  const variants = {
    adaptive: (turn, budget) => assembled(turn, budget, 'adaptive', true, turn.graph),
    adaptiveWithoutSpreading: (turn, budget) => assembled(turn, budget, 'adaptive', true),
    adaptiveWithoutScoring: (turn, budget) => assembled(turn, budget, 'adaptive', false),
    fixed: (turn, budget) => assembled(turn, budget, 'fixed', true),
    recency: (turn, budget) => newestFirst(turn, budget),
  }
  const sums = new Map()
  let turns = 0
  let used = 0
  for (const turn of turnsIn(sessions)) {
    turns += 1
    used += turn.next.length
    for (const budget of BUDGETS) {
      for (const [name, make] of Object.entries(variants)) {
        const context = make(turn, budget)
        if (chars4(context) > budget) throw new Error(`${name} is over ${budget}`)
        const found = turn.next.filter((path) => context.includes(path)).length
        const key = `${name}@${budget}`
        const sum = sums.get(key) ?? { found: 0, share: 0 }
        sums.set(key, { found: sum.found + found, share: sum.share + found / turn.next.length })
      }
    }
  }
  const percent = (value) => Math.round(value * 1000) / 10
  return {
    sessions: sessions.length,
    turns,
    filesUsedNext: used,
    foundPercent: Object.fromEntries(
      Object.keys(variants).map((name) => [
        name,
        Object.fromEntries(
          BUDGETS.map((budget) => [budget, percent((sums.get(`${name}@${budget}`)?.found ?? 0) / used)]),
        ),
      ]),
    ),
    meanOfTurnsPercent: Object.fromEntries(
      Object.keys(variants).map((name) => [
        name,
        Object.fromEntries(
          BUDGETS.map((budget) => [budget, percent((sums.get(`${name}@${budget}`)?.share ?? 0) / turns)]),
        ),
      ]),
    ),
  }
}

/** Reads the folder with the real engine and takes the items out, by session, in order. */
async function journalOf(folder) {
  const home = mkdtempSync(join(tmpdir(), 'fovea-attention-'))
  try {
    const engine = createEngine({ home, resources: home, watch: false, version: 'bench' })
    await engine.call('ingest.run', { paths: [folder], embed: false })
    const dbPath = engine.places.db
    await engine.close()
    const db = openRead(dbPath)
    const rows = db.all(
      `SELECT i.handle, i.kind, i.session_id AS session, i.position, i.ts, i.project, i.tool, i.text, i.text_z, i.data, s.cwd
       FROM items i JOIN sessions s ON s.id = i.session_id ORDER BY i.session_id, i.position`,
    )
    db.close()
    const sessions = new Map()
    for (const row of rows) {
      const item = prepared(row)
      if (sessions.has(row.session)) sessions.get(row.session).push(item)
      else sessions.set(row.session, [item])
    }
    return [...sessions.values()]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function prepared(row) {
  const text = unpackText(row)
  const data = JSON.parse(row.data)
  const entities = itemEntities({ kind: row.kind, text, tool: row.tool, data, cwd: row.cwd })
  const shown = text.length > 4000 ? `${text.slice(0, 4000)}…` : text
  return {
    ...row,
    shown,
    short: shown.length > 240 ? `${shown.slice(0, 239)}…` : shown,
    stems: new Set((shown.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(stemmer)),
    about: entities.filter(({ kind, weight }) => kind !== 'tool' && weight >= 0.6).map(({ name }) => name),
    touched:
      row.kind === 'file_op'
        ? entities.filter(({ kind, weight }) => kind === 'path' && weight === 1).map(({ name }) => name)
        : [],
  }
}

/** Each request of a person that has something before it, and the known files that were touched until the next one. */
function* turnsIn(sessions) {
  for (const items of sessions) {
    for (const [at, goal] of items.entries()) {
      if (goal.kind !== 'goal' || at === 0) continue
      const before = items.slice(0, at)
      const others = sessions.flatMap((list) =>
        list === items ? [] : list.filter((one) => one.ts < goal.ts && one.project === goal.project),
      )
      const end = items.findIndex((one, i) => i > at && one.kind === 'goal')
      const turn = items.slice(at + 1, end < 0 ? undefined : end)
      const known = new Set([...before, ...others].flatMap(({ about, touched }) => [...about, ...touched]))
      const next = [...new Set(turn.flatMap(({ touched }) => touched))].filter((path) => known.has(path))
      if (next.length === 0) continue
      const recalled = others
        .map((item) => ({ item, overlap: overlap(goal, item) }))
        .sort((a, b) => b.overlap - a.overlap || b.item.ts - a.item.ts)
        .slice(0, RECALLED)
      const own = before.slice(-OWN).map((item) => ({ item, overlap: overlap(goal, item) }))
      const bids = [
        ...own.map((one) => bidOf(one, 'session-history')),
        ...recalled.map((one) => bidOf(one, 'recall')),
      ]
      yield {
        goal,
        bids,
        items: [...own, ...recalled].map(({ item }) => item),
        next,
        graph: graphOf([...own, ...recalled]),
      }
    }
  }
}

function overlap(goal, item) {
  let shared = 0
  for (const stem of goal.stems) if (item.stems.has(stem)) shared += 1
  return shared / Math.max(1, goal.stems.size)
}

function bidOf({ item, overlap: relevance }, source) {
  const rungs = [{ level: 'L0', tokens: Math.max(1, chars4(item.shown)), render: item.shown || ' ' }]
  if (item.short !== item.shown)
    rungs.unshift({ level: 'L1', tokens: chars4(item.short), render: item.short })
  return {
    id: `${source}:${item.handle}`,
    source,
    title: item.kind,
    key: item.handle,
    order: source === 'recall' ? -item.ts : item.position,
    rank: source === 'recall' ? -relevance : -item.position,
    at: item.ts,
    about: item.about,
    terms: { relevance, importance: IMPORTANCE[item.kind] ?? 0.3 },
    rungs,
  }
}

/** What is named together in an item is near; the rarer, the nearer. */
function graphOf(list) {
  const edges = new Map()
  const often = new Map()
  for (const { item } of list) for (const name of item.about) often.set(name, (often.get(name) ?? 0) + 1)
  for (const { item } of list) {
    for (const a of item.about.slice(0, 20)) {
      for (const b of item.about.slice(0, 20)) {
        if (a === b) continue
        if (!edges.has(a)) edges.set(a, new Map())
        edges.get(a).set(b, 1 / Math.log2(1 + (often.get(b) ?? 1)))
      }
    }
  }
  return (name) => [...(edges.get(name) ?? [])].map(([to, weight]) => ({ to, weight: Math.min(1, weight) }))
}

function assembled(turn, budget, mode, scored, graph) {
  const about = graph ? turn.goal.about : []
  return assemble(turn.bids, {
    ...request,
    budget,
    mode,
    scored,
    now: turn.goal.ts,
    goal: { about },
    ...(graph ? { graph } : {}),
  }).context
}

function newestFirst(turn, budget) {
  let context = ''
  for (const item of [...turn.items].sort((a, b) => b.ts - a.ts || b.position - a.position)) {
    const next = context === '' ? item.shown : `${item.shown}\n\n${context}`
    if (chars4(next) > budget) break
    context = next
  }
  return context
}

function depth(file) {
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
