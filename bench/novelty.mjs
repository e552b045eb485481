// npm run bench -- novelty [--models DIR] [--wrong]
// Two hundred planted pairs (bench/lib/pairs.mjs): which repetitions are found and linked to the right first item, and
// which different texts are taken for one. Beside it the baseline: equal texts, and cosine alone at the same threshold.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { insertItems } from './lib/insert.mjs'
import { pairs } from './lib/pairs.mjs'
import { machine } from './lib/report.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { models: { type: 'string' }, wrong: { type: 'boolean' } } })
const modelsDir = resolve(values.models ?? process.env.FOVEA_MODELS ?? join(root, 'resources/models'))
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
const curator = await load('curator/index.ts')
const models = await load('models/index.ts')
const { embedStep } = await load('workers/index/embed-step.ts')
const folder = mkdtempSync(join(tmpdir(), 'fovea-novelty-'))
const embedder = models.createEmbedder({ modelsDir, threads: 1 })
const status = await embedder.loaded()

try {
  const db = store.openWrite(join(folder, 'fovea.db'))
  store.migrate(db)
  const planted = pairs()
  // Each pair stands in a session of its own name space, firsts before seconds, so that any link can be wrong.
  const rows = [
    ...planted.map(({ a }, n) => ({ name: `a${n}`, session: `s${n % 10}`, text: a })),
    ...planted.map(({ b }, n) => ({ name: `b${n}`, session: `t${n % 10}`, text: b })),
  ].map((row, position) => ({
    ...row,
    kind: 'note',
    position,
    ts: 1.7e12 + position * 60_000,
    project: 'bench',
  }))
  const ids = insertItems(store, db, rows)
  const curated = timed(() => {
    while (curator.curate(db, { now: 1 }) > 0);
  })
  const textual = links(db, ids)
  let paraphrased = null
  if (status.state === 'ready') {
    while ((await embedStep(db, embedder, status.model)) > 0);
    const ms = timed(() => {
      while (curator.meetNeighbours(db) > 0);
    })
    paraphrased = { links: links(db, ids), msPerItem: round(ms / rows.length) }
  }
  console.log(JSON.stringify(report(db, ids, planted, textual, paraphrased, curated / rows.length), null, 2))
  db.close()
} finally {
  await embedder.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Of each item by name: the name it is linked to, and how. */
function links(db, ids) {
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const found = new Map()
  for (const [id, repeat] of store.noveltySql.repeatsOf(db, [...ids.values()]))
    found.set(names.get(id), { first: names.get(repeat.firstId), ...repeat })
  return found
}

function report(db, ids, planted, textual, paraphrased, msPerItem) {
  return {
    bench: 'novelty',
    ...machine(),
    model: status.model,
    pairs: planted.length,
    near: judge(planted, textual, ['near']),
    all: paraphrased && judge(planted, paraphrased.links, ['near', 'paraphrase']),
    paraphrases: paraphrased && judge(planted, paraphrased.links, ['paraphrase']),
    baseline: {
      equalText: judge(planted, equal(planted), ['near']),
      cosineAlone: paraphrased && judge(planted, cosineAlone(db, ids, planted), ['near', 'paraphrase']),
    },
    msPerItem: { textual: round(msPerItem), neighbours: paraphrased?.msPerItem },
  }
}

/**
 * Recall: of the pairs of these kinds, how many seconds are linked to their first. Precision: of all links of any
 * second, how many join a pair that says the same (whichever of the two ways).
 */
function judge(planted, found, kinds) {
  const wanted = planted.flatMap((pair, n) => (kinds.includes(pair.kind) ? [n] : []))
  const hit = wanted.filter((n) => found.get(`b${n}`)?.first === `a${n}`)
  const all = [...found].map(([name, { first }]) => ({
    name,
    first,
    right:
      name.startsWith('b') && first === `a${name.slice(1)}` && planted[name.slice(1)].kind !== 'different',
  }))
  const missed = wanted.filter((n) => !hit.includes(n))
  return {
    precision: all.length === 0 ? null : round(all.filter((link) => link.right).length / all.length),
    recall: round(hit.length / wanted.length),
    links: all.length,
    pairs: wanted.length,
    missedBy: count(missed.map((n) => planted[n].how)),
    wrongBy: count(
      all
        .filter((l) => !l.right)
        .map((l) =>
          l.name.startsWith('b') && l.first === `a${l.name.slice(1)}`
            ? planted[l.name.slice(1)].how
            : 'another pair',
        ),
    ),
    ...(values.wrong
      ? {
          wrong: all
            .filter((l) => !l.right)
            .slice(0, 12)
            .map((l) => [text(planted, l.first), text(planted, l.name)]),
          missed: missed.slice(0, 8).map((n) => [planted[n].a, planted[n].b]),
        }
      : {}),
  }
}

function text(planted, name) {
  return planted[name.slice(1)][name[0]]
}

function equal(planted) {
  return new Map(planted.flatMap(({ a, b }, n) => (a === b ? [[`b${n}`, { first: `a${n}` }]] : [])))
}

/** The nearest first by cosine, when it is at least 0.82. */
function cosineAlone(db, ids, planted) {
  const vectors = store.vectorSql.vectorsOf(db, [...ids.values()])
  const found = new Map()
  planted.forEach((_, n) => {
    const own = vectors.get(ids.get(`b${n}`))
    const best = planted
      .map((_, m) => ({ first: `a${m}`, cosine: store.vectorSql.cosine(own, vectors.get(ids.get(`a${m}`))) }))
      .sort((x, y) => y.cosine - x.cosine)[0]
    if (best.cosine >= 0.82) found.set(`b${n}`, best)
  })
  return found
}

function count(list) {
  return Object.fromEntries([...Map.groupBy(list, (one) => one)].map(([name, all]) => [name, all.length]))
}

function timed(work) {
  const from = performance.now()
  work()
  return performance.now() - from
}

function round(value) {
  return Math.round(value * 1000) / 1000
}
