// npm run bench -- attention [--data FOLDER]   (FOLDER holds transcripts/ and locomo/locomo3.json)
// Does attention pay? Each question against plainer ways with the same budget in the same run.
// 1. Real transcripts replayed turn by turn: of the files that the agent touched next and that had come up before, how
//    many were in the context that was put together at the moment of the request? Adaptive (also without scoring, and
//    without spreading activation), fixed (alone, and by shares), and plain recency, at 1 k, 4 k and 16 k tokens.
//    The weights of a session's own flow were found on the sessions of the first half; the second half is the figure.
// 2. Questions with known evidence: adaptive depth against the fixed one, at 1,000 tokens, from the same ranking.
// 3. Made screens: what the scene gate lets in, and what is not repeated.
// Tokens are ceil(length / 4). Prints one JSON object.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { assemble } from '../out/main/library.js'
import { depth } from './lib/attention-depth.mjs'
import { chars4, journalOf, turnsIn } from './lib/attention-turns.mjs'
import { machine } from './lib/report.mjs'
import { scenes } from './lib/scene-series.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { data: { type: 'string', default: resolve(root, '../shared/data') }, locomo: { type: 'string' } },
})
const folder = existsSync(join(values.data, 'transcripts')) ? join(values.data, 'transcripts') : values.data
const BUDGETS = [1000, 4000, 16_000]
/** Recall and the session, as a turn shares its room out among them. */
const SHARES = { recall: 0.35, 'session-history': 0.3 }

const VARIANTS = {
  adaptive: (turn, budget) => assembled(turn, { budget, mode: 'adaptive', scored: true, graph: turn.graph }),
  adaptiveWithoutSpreading: (turn, budget) => assembled(turn, { budget, mode: 'adaptive', scored: true }),
  adaptiveWithoutScoring: (turn, budget) => assembled(turn, { budget, mode: 'adaptive', scored: false }),
  fixedByShares: (turn, budget) => assembled(turn, { budget, mode: 'fixed', scored: true, shares: SHARES }),
  fixed: (turn, budget) => assembled(turn, { budget, mode: 'fixed', scored: true }),
  recency: (turn, budget) => newestFirst(turn, budget),
}

const result = {
  bench: 'attention',
  ...machine(),
  replay: await replay(),
  depth: depth(values.locomo ?? join(values.data, 'locomo/locomo3.json')),
  scenes: scenes([21, 22, 23, 24]),
}
console.log(JSON.stringify(result, null, 2))

async function replay() {
  if (!existsSync(folder)) return { skipped: `${folder} is not there; name another with --data` }
  const sessions = await journalOf(folder)
  const order = sessions.map(([first]) => first.session).sort()
  const halves = { tunedOn: [], heldOut: [] }
  for (const turn of turnsIn(sessions)) {
    const half = order.indexOf(turn.goal.session) % 2 === 0 ? halves.tunedOn : halves.heldOut
    half.push(turn)
  }
  return {
    sessions: sessions.length,
    heldOut: figuresOf(halves.heldOut),
    tunedOn: figuresOf(halves.tunedOn),
  }
}

function figuresOf(turns) {
  const used = turns.reduce((sum, { next }) => sum + next.length, 0)
  const percent = (value) => Math.round(value * 1000) / 10
  const foundPercent = {}
  const meanOfTurnsPercent = {}
  for (const [name, make] of Object.entries(VARIANTS)) {
    foundPercent[name] = {}
    meanOfTurnsPercent[name] = {}
    for (const budget of BUDGETS) {
      let found = 0
      let share = 0
      for (const turn of turns) {
        const context = make(turn, budget)
        if (chars4(context) > budget) throw new Error(`${name} is over ${budget}`)
        const hits = turn.next.filter((path) => context.includes(path)).length
        found += hits
        share += hits / turn.next.length
      }
      foundPercent[name][budget] = percent(found / used)
      meanOfTurnsPercent[name][budget] = percent(share / turns.length)
    }
  }
  return { turns: turns.length, filesUsedNext: used, foundPercent, meanOfTurnsPercent }
}

function assembled(turn, given) {
  return assemble(turn.bids, {
    zone: 'green',
    count: chars4,
    now: turn.goal.ts,
    goal: { about: given.graph ? turn.goal.about : [] },
    ...given,
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
