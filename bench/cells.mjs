// npm run bench -- cells --data PATH [--home DIR]
// Whether what stands in one cell is about one thing. PATH holds the transcripts bench/labels/cells.json was made from:
// items with the topic a reader gave them, without knowing the cells. `pairs` is the share of pairs within one group
// that are of one topic; `purity` the share of items whose topic is the commonest of their group (it is high by itself
// where groups are small); `together` the share of pairs of one topic that one group holds. Beside the cells: the same
// with cells dealt out anew within each project, and with sessions and arcs for groups. --home keeps the data folder.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, openRead } from '../out/main/library.js'
import { machine, median } from './lib/report.mjs'

const { values } = parseArgs({
  options: { data: { type: 'string', multiple: true }, home: { type: 'string' } },
})
if (!values.data?.every((path) => existsSync(path))) {
  console.error('bench cells: --data PATH names the folder with the transcripts (again for another one).')
  process.exit(2)
}
const DEALS = 50
const labels = JSON.parse(readFileSync(join(import.meta.dirname, 'labels/cells.json'), 'utf8')).items
const home = values.home ? resolve(values.home) : mkdtempSync(join(tmpdir(), 'fovea-cells-'))
mkdirSync(home, { recursive: true })
try {
  await fill()
  report()
} finally {
  if (!values.home) rmSync(home, { recursive: true, force: true })
}

async function fill() {
  const resources = join(import.meta.dirname, '..', 'resources')
  const engine = createEngine({ home, resources, watch: false, version: 'bench' })
  try {
    await engine.call('ingest.run', { paths: values.data.map((path) => resolve(path)), embed: true })
    await engine.call('curate.run', { untilIdle: true })
  } finally {
    await engine.close()
  }
}

function report() {
  const db = openRead(join(home, 'fovea.db'))
  const placed = labels.flatMap(({ handle, topic }) => {
    const row = db.get(
      `SELECT i.session_id AS session, i.arc_id AS arc, coalesce(i.project, '') AS project,
         (SELECT m.cell_id FROM cell_items AS m JOIN cells AS c ON c.id = m.cell_id AND c.items >= 3
          WHERE m.item_id = i.id) AS cell
       FROM items AS i WHERE i.handle = ?`,
      [handle],
    )
    return row ? [{ topic, ...row }] : []
  })
  const cells = db.get('SELECT count(*) AS n, sum(items) AS members FROM cells WHERE items >= 3')
  const mixed = db.get(
    `SELECT count(*) AS n FROM (SELECT m.cell_id FROM cell_items AS m JOIN items AS i ON i.id = m.item_id
     GROUP BY m.cell_id HAVING count(DISTINCT coalesce(i.project, '')) > 1)`,
  )
  db.close()
  const inCell = placed.filter((one) => one.cell !== null)
  const by = (key) => measure(inCell.map((one) => ({ topic: one.topic, group: one[key] })))
  const random = seeded(5)
  const deals = Array.from({ length: DEALS }, () => measure(dealt(inCell, random)))
  const result = {
    bench: 'cells',
    ...machine(),
    cells: cells.n,
    members: cells.members,
    cellsOfSeveralProjects: mixed.n,
    labelled: { items: placed.length, inACell: inCell.length, missing: labels.length - placed.length },
    percent: {
      cells: by('cell'),
      shuffled: Object.fromEntries(
        Object.keys(deals[0]).map((key) => [key, median(deals.map((deal) => deal[key]))]),
      ),
      sessions: by('session'),
      arcs: by('arc'),
    },
  }
  console.log(JSON.stringify(result, null, 2))
}

/** The same cells with the same sizes, held by other items of the project. */
function dealt(items, random) {
  const groups = new Map()
  for (const { project, cell } of items) groups.set(project, [...(groups.get(project) ?? []), cell])
  for (const cells of groups.values())
    for (let i = cells.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[cells[i], cells[j]] = [cells[j], cells[i]]
    }
  return items.map(({ topic, project }) => ({ topic, group: groups.get(project).pop() }))
}

function measure(items) {
  let together = 0
  let alike = 0
  let both = 0
  for (let i = 0; i < items.length; i++)
    for (let j = 0; j < i; j++) {
      const group = items[i].group === items[j].group
      const topic = items[i].topic === items[j].topic
      together += group ? 1 : 0
      alike += topic ? 1 : 0
      both += group && topic ? 1 : 0
    }
  const counts = new Map()
  for (const { group, topic } of items) {
    const topics = counts.get(group) ?? new Map()
    counts.set(group, topics.set(topic, (topics.get(topic) ?? 0) + 1))
  }
  const pure = [...counts.values()].reduce((sum, topics) => sum + Math.max(...topics.values()), 0)
  return {
    pairs: percent(both, together),
    purity: percent(pure, items.length),
    together: percent(both, alike),
  }
}

function percent(part, whole) {
  return whole === 0 ? null : Math.round((1000 * part) / whole) / 10
}

function seeded(start) {
  let seed = start >>> 0
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}
