// npm run bench -- locomo --data PATH [--plane NAME] [--without TERM,…] [--with TERM=WEIGHT,…] [--lexical]
// How much of the evidence for LoCoMo's questions stands whole in a frame. PATH is a JSON file with conversations.
// Each conversation is ingested into a database of its own as generic JSONL; each question is a goal, verbatim. A turn
// counts when its whole text stands in the frame (white space folded); the whole frame is charged ceil(length / 4).
// Baselines in the same run, over the same turns, charged per dated turn: BM25, dense, RRF of both, and the weighted
// fusion with neighbours. --without sets weights of the plane to nothing (walk: no walk at all).
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createEmbedder, createEngine } from '../out/main/library.js'
import { ablatedPlane } from './lib/ablate.mjs'
import { baselines } from './lib/baselines.mjs'
import { evidenceOf, fold, turnsOf } from './lib/locomo-turns.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    plane: { type: 'string', default: 'execution' },
    without: { type: 'string' },
    with: { type: 'string' },
    lexical: { type: 'boolean', default: false },
  },
})
if (!values.data || !existsSync(values.data)) {
  console.error('bench locomo: --data PATH names the JSON file with the LoCoMo conversations.')
  process.exit(2)
}
const BUDGETS = [500, 1000, 2000]
const CATEGORIES = { 1: 'multi', 2: 'temporal', 3: 'open', 4: 'single', 5: 'adversarial' }
const folder = mkdtempSync(join(tmpdir(), 'fovea-locomo-'))
// Without a model among the resources recall goes by words alone, as on a machine where it is missing.
const resources = values.lexical ? folder : resolve(import.meta.dirname, '..', 'resources')
const embedder = createEmbedder({
  modelsDir: resolve(import.meta.dirname, '..', 'resources/models'),
  threads: 1,
})
const sums = new Map()
const times = []
const paths = new Map()
let over = 0
let turnsTotal = 0
const whole = { found: 0, of: 0 }
try {
  const conversations = JSON.parse(readFileSync(values.data, 'utf8'))
  for (const conversation of conversations) await run(conversation)
  report(conversations.length)
} finally {
  await embedder.close()
  rmSync(folder, { recursive: true, force: true })
}

async function run(conversation) {
  const turns = turnsOf(conversation.conversation)
  turnsTotal += turns.length
  const name = conversation.sample_id ?? `conversation-${turnsTotal}`
  const home = mkdtempSync(join(folder, 'home-'))
  const file = join(home, `${name.replace(/[^\w-]/g, '_')}.jsonl`)
  writeFileSync(file, `${turns.map((turn) => JSON.stringify(turn.record)).join('\n')}\n`)
  const engine = createEngine({ home, resources, watch: false, version: 'bench' })
  try {
    await engine.call('ingest.run', { paths: [file], embed: !values.lexical })
    const rank = await baselines(turns, (texts) => embedder.embed(texts))
    const plane = await ablatedPlane(engine, values.plane, values.without, values.with)
    const byId = new Map(turns.map((turn) => [turn.id, turn]))
    for (const question of conversation.qa) {
      const evidence = evidenceOf(question, byId)
      const category = CATEGORIES[question.category]
      if (evidence.length === 0 || !category) continue
      const rankings = Object.entries(await rank(question.question))
      for (const budget of BUDGETS) {
        const frame = await frameFor(engine, question.question, plane, budget)
        const found = evidence.filter((turn) => frame.includes(turn.folded)).length
        const shares = { fovea: found / evidence.length }
        for (const [name, ranked] of rankings) {
          const plain = packed(ranked, budget)
          shares[name] = evidence.filter((turn) => plain.has(turn)).length / evidence.length
        }
        for (const key of ['all', category]) {
          add(`${key}@${budget}`, shares)
        }
        if (category === 'multi' && budget === 1000) {
          whole.of += 1
          whole.found += found === evidence.length ? 1 : 0
        }
      }
    }
  } finally {
    await engine.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function frameFor(engine, goal, plane, budget) {
  const start = performance.now()
  const { frame, receipt } = await engine.call('hydrate.run', {
    goal,
    plane,
    budget,
    tokenizer: 'chars4',
  })
  times.push(performance.now() - start)
  paths.set(receipt.path, (paths.get(receipt.path) ?? 0) + 1)
  if (Math.ceil(frame.length / 4) > budget) over += 1
  return fold(frame)
}

/** What of a ranking fits when each dated turn is charged ceil(chars / 4). */
function packed(ranked, budget) {
  const chosen = new Set()
  let spent = 0
  for (const turn of ranked) {
    const cost = Math.ceil(`[${turn.date}] ${turn.name}: ${turn.text}`.length / 4)
    if (spent + cost > budget) continue
    spent += cost
    chosen.add(turn)
  }
  return chosen
}

function add(key, shares) {
  const sum = sums.get(key) ?? { n: 0 }
  sum.n += 1
  for (const [name, share] of Object.entries(shares)) sum[name] = (sum[name] ?? 0) + share
  sums.set(key, sum)
}

function report(conversations) {
  const percent = (value, n) => Math.round((1000 * value) / n) / 10
  const table = (which) =>
    Object.fromEntries(
      BUDGETS.map((budget) => [
        budget,
        Object.fromEntries(
          ['single', 'multi', 'temporal', 'open', 'adversarial', 'all'].flatMap((category) => {
            const sum = sums.get(`${category}@${budget}`)
            return sum ? [[category, percent(sum[which], sum.n)]] : []
          }),
        ),
      ]),
    )
  const result = {
    bench: 'locomo',
    ...machine(),
    conversations,
    turns: turnsTotal,
    questions: sums.get('all@1000')?.n ?? 0,
    plane: values.plane,
    without: values.without ?? null,
    with: values.with ?? null,
    paths: Object.fromEntries(paths),
    framesOverBudget: over,
    evidencePercent: Object.fromEntries(
      ['fovea', 'bm25', 'dense', 'rrf', 'weighted'].map((name) => [name, table(name)]),
    ),
    multiHopWholePercent: percent(whole.found, whole.of),
    hydrateMs: { p50: Math.round(median(times) * 10) / 10, p95: Math.round(quantile(times, 0.95) * 10) / 10 },
  }
  console.log(JSON.stringify(result, null, 2))
}
