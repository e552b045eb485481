// npm run bench -- hydrate [--size N] [--rounds N] [--home DIR] [--models DIR]
// Frames and searches at three sizes (N/100, N/10, N; 100,000 by default) over memories made by lib/memory.mjs, which are
// kept in DIR, the system's temporary folder unless named, for the next run. The question's embedding is in every time, and stands apart
// in `stagesP50.embed`. Wall and processor time side by side: where others use the machine only the second compares.
// Baselines in the same run: the same frames from a connection that scans the table of codes, and plain BM25, its top
// 20 texts, nothing else.
import { statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { memoryOf, questions } from './lib/memory.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    size: { type: 'string' },
    models: { type: 'string' },
    home: { type: 'string' },
    rounds: { type: 'string', default: '100' },
  },
})
const largest = Math.max(8000, Number(values.size ?? 100_000))
const sizes = [Math.ceil(largest / 100), Math.ceil(largest / 10), largest]
const modelsDir = resolve(values.models ?? process.env.FOVEA_MODELS ?? join(root, 'resources/models'))
const ROUNDS = Number(values.rounds)
const WARM = 10

const server = await createServer({
  configFile: false,
  root,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
})
const load = (path) => server.ssrLoadModule(`/src/main/${path}`)
const store = await load('store/index.ts')
const models = await load('models/index.ts')
const hydration = await load('hydration/index.ts')
const { wrap } = await load('journal/index.ts')

const embedder = models.createEmbedder({ modelsDir, threads: 1 })
const status = await embedder.loaded()
const random = (texts) => texts.map(() => unit(Float32Array.from({ length: 384 }, () => Math.random() - 0.5)))
const embed = status.model ? (texts) => embedder.embed(texts) : async (texts) => random(texts)
try {
  const bySize = []
  for (const size of sizes) bySize.push(await measure(size))
  const [small, , large] = bySize
  const growth = (of) => round(of(large) / of(small))
  console.log(
    JSON.stringify(
      {
        bench: 'hydrate',
        ...machine(),
        load: loadavg().map(round),
        unit: 'ms; mb',
        model: status.model,
        modelReason: status.reason,
        vectors: status.model ? 'between and around real ones' : 'random',
        bySize,
        growth: {
          items: large.items / small.items,
          hydrateCpuP50: growth(({ hydrate }) => hydrate.cpuP50),
          projectCpuP50: growth(({ hydrateProject }) => hydrateProject.cpuP50),
          searchCpuP50: growth(({ search }) => search.cpuP50),
          scanCpuP50: growth(({ baselines }) => baselines.tableScan.cpuP50),
          bm25CpuP50: growth(({ baselines }) => baselines.bm25.cpuP50),
        },
      },
      null,
      2,
    ),
  )
} finally {
  await embedder.close()
  await server.close()
}

async function measure(size) {
  const { path, fillMs } = await memoryOf({
    size,
    store,
    embed,
    model: status.model ?? 'random',
    ...(values.home ? { folder: resolve(values.home) } : {}),
  })
  const before = process.memoryUsage().rss
  // As the app leaves it when it rests, and as its query thread opens it.
  const write = store.openWrite(path, 64)
  while (store.mergeWords(write));
  const [read, plain] = [write, store.openRead(path)]
  const began = performance.now()
  const codes = store.keepCodes(read)
  await codes.warm()
  const warmMs = performance.now() - began
  const ports = {
    read,
    write,
    embedder: status.model ? embedder : { status: async () => ({ ...status, model: 'random' }), embed },
    clock: Date.now,
    receiptId: hydration.newReceiptId,
    wrap,
    countTokens: models.countTokens,
  }
  const asked = questions(ROUNDS + WARM, size)
  const request = { plane: 'execution', budget: 2000, tokenizer: 'o200k', viewer: 'person' }
  const laps = {}
  let facts = 0
  const frame = async (on, goal, more = {}) =>
    (await hydration.hydrate(on, { ...request, goal, ...more })).receipt
  const hydrate = await timed(asked, async ({ text }, warm) => {
    const receipt = await frame(ports, text)
    if (warm) return
    facts += receipt.facts.length
    for (const [stage, ms] of Object.entries(receipt.ms)) {
      laps[stage] ??= []
      laps[stage].push(ms)
    }
  })
  const hydrateProject = await timed(asked, ({ text, project }) => frame(ports, text, { project }))
  const search = await timed(asked, ({ text }) => hydration.search(ports, { text, limit: 20 }))
  const rss = process.memoryUsage().rss
  const some = asked.slice(0, WARM + Math.ceil(ROUNDS / 3))
  const tableScan = await timed(some, ({ text }) => frame({ ...ports, read: plain }, text))
  const bm25 = await timed(asked, ({ text }) => plainBm25(read, text))
  const result = {
    items: size,
    vectors: codes.size,
    hydrate,
    stagesP50: Object.fromEntries(Object.entries(laps).map(([stage, list]) => [stage, round(median(list))])),
    stagesP95: Object.fromEntries(
      Object.entries(laps).map(([stage, list]) => [stage, round(quantile(list, 0.95))]),
    ),
    factsPerFrame: round(facts / ROUNDS),
    hydrateProject,
    search,
    baselines: { tableScan, bm25 },
    memoryMb: {
      codes: mb(codes.bytes),
      rss: mb(rss),
      rssGrown: mb(rss - before),
      database: mb(statSync(path).size),
    },
    warmMs: Math.round(warmMs),
    fillMs,
  }
  codes.close()
  for (const db of [plain, write]) db.close()
  return result
}

async function timed(asked, run) {
  const times = []
  const cpu = []
  for (const [i, question] of asked.entries()) {
    const used = process.cpuUsage()
    const start = performance.now()
    await run(question, i < WARM)
    if (i < WARM) continue
    times.push(performance.now() - start)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1000)
  }
  return {
    n: times.length,
    p50: round(median(times)),
    p95: round(quantile(times, 0.95)),
    cpuP50: round(median(cpu)),
    cpuP95: round(quantile(cpu, 0.95)),
  }
}

/** What one would write without any of this: OR of the words, best 20 by BM25, their texts. */
function plainBm25(db, text) {
  const match = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ')
  const rows = db.all(
    'SELECT rowid AS id FROM items_fts WHERE items_fts MATCH ? ORDER BY bm25(items_fts) LIMIT 20',
    [match],
  )
  return store.hydrationSql.textsById(
    db,
    rows.map((row) => row.id),
  )
}

function unit(vector) {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function mb(bytes) {
  return Math.round(bytes / 2 ** 20)
}

function round(value) {
  return Math.round(value * 100) / 100
}
