// npm run bench -- embed [--size N] [--models DIR]
// Vectors and rungs: the model alone, the whole index loop at three sizes, a question asked while a backlog is worked
// through, and the search over codes at three sizes beside an exact scan of every vector.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { size: { type: 'string' }, models: { type: 'string' } } })
const size = Number(values.size ?? 2_000)
const modelsDir = resolve(values.models ?? process.env.FOVEA_MODELS ?? join(root, 'resources/models'))
const folder = mkdtempSync(join(tmpdir(), 'fovea-bench-'))

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
const curator = await load('curator/index.ts')
const { IndexLoop } = await load('workers/index/index-loop.ts')

let seed = 42
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}
const pick = (list) => list[Math.floor(random() * list.length)]
const words =
  `cache login token retry queue migration index query worker session parser timeline export budget receipt
  button colour layout test build deploy branch merge review plan rollback schema column socket timeout upload
  download invoice customer order search ranking vector window tray menu shortcut folder watcher`.split(/\s+/)
const phrase = (n) => Array.from({ length: n }, () => pick(words)).join(' ')
const file = () => `src/${pick(words)}/${pick(words)}-${pick(words)}.ts`

// What a coding session holds, by rough share: mostly steps, some prose.
const item = (n) => {
  const roll = random()
  if (roll < 0.4) {
    const path = file()
    const op = pick(['read', 'edit'])
    return {
      kind: 'file_op',
      text: op === 'read' ? `Read ${path}` : `Edit ${path}\n-${phrase(20)}\n+${phrase(25)}`,
      data: { path, op },
    }
  }
  if (roll < 0.7) {
    const command = `npm run ${pick(words)} -- ${n}`
    return { kind: 'command', text: `$ ${command}\n${phrase(20)}`, data: { command, failed: false } }
  }
  if (roll < 0.8) return { kind: 'goal', text: `Please fix the ${phrase(9)} in ${file()}.`, data: {} }
  if (roll < 0.9)
    return { kind: 'note', text: `The ${phrase(12)}. We use ${phrase(5)} instead of ${phrase(3)}.`, data: {} }
  return { kind: 'conclusion', text: `Fixed the ${phrase(14)}. ${phrase(40)}. All tests pass now.`, data: {} }
}

function database(name) {
  const db = store.openWrite(join(folder, `${name}.db`))
  store.migrate(db)
  db.run(
    "INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES ('generic:s', 's', 'generic', 0, 0)",
  )
  return db
}

function insert(db, n, { kind, text, data }, queued = true) {
  const handle = `itm_${String(n)
    .padStart(26, 'a')
    .replace(/\d/g, (d) => 'bcdefghijk'[d])}`
  db.run(
    `INSERT INTO items (id, handle, kind, session_id, position, ts, text, chars, data, file_path, line, byte_offset,
       byte_length, record_hash) VALUES (?, ?, ?, 'generic:s', ?, ?, ?, ?, ?, '/b.jsonl', ?, 0, 1, 'h')`,
    [n, handle, kind, n, n, text, text.length, JSON.stringify(data), n],
  )
  if (!queued) return
  db.run('INSERT INTO embed_queue (item_id) VALUES (?)', [n])
  db.run('INSERT INTO curate_queue (subject) VALUES (?)', [handle])
}

const round = (value, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits
const rss = () => Math.round(process.memoryUsage().rss / 1e6)
const percentiles = (times) => {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))], 2)
  return { p50: at(0.5), p95: at(0.95), max: round(sorted.at(-1), 2) }
}
const perSecond = async (count, work) => {
  const started = performance.now()
  await work()
  return round(count / ((performance.now() - started) / 1000), 0)
}

async function modelAlone(embedder) {
  const texts = (length) =>
    Array.from({ length: Math.max(20, Math.round(size / length)) }, (_, n) => `${phrase(length)} ${n}`)
  const short = texts(8)
  const medium = texts(40)
  const long = texts(160)
  const questions = []
  for (let n = 0; n < 60; n++) {
    const started = performance.now()
    await embedder.embed([`How did we fix the ${phrase(5)} ${n}?`])
    questions.push(performance.now() - started)
  }
  return {
    shortTextsPerSecond: await perSecond(short.length, () => embedder.embedLater(short)),
    mediumTextsPerSecond: await perSecond(medium.length, () => embedder.embedLater(medium)),
    longTextsPerSecond: await perSecond(long.length, () => embedder.embedLater(long)),
    questionMs: percentiles(questions),
  }
}

