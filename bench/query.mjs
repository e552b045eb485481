// npm run bench -- query [--size N]
// Questions in Prolog at three sizes of journal: how long each takes (median of five, warm), and the memory of the
// engine after those that name something and after one that goes through every item. As a baseline in the same run
// every item is copied into the engine as a term, which is what lazy pages avoid. Times of the questions do not
// include the start of the engine, which is given apart.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, findByWords, LogicEngine, logicHost, openRead } from '../out/main/library.js'
import { fillJournal } from './lib/fill.mjs'
import { machine, median } from './lib/report.mjs'

const { values: options } = parseArgs({
  options: { size: { type: 'string', default: '100000' }, only: { type: 'string' } },
})
const largest = Number(options.size)

/** FILE is the path that the fewest items name. */
const SELECTIVE = {
  itemsOfAPath: "names(H, path, 'FILE'), item(H, K, S, P, T), relation(H, for, G), goal(G, Text, _)",
  twoHops: "names(H, path, 'FILE'), relation(H, in, A), relation(H2, in, A), names(H2, path, F)",
  byWordsInARule:
    'near(H, G) :- words("faster invoice parser", 50, H, _), relation(H, for, G). ?- near(H, G).',
  goalsWithoutAPath: "item(G, goal, _, billing, _), \\+ (relation(I, for, G), names(I, path, 'FILE'))",
}
const SCANS = {
  countItems: 'aggregate_all(count, item(_, _, _, _, _), N)',
  countGoals: 'aggregate_all(count, item(_, goal, _, _, _), N)',
}
const COPY = 'copied(N) :- findall(i(H, K, S, P, T), item(H, K, S, P, T), L), length(L, N). ?- copied(N).'

const mb = (bytes) => Math.round(bytes / 2 ** 20)
// A thread holds one engine, so each size has a process of its own.
if (options.only) console.log(JSON.stringify(await measure(Number(options.only))))
else {
  const sizes = [largest / 100, largest / 10, largest].map(Math.round)
  const rows = sizes.map((size) =>
    JSON.parse(execFileSync(process.execPath, [import.meta.filename, '--only', `${size}`])),
  )
  console.log(JSON.stringify({ bench: 'query', ...machine(), rows }, null, 2))
}

async function measure(size) {
  const home = mkdtempSync(join(tmpdir(), 'fovea-bench-'))
  try {
    const { items } = await fillJournal(home, size)
    await curated(home)
    return { items, ...(await ask(join(home, 'fovea.db'))) }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Arcs, rungs and facts, without vectors: they would take an hour. */
async function curated(home) {
  const engine = createEngine({ home, resources: join(home, 'nothing'), watch: false, version: 'bench' })
  let before = -1
  for (;;) {
    await engine.call('index.status', {})
    const { rungs } = await engine.call('stats.get', {})
    if (rungs.L3 === before && before > 0) break
    before = rungs.L3
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await engine.close()
}

async function ask(file) {
  const read = openRead(file)
  const rare = read.get(
    `SELECT name FROM entities JOIN item_entities ON entity_id = entities.id WHERE kind = 'path'
     GROUP BY name ORDER BY count(*), name LIMIT 1`,
  ).name
  const from = performance.now()
  const host = logicHost({
    read,
    embedNow: () => ({ reason: 'no model here.' }),
    findWords: (text, k) => findByWords(read, text, k),
  })
  const engine = await LogicEngine.start(host)
  engine.ask('true', 1)
  const startMs = Math.round(performance.now() - from)
  const startMb = mb(engine.heapBytes())
  const selective = timed(engine, SELECTIVE, rare)
  const selectiveMb = mb(engine.heapBytes())
  const scans = timed(engine, SCANS, rare)
  const scansMb = mb(engine.heapBytes())
  const copy = timed(engine, { copyEveryItem: COPY }, rare, 1)
  const heapMb = {
    start: startMb,
    selective: selectiveMb,
    scans: scansMb,
    everyItemCopied: mb(engine.heapBytes()),
  }
  read.close()
  return {
    startMs,
    ms: { ...selective.ms, ...scans.ms, ...copy.ms },
    answers: { ...selective.answers, ...scans.answers },
    heapMb,
  }
}

function timed(engine, questions, rare, times = 5) {
  const ms = {}
  const answers = {}
  for (const [name, text] of Object.entries(questions)) {
    const goal = text.replaceAll('FILE', rare)
    const taken = []
    for (let n = 0; n < times; n++) {
      const from = performance.now()
      try {
        const result = engine.ask(goal, 100)
        answers[name] = result.answers[0]?.N ?? result.answers.length
      } catch (error) {
        answers[name] = error.message
      }
      taken.push(performance.now() - from)
    }
    ms[name] = Math.round(median(taken) * 10) / 10
  }
  return { ms, answers }
}
