// npm run bench -- recall-code --data PATH [--questions FILE] [--plane NAME] [--without TERM,…] [--with TERM=WEIGHT,…]
//   [--home DIR] [--in-project]
// Questions about real coding transcripts with known answers (bench/labels/recall-code.json, or those of FILE:
// bench/labels/recall-code-blind.json is a set nothing was tuned on). PATH holds the transcripts. An answer is found
// when one of its items stands in the frame and what is shown of it says what was asked for; a skeleton that does not
// say it is no answer. The whole frame is charged ceil(length / 4). The baselines show an item's first 250 and last
// 150 characters, and are charged for those. --without sets weights of the plane to nothing, to see what each is
// worth. --in-project asks each question in the project its first answer stands in; the baselines know no projects.
// --home keeps the ingested data folder, and the baselines' vectors in it. Each question belongs to one of two halves by
// the hash of its id: A to tune on, B to see whether it holds elsewhere.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmbedder, createEngine, openRead, unpackText } from '../out/main/library.js'
import { ablatedPlane } from './lib/ablate.mjs'
import { baselines } from './lib/baselines.mjs'
import { keptVectors } from './lib/kept-vectors.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    questions: { type: 'string' },
    plane: { type: 'string', default: 'execution' },
    without: { type: 'string' },
    with: { type: 'string' },
    home: { type: 'string' },
    'in-project': { type: 'boolean', default: false },
  },
})
if (!values.data?.every((path) => existsSync(path))) {
  console.error(
    'bench recall-code: --data PATH names the folder with the transcripts (again for another one).',
  )
  process.exit(2)
}
const BUDGETS = [500, 1000, 2000]
const root = resolve(import.meta.dirname, '..')
const labels = values.questions ? resolve(values.questions) : join(root, 'bench/labels/recall-code.json')
if (!existsSync(labels)) {
  console.error(`bench recall-code: no questions at ${labels}.`)
  process.exit(2)
}
const resources = join(root, 'resources')
const home = values.home ? resolve(values.home) : mkdtempSync(join(tmpdir(), 'fovea-recall-code-'))
mkdirSync(home, { recursive: true })
const { questions } = JSON.parse(readFileSync(labels, 'utf8'))
const sums = new Map()
const times = []
const embedder = createEmbedder({ modelsDir: join(resources, 'models'), threads: 1 })
const engine = createEngine({ home, resources, watch: false, version: 'bench' })
try {
  await engine.call('ingest.run', { paths: values.data.map((path) => resolve(path)), embed: true })
  const units = unitsOf(home)
  const known = new Map(units.map((unit) => [unit.handle, unit]))
  const projectOf = ({ answers }) =>
    values['in-project'] ? known.get(answers[0].any.find((handle) => known.has(handle))).project : null
  const missing = questions.filter((one) =>
    one.answers.some(({ any }) => !any.some((handle) => known.has(handle))),
  )
  const asked = questions.filter((one) => !missing.includes(one))
  const plane = await ablatedPlane(engine, values.plane, values.without, values.with)
  const embed = keptVectors(join(home, 'baseline-vectors.bin'), (texts) => embedder.embed(texts))
  const rank = await baselines(units, embed)
  for (const question of asked) await ask(question, plane, rank, projectOf(question))
  report(units.length, asked, missing)
} finally {
  await engine.close()
  await embedder.close()
  if (!values.home) rmSync(home, { recursive: true, force: true })
}

/** The half a question belongs to, the same for ever. */
function halfOf(id) {
  return createHash('sha256').update(id).digest()[0] & 1 ? 'B' : 'A'
}

async function ask({ id, type, question, answers }, plane, rank, project) {
  const keys = [type, `half ${halfOf(id)}`]
  const rankings = await rank(question)
  for (const budget of BUDGETS) {
    const start = performance.now()
    const { frame, receipt } = await engine.call('hydrate.run', {
      goal: question,
      plane,
      budget,
      tokenizer: 'chars4',
      ...(project === null ? {} : { project }),
    })
    times.push(performance.now() - start)
    if (Math.ceil(frame.length / 4) > budget) throw new Error('a frame is over its budget')
    const shown = new Map(receipt.facts.map((fact) => [fact.handle, fact]))
    add(
      keys,
      budget,
      'fovea',
      shareFound(answers, (handle) => shown.get(handle)),
    )
    for (const [name, list] of Object.entries(rankings)) {
      const packed = pack(list, budget)
      add(
        keys,
        budget,
        name,
        shareFound(answers, (handle) => packed.get(handle)),
      )
    }
  }
}

/** The share of the answers that are found. */
function shareFound(answers, factOf) {
  const found = answers.filter(({ any, shows }) =>
    any.some((handle) => {
      const fact = factOf(handle)
      if (!fact) return false
      if (shows.length === 0) return fact.level !== 'L3'
      const text = fact.text.toLowerCase()
      return shows.some((word) => text.includes(word.toLowerCase()))
    }),
  )
  return found.length / answers.length
}

function pack(list, budget) {
  const chosen = new Map()
  let spent = 0
  for (const unit of list) {
    const text = unit.text.length <= 400 ? unit.text : `${unit.text.slice(0, 250)} … ${unit.text.slice(-150)}`
    const cost = Math.ceil(`[${unit.date}] ${unit.name}: ${text}`.length / 4)
    if (spent + cost > budget) continue
    spent += cost
    chosen.set(unit.handle, { text, level: 'L0' })
  }
  return chosen
}

function unitsOf(folder) {
  const db = openRead(join(folder, 'fovea.db'))
  try {
    return db
      .all(
        'SELECT handle, kind, session_id AS session, project, ts, text, text_z FROM items ORDER BY session_id, position',
      )
      .map((row) => ({
        handle: row.handle,
        session: row.session,
        name: row.kind,
        project: row.project,
        date: new Date(row.ts).toDateString(),
        text: unpackText(row),
      }))
  } finally {
    db.close()
  }
}

function add(keys, budget, method, share) {
  for (const key of [...keys, 'all'].map((one) => `${method} ${budget} ${one}`)) {
    const sum = sums.get(key) ?? { n: 0, found: 0 }
    sums.set(key, { n: sum.n + 1, found: sum.found + share })
  }
}

function report(items, asked, missing) {
  const types = [...new Set(asked.map((one) => one.type)), 'half A', 'half B', 'all']
  const percent = (key) => {
    const sum = sums.get(key)
    return sum ? Math.round((1000 * sum.found) / sum.n) / 10 : null
  }
  const table = (method) =>
    Object.fromEntries(
      BUDGETS.map((budget) => [
        budget,
        Object.fromEntries(types.map((type) => [type, percent(`${method} ${budget} ${type}`)])),
      ]),
    )
  const methods = ['fovea', 'bm25', 'dense', 'rrf', 'weighted']
  const result = {
    bench: 'recall-code',
    ...machine(),
    items,
    labels: basename(labels),
    questions: asked.length,
    notInTheseTranscripts: missing.map((one) => one.id),
    plane: values.plane,
    without: values.without ?? null,
    with: values.with ?? null,
    inProject: values['in-project'],
    answersPercent: Object.fromEntries(methods.map((method) => [method, table(method)])),
    hydrateMs: { p50: round(median(times)), p95: round(quantile(times, 0.95)) },
  }
  console.log(JSON.stringify(result, null, 2))
}

function round(value) {
  return Math.round(value * 10) / 10
}
