// npm run bench -- faculty [--rounds N]
// What one assembly costs at 100, 1,000 and 5,000 bids, fixed and adaptive, beside the plainest thing that could be
// done with the same bids: sort by salience, concatenate until the budget is full. Prints one JSON object.

import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { assemble, CATALOGUE, Faculties } from '../out/main/library.js'
import { randomFrom } from './lib/corpus.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })
const NOW = Date.UTC(2026, 0, 1)
const BUDGET = 4000
const chars4 = (text) => Math.ceil(text.length / 4)
const sources = Object.values(CATALOGUE).filter(({ pin }) => !pin)
const LEVELS = ['L3', 'L1', 'L0']

const rows = [100, 1000, 5000].map((size) => {
  const bids = makeBids(size)
  const graph = makeGraph(size)
  const rounds = Math.max(20, Math.round(Number(values.rounds) / (size / 100)))
  const request = {
    budget: BUDGET,
    goal: { about: ['e1', 'e2', 'e3'] },
    scored: true,
    zone: 'green',
    now: NOW,
    count: chars4,
  }
  return {
    bids: size,
    adaptive: time(rounds, () => assemble(bids, { ...request, mode: 'adaptive', graph })),
    fixed: time(rounds, () => assemble(bids, { ...request, mode: 'fixed' })),
    plainSortAndConcat: time(rounds, () => plain(bids)),
  }
})
const growth = (mode) => Math.round((rows[2][mode].p50Ms / rows[0][mode].p50Ms) * 10) / 10
console.log(
  JSON.stringify(
    {
      bench: 'faculty',
      ...machine(),
      budget: BUDGET,
      tokenizer: 'chars4',
      rows,
      births: births(10_000),
      growthFor50Times: {
        adaptive: growth('adaptive'),
        fixed: growth('fixed'),
        plain: growth('plainSortAndConcat'),
      },
    },
    null,
    2,
  ),
)

/** Born, told something, closed: what is left of the heap after all of them. */
function births(count) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const rows = new Map()
  const store = {
    load: (id) => rows.get(id)?.arousal ?? null,
    born: (id, parent, at, arousal) => rows.set(id, { arousal, pending: [] }),
    accept: (id, signal) => rows.get(id).pending.push(signal) > 0,
    pending: (id) => rows.get(id).pending,
    turned: (id, { arousal }) => rows.set(id, { arousal, pending: [] }),
    closed: (id) => rows.delete(id),
  }
  const faculties = new Faculties(store)
  const live = (from, to) => {
    for (let i = from; i < to; i++) {
      faculties.of(`session-${i}`, NOW).hear({ id: `m${i}`, kind: 'mention', at: NOW, handle: null })
      faculties.close(`session-${i}`)
    }
  }
  live(0, count)
  collect()
  const before = process.memoryUsage().heapUsed
  live(count, 2 * count)
  collect()
  const grown = process.memoryUsage().heapUsed - before
  return { count, alive: faculties.size, rowsLeft: rows.size, heapGrowthKb: Math.round(grown / 1024) }
}

function plain(bids) {
  const sorted = bids
    .map((bid) => ({
      bid,
      score: bid.terms.relevance + 0.5 * Math.exp((bid.at - NOW) / 6e5) + 0.5 * bid.terms.importance,
    }))
    .sort((a, b) => b.score - a.score)
  let context = ''
  for (const { bid } of sorted) {
    const next = `${context}\n\n${bid.rungs.at(-1).render()}`
    if (chars4(next) > BUDGET) break
    context = next
  }
  return context
}

function time(rounds, work) {
  for (let i = 0; i < 20; i++) work()
  const times = []
  const before = process.cpuUsage()
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    work()
    times.push(performance.now() - start)
  }
  const ms = (value) => Math.round(value * 1000) / 1000
  const { user, system } = process.cpuUsage(before)
  return {
    p50Ms: ms(median(times)),
    p95Ms: ms(quantile(times, 0.95)),
    // What the processor worked, garbage collection included: on a busy machine the clock also counts the others.
    meanCpuMs: ms((user + system) / 1000 / rounds),
  }
}

function makeBids(size) {
  const next = randomFrom(size)
  return Array.from({ length: size }, (_, i) => {
    const full = 80 + Math.floor(next() * 1200)
    const texts = [40, Math.min(full, 160), full].map((length) => 'word '.repeat(length / 5))
    return {
      id: `bid-${i}`,
      source: sources[i % sources.length].source,
      title: `bid ${i}`,
      terms: { relevance: next(), importance: next(), surprise: next() },
      at: NOW - next() * 3_600_000,
      about: [`e${Math.floor(next() * size)}`],
      rungs: texts.map((text, n) => ({
        level: LEVELS[n],
        tokens: Math.max(1, chars4(text)),
        render: () => text,
      })),
    }
  })
}

/** Each entity next to ten others. */
function makeGraph(size) {
  const next = randomFrom(7)
  const edges = new Map()
  for (let i = 0; i < size; i++) {
    edges.set(
      `e${i}`,
      Array.from({ length: 10 }, () => ({ to: `e${Math.floor(next() * size)}`, weight: next() })),
    )
  }
  return (entity) => edges.get(entity) ?? []
}
