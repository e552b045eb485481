// npm run bench -- facts --data PATH
// Of the facts that rules tell of real transcripts, by predicate: how many of those a reader labelled
// (bench/labels/facts.json) are right. `before` counts all that were labelled, `precision` those the rules still tell,
// `kept` is the share of the right ones among them. PATH holds the transcripts.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, openRead } from '../out/main/library.js'
import { machine } from './lib/report.mjs'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) {
  console.error('Give the folder of transcripts: npm run bench -- facts --data PATH')
  process.exit(2)
}
const labels = JSON.parse(readFileSync(join(import.meta.dirname, 'labels', 'facts.json'), 'utf8')).facts
const home = mkdtempSync(join(tmpdir(), 'fovea-facts-'))
try {
  const told = await factsToldIn(values.data)
  const predicates = [...new Set(labels.map((label) => label.predicate))].sort()
  const score = (of, predicate) => {
    const all = labels.filter((one) => one.predicate === predicate && (of === null || one.of === of))
    const still = all.filter((one) => told.has(`${one.handle} ${one.predicate} ${one.key}`))
    const right = (list) => list.filter((one) => one.right).length
    return {
      labelled: all.length,
      before: share(right(all), all.length),
      precision: share(right(still), still.length),
      kept: share(right(still), right(all)),
    }
  }
  const result = {
    bench: 'facts',
    ...machine(),
    facts: told.size,
    predicates: Object.fromEntries(predicates.map((one) => [one, score(null, one)])),
    decidedFirst: score('first', 'decided'),
    decidedSecond: score('second', 'decided'),
  }
  console.log(JSON.stringify(result, null, 2))
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function factsToldIn(path) {
  const resources = join(import.meta.dirname, '..', 'resources')
  const engine = createEngine({ home, resources, watch: false, version: 'bench' })
  try {
    await engine.call('ingest.run', { paths: [path], embed: false })
    await engine.call('curate.run', { untilIdle: false })
  } finally {
    await engine.close()
  }
  const db = openRead(join(home, 'fovea.db'))
  const rows = db.all('SELECT handle, predicate, subject, object FROM facts')
  db.close()
  return new Set(rows.map((row) => `${row.handle} ${row.predicate} ${keyOf(row)}`))
}

function keyOf({ subject, object }) {
  return createHash('sha256').update(`${subject}\n${object}`).digest('hex').slice(0, 16)
}

function share(part, whole) {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000
}
