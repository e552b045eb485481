// npm run bench -- hydrate [--size N] [--models DIR]
// Frames and searches at three sizes (N/25, N/5, N; 50,000 by default) over a corpus made here, with vectors, the
// goal's embedding included in every time. Beside them the baseline: plain BM25, its top 20 texts, nothing else.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { corpus, goals } from './lib/items.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { size: { type: 'string' }, models: { type: 'string' } } })
const largest = Math.max(250, Number(values.size ?? 50_000))
const sizes = [Math.ceil(largest / 25), Math.ceil(largest / 5), largest]
const modelsDir = resolve(values.models ?? process.env.FOVEA_MODELS ?? join(root, 'resources/models'))
const ROUNDS = 120

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
const folder = mkdtempSync(join(tmpdir(), 'fovea-hydrate-'))
try {
  const bySize = []
  for (const size of sizes) bySize.push(await measure(size))
  const [small, , large] = bySize
  console.log(
    JSON.stringify(
      {
        bench: 'hydrate',
        ...machine(),
        model: status.model,
        modelReason: status.reason,
        vectors: status.model ? 'real for 400 items, perturbed copies for the rest' : 'random',
        bySize,
        growth: {
          items: large.items / small.items,
          hydrateP95: round(large.hydrate.p95 / small.hydrate.p95),
          searchP95: round(large.search.p95 / small.search.p95),
          baselineP95: round(large.baseline.p95 / small.baseline.p95),
        },
      },
      null,
      2,
    ),
  )
} finally {
  await embedder.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(size) {
  const path = join(folder, `${size}.db`)
  const write = store.openWrite(path)
  store.migrate(write)
  const filled = performance.now()
  await fill(write, size)
  const fillMs = performance.now() - filled
  const read = store.openRead(path)
  const ports = {
    read,
    write,
    embedder: status.model ? embedder : wordless(),
    clock: Date.now,
    receiptId: hydration.newReceiptId,
    wrap,
    countTokens: models.countTokens,
  }
  const asked = goals(ROUNDS + 10, size)
  const request = { plane: 'execution', budget: 2000, tokenizer: 'o200k', viewer: 'person' }
  const laps = {}
  let facts = 0
  const hydrate = await timed(asked, async (goal, warm) => {
    const { receipt } = await hydration.hydrate(ports, { ...request, goal })
    if (warm) return
    facts += receipt.facts.length
    for (const [stage, ms] of Object.entries(receipt.ms)) {
      laps[stage] ??= []
      laps[stage].push(ms)
    }
  })
  const search = await timed(asked, (text) => hydration.search(ports, { text, limit: 20 }))
  const baseline = await timed(asked, (text) => plainBm25(read, text))
  const result = {
    items: size,
    hydrate,
    stagesP50: Object.fromEntries(Object.entries(laps).map(([stage, list]) => [stage, round(median(list))])),
    factsPerFrame: round(facts / ROUNDS),
    search,
    baseline,
    dbMb: round(statSync(path).size / 2 ** 20),
    rssMb: Math.round(process.memoryUsage().rss / 2 ** 20),
    fillMs: Math.round(fillMs),
  }
  read.close()
  write.close()
  return result
}

async function timed(asked, run) {
  const times = []
  for (const [i, text] of asked.entries()) {
    const start = performance.now()
    await run(text, i < 10)
    if (i >= 10) times.push(performance.now() - start)
  }
  return {
    n: times.length,
    p50: round(median(times)),
    p95: round(quantile(times, 0.95)),
    max: round(Math.max(...times)),
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

/** Stands in when no model is installed, so that the vector search is measured all the same. */
function wordless() {
  const random = seeded(5)
  return {
    status: async () => ({ state: 'ready', model: 'random', reason: null }),
    embed: async (texts) => texts.map(() => unit(Float32Array.from({ length: 384 }, () => random() - 0.5))),
  }
}

async function fill(db, size) {
  const random = seeded(size)
  const base = status.model
    ? await embedder.embed([...corpus(400)].map((item) => item.text.slice(0, 400)))
    : Array.from({ length: 400 }, () => unit(Float32Array.from({ length: 384 }, () => random() - 0.5)))
  const batch = []
  const flush = () =>
    db.transaction(() => {
      for (const item of batch.splice(0)) insert(db, item, base, random)
    })
  for (const item of corpus(size)) {
    batch.push(item)
    if (batch.length === 2000) flush()
  }
  flush()
}

function insert(db, item, base, random) {
  db.run(
    `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at) VALUES (?, ?, 'generic', ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
    [item.session, item.session, item.project, item.ts, item.ts],
  )
  const packed = store.packText(item.text)
  const { lastInsertRowid: id } = db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, project, goal_handle, text, text_z, chars, data,
       file_path, line, byte_offset, byte_length, record_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', '/b.jsonl', ?, 0, 1, 'h')`,
    [
      item.handle,
      item.kind,
      item.session,
      item.position,
      item.ts,
      item.project,
      item.goal,
      packed.text,
      packed.text_z,
      item.text.length,
      item.position + 1,
    ],
  )
  db.run('INSERT INTO items_fts (rowid, text, dates) VALUES (?, ?, ?)', [id, item.text, '3 march 2026'])
  for (const kind of ['item', 'context']) {
    const near = base[Math.floor(random() * base.length)]
    const vector = unit(near.map((value) => value + (random() - 0.5) * 0.09))
    store.vectorSql.putVector(db, {
      itemId: id,
      unit: kind,
      model: 'bench',
      vector,
      provenance: [],
      labels: [],
    })
  }
}

function unit(vector) {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function seeded(start) {
  let seed = start >>> 0
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}

function round(value) {
  return Math.round(value * 100) / 100
}
