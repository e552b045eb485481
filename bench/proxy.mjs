// How well the case engine foresees a person. Two parts: the gates of real transcripts, each predicted from the ones
// before it, and simulated reviewers with planted rules. Each by embeddings and by words only, with each part of
// memory switched off in turn, beside the base rate and a rubber stamp. Prints one JSON object.
//   npm run bench -- proxy [--data FOLDER] [--size N] [--seed N]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: resolve(root, '../shared/data/transcripts/claude-code') },
    size: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
  },
})
const library = await import(join(root, 'out/main/library.js'))
const { chooseSpace, createEmbedder, DEFAULT_OPTIONS, lexicalSpace, replay, simulate, summarise } = library

const ABLATIONS = {
  full: {},
  withoutActivation: { activation: false },
  withoutSalience: { salience: false },
  withoutAttentionMap: { attention: false },
}

const embedder = createEmbedder({ modelsDir: join(root, 'resources/models'), threads: 2 })
await embedder.loaded()
const spaces = [lexicalSpace('measured on purpose'), await chooseSpace(embedder)].filter(
  (space, index) => index === 0 || space.semantic,
)
const result = {
  bench: 'proxy',
  machine: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
  },
  commit: commit(),
  paths: spaces.map(({ name }) => name),
  transcripts: await realGates(values.data),
  simulated: await simulatedReviewers(Number(values.size), Number(values.seed)),
  prediction: await timings([100, 300, 1000]),
}
await embedder.close()
console.log(JSON.stringify(result, null, 2))

/** Imports the gates of a folder through the real engine, then replays them in the order of their decisions. */
async function realGates(folder) {
  if (!existsSync(folder)) return { skipped: `${folder} is not there; name another with --data` }
  const home = mkdtempSync(join(tmpdir(), 'fovea-bench-'))
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const engine = library.createEngine({ home, resources: join(root, 'resources'), watch: false, version })
    await engine.call('ingest.run', { paths: [folder], embed: false })
    const report = await engine.call('gates.import', {})
    const dbPath = engine.places.db
    await engine.close()
    const db = library.openRead(dbPath)
    const gates = library.pastGates(db)
    db.close()
    const { gates: lines, ...counts } = report
    return { ...counts, truth: truth(folder, lines), replay: await compare(gates) }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** How many decisions agree with the list read by hand, where there is one beside the folder. */
function truth(folder, lines) {
  const file = resolve(dirname(folder), '../gates.json')
  if (!existsSync(file)) return null
  const known = JSON.parse(readFileSync(file, 'utf8'))
  const agree = known.filter(({ file: name, line, decision }) =>
    lines.some(
      ({ pointer, outcome }) => pointer.file.endsWith(name) && pointer.line === line && outcome === decision,
    ),
  )
  return { known: known.length, agree: agree.length }
}

async function compare(gates) {
  const figures = {}
  for (const space of spaces) {
    figures[space.name] = {}
    for (const [name, off] of Object.entries(ABLATIONS)) {
      const { steps } = await replay(gates, space, { ...DEFAULT_OPTIONS, ...off })
      figures[space.name][name] = rounded(summarise(steps))
    }
  }
  return figures
}

async function simulatedReviewers(size, seed) {
  const figures = {}
  for (const reviewer of library.REVIEWERS) {
    const gates = simulate(reviewer, size, seed)
    const { steps, experience } = await replay(gates, spaces[0])
    const map = experience.attention.get('PLAN_ASSERT')
    const lines = map ? library.attentionLines(map) : []
    figures[reviewer] = {
      ...rounded(summarise(steps)),
      secondHalf: rounded(summarise(steps.slice(Math.floor(size / 2)))),
      looksFor: lines.filter(({ listed }) => listed).map(({ phrase }) => phrase),
      ignores: lines.filter(({ ignored }) => ignored).map(({ phrase }) => phrase),
      ablations: Object.fromEntries(
        await Promise.all(
          Object.entries(ABLATIONS).map(async ([name, off]) => {
            const other = await replay(gates, spaces[0], { ...DEFAULT_OPTIONS, ...off })
            const { accuracy, brier } = rounded(summarise(other.steps)).posterior
            return [name, { accuracy, brier }]
          }),
        ),
      ),
    }
  }
  return figures
}

/** Milliseconds of both passes over one plan, vectors included, at several sizes of memory. */
async function timings(sizes) {
  const rows = []
  for (const size of sizes) {
    const gates = simulate('tests-always', size + 20, 7)
    for (const space of spaces) {
      const { experience } = await replay(gates.slice(0, size), spaces[0])
      // Memory of the lexical replay carried into the other space only matters for what it costs.
      const times = []
      for (const gate of gates.slice(size)) {
        const started = performance.now()
        const { context, inspection } = await library.prepare(gate, experience, space)
        library.predictCase(context, inspection)
        times.push(performance.now() - started)
      }
      times.sort((a, b) => a - b)
      const at = (share) => Number(times[Math.floor(share * (times.length - 1))]?.toFixed(2))
      rows.push({ remembered: size, path: space.name, p50Ms: at(0.5), p95Ms: at(0.95) })
    }
  }
  return rows
}

function rounded(value) {
  return JSON.parse(
    JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toFixed(4)) : one)),
  )
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}