async function wholeLoop(embedder, items) {
  const db = database(`loop-${items}`)
  db.transaction(() => {
    for (let n = 1; n <= items; n++) insert(db, n, item(n))
    curator.updateArcs(db, ['generic:s'])
  })
  let started = performance.now()
  let subjects = 0
  for (let done = curator.curate(db, { now: 1 }); done > 0; done = curator.curate(db, { now: 1 }))
    subjects += done
  const curateMs = performance.now() - started
  const questions = []
  let running = true
  const asking = (async () => {
    while (running) {
      const asked = performance.now()
      await embedder.embed([`Where is the ${phrase(4)} ${asked}?`])
      questions.push(performance.now() - asked)
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  const loop = new IndexLoop({
    db,
    embedder,
    clock: Date.now,
    curate: () => curator.curate(db, { now: 1 }),
    onProgress: () => {},
    onFailure: (error) => console.error(error),
  })
  started = performance.now()
  await loop.idle()
  const ms = performance.now() - started
  running = false
  await asking
  const vectors = store.vectorSql.countVectors(db)
  const text = db.get('SELECT sum(length(text)) AS n FROM items').n
  const rungs = db.get('SELECT sum(length(text)) AS n FROM rungs').n
  db.close()
  return {
    items,
    vectors,
    itemsPerSecond: round(items / (ms / 1000), 0),
    vectorsPerSecond: round(vectors / (ms / 1000), 0),
    rungSubjectsPerSecond: round(subjects / (curateMs / 1000), 0),
    rungTextShare: round(rungs / text, 2),
    questionDuringBacklogMs: percentiles(questions),
    rssMB: rss(),
  }
}

function randomVector() {
  const vector = new Float32Array(384)
  let squares = 0
  for (let i = 0; i < 384; i++) {
    vector[i] = random() + random() - 1
    squares += vector[i] ** 2
  }
  return vector.map((value) => value / Math.sqrt(squares))
}

/** Vectors in clusters, as texts are; all independent they would have no neighbours to find. */
function searchAt(codes) {
  const db = database(`search-${codes}`)
  const centres = Array.from({ length: 200 }, randomVector)
  const near = (centre, share) => {
    const noise = randomVector()
    const mixed = centre.map((value, i) => value * (1 - share) + noise[i] * share)
    const length = Math.hypot(...mixed)
    return mixed.map((value) => value / length)
  }
  db.transaction(() => {
    for (let n = 1; n <= codes; n++) {
      insert(db, n, { kind: 'note', text: 'x', data: {} }, false)
      store.vectorSql.putVector(db, {
        itemId: n,
        unit: 'item',
        model: 'bench',
        vector: near(pick(centres), 0.5),
        provenance: [],
        labels: [],
      })
    }
  })
  const times = []
  const exactTimes = []
  let found = 0
  for (let n = 0; n < 30; n++) {
    const query = near(pick(centres), 0.4)
    let started = performance.now()
    const hits = store.vectorSql.nearest(db, query, { k: 20 })
    times.push(performance.now() - started)
    if (n >= 5) continue
    started = performance.now()
    const exact = db.all('SELECT item_id FROM vectors ORDER BY vec_distance_cosine(embedding, ?) LIMIT 20', [
      Buffer.from(query.buffer),
    ])
    exactTimes.push(performance.now() - started)
    const wanted = new Set(exact.map((row) => row.item_id))
    found += hits.filter((hit) => wanted.has(hit.itemId)).length
  }
  db.close()
  return {
    codes,
    ms: percentiles(times),
    exactScanMs: percentiles(exactTimes),
    recallAt20: round(found / 100, 3),
  }
}

try {
  const before = rss()
  const started = performance.now()
  const embedder = models.createEmbedder({ modelsDir, threads: Math.max(1, Math.min(4, cpus().length - 1)) })
  const status = await embedder.loaded()
  const loadMs = performance.now() - started
  if (status.state !== 'ready') throw new Error(status.reason ?? 'no model')
  await embedder.embed(['warm up'])
  const alone = await modelAlone(embedder)
  const loops = []
  for (const share of [0.25, 0.5, 1]) loops.push(await wholeLoop(embedder, Math.round(size * share)))
  await embedder.close()
  const searches = [10_000, 50_000, 100_000].map(searchAt)
  const [first, , last] = loops
  console.log(
    JSON.stringify({
      bench: 'embed',
      model: status.model,
      loadMs: round(loadMs),
      modelRssMB: rss() - before,
      ...alone,
      loops,
      /** Time of the largest over the smallest, for each item; 1 is linear. */
      loopGrowth: round(first.itemsPerSecond / last.itemsPerSecond, 2),
      searches,
      machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryGB: Math.round(totalmem() / 2 ** 30) },
      node: process.version,
      commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    }),
  )
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
