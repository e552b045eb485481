// npm run bench -- curate [--size N]
// What the curator makes of a journal at three sizes (N/16, N/4, N; 16,000 by default), extractive: arcs, rungs, facts
// and textual repeats first, then neighbours, cells and rollups. Vectors are made up (near their session's topic), so
// that the model's time is not in these figures; the longest single step is what a question may have to wait for, in
// milliseconds of the clock and of the processor (on a busy machine the first says little).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { insertItems } from './lib/insert.mjs'
import { corpus } from './lib/items.mjs'
import { machine, quantile } from './lib/report.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { size: { type: 'string' } } })
const largest = Math.max(160, Number(values.size ?? 16_000))
const server = await createServer({
  configFile: false,
  root,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
})
const store = await server.ssrLoadModule('/src/main/store/index.ts')
const curator = await server.ssrLoadModule('/src/main/curator/index.ts')
const folder = mkdtempSync(join(tmpdir(), 'fovea-curate-'))
try {
  const bySize = [largest / 16, largest / 4, largest].map((size) => measure(Math.ceil(size)))
  const [small, , large] = bySize
  console.log(
    JSON.stringify(
      {
        bench: 'curate',
        ...machine(),
        method: 'extractive',
        bySize,
        growth: {
          items: round(large.items / small.items),
          rungsPerItem: round(small.rungs.itemsPerCpuSecond / large.rungs.itemsPerCpuSecond),
          neighboursPerItem: round(small.neighbours.itemsPerCpuSecond / large.neighbours.itemsPerCpuSecond),
        },
      },
      null,
      2,
    ),
  )
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

function measure(size) {
  const db = store.openWrite(join(folder, `${size}.db`))
  store.migrate(db)
  const sessions = fill(db, size)
  const arcs = timed(() => db.transaction(() => curator.updateArcs(db, sessions)))
  const rungs = steps(size, () => curator.curate(db, { now: 1 }))
  vectors(db)
  const tend = steps(size, () => curator.tendNeighbourhoods(db, { now: 1, version: 1 }))
  const made = {
    items: size,
    arcsMs: round(arcs),
    rungs,
    neighbours: tend,
    cells: store.cellSql.countCells(db),
    rollups: store.rollupSql.countRollups(db),
    repeats: store.noveltySql.countRepeats(db),
    rssMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
  db.close()
  return made
}

/** Works until nothing is left; one step is one transaction. */
function steps(size, step) {
  const times = []
  const cpu = []
  for (;;) {
    const from = performance.now()
    const before = process.cpuUsage()
    const done = step()
    if (done === 0) break
    const { user, system } = process.cpuUsage(before)
    times.push(performance.now() - from)
    cpu.push((user + system) / 1000)
  }
  const ms = times.reduce((sum, one) => sum + one, 0)
  return {
    itemsPerSecond: Math.round((size / ms) * 1000),
    itemsPerCpuSecond: Math.round((size / cpu.reduce((sum, one) => sum + one, 0)) * 1000),
    stepP50: round(quantile(times, 0.5)),
    stepP99: round(quantile(times, 0.99)),
    stepMax: round(Math.max(...times)),
    cpuStepP99: round(quantile(cpu, 0.99)),
    cpuStepMax: round(Math.max(...cpu)),
  }
}

function fill(db, size) {
  const rows = []
  const sessions = new Set()
  for (const item of corpus(size)) {
    const session = item.session.replace('generic:', '')
    sessions.add(item.session)
    rows.push({ ...item, name: String(rows.length), session, goal: null })
  }
  for (let from = 0; from < rows.length; from += 2_000) insertItems(store, db, rows.slice(from, from + 2_000))
  db.run(`INSERT OR IGNORE INTO names (name) SELECT handle FROM items WHERE kind = 'goal'`)
  db.run(
    `UPDATE item_rows SET goal = (SELECT names.n FROM item_rows AS g JOIN names ON name = g.handle
       WHERE g.session = item_rows.session AND g.kind = 'goal' AND g.position <= item_rows.position
       ORDER BY g.position DESC LIMIT 1)`,
  )
  return [...sessions]
}

function vectors(db) {
  const random = seeded(11)
  const around = new Map()
  const rows = db.all('SELECT id, session_id AS session FROM items')
  db.transaction(() => {
    for (const { id, session } of rows) {
      if (!around.has(session))
        around.set(
          session,
          Array.from({ length: 384 }, () => random() - 0.5),
        )
      const vector = unit(around.get(session).map((value) => value + (random() - 0.5) * 1.2))
      store.vectorSql.putVector(db, {
        itemId: id,
        unit: 'item',
        model: 'bench',
        vector,
        provenance: [],
        labels: [],
      })
    }
  })
}

function unit(list) {
  const length = Math.hypot(...list)
  return Float32Array.from(list, (value) => value / length)
}

function timed(work) {
  const from = performance.now()
  work()
  return performance.now() - from
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
