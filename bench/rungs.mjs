// npm run bench -- rungs --data PATH [--wrong]
// Decisions and outcomes at L2 of the labelled arcs (bench/labels/arcs.json), extractive, against the first and the
// last sentence of everything said in them. PATH is the folder with the labelled Claude Code transcripts.
// --wrong adds the sentences that were wrong and the facts that were missed, for reading.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { labelSentences } from './lib/label-sentences.mjs'
import { machine } from './lib/report.mjs'
import { compare, labelledArcs, labelNames, score } from './lib/rung-labels.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { data: { type: 'string' }, wrong: { type: 'boolean' } } })
const data = values.data && resolve(values.data)
if (!data || !existsSync(data)) {
  console.error('rungs: --data must name the folder of the labelled transcripts.')
  process.exit(2)
}

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
const { createEngine } = await import('../out/main/library.js')
const home = mkdtempSync(join(tmpdir(), 'fovea-rungs-'))
try {
  const engine = createEngine({ home, resources: join(root, 'resources'), watch: false, version: 'bench' })
  await engine.call('ingest.run', { paths: [data], embed: false })
  await engine.close()
  const db = store.openWrite(join(home, 'fovea.db'))
  store.migrate(db)
  for (const name of ['arcs', 'arcs-unseen']) for (const arc of labelNames(name)) restore(db, arc)
  store.curatorSql.requeueAllRungs(db)
  while (curator.curate(db, { now: Date.now() }) > 0);
  console.log(JSON.stringify(report(db), null, 2))
  db.close()
} finally {
  await server.close()
  rmSync(home, { recursive: true, force: true })
}

/** Groups the items of a labelled arc as they were when it was read, however arcs are found today. */
function restore(db, { arc, goal, items }) {
  const span = db.get(
    `SELECT session_id AS session, min(position) AS first, max(position) AS last, project, min(ts) AS since, max(ts) AS until,
       count(*) AS n FROM items WHERE handle IN (SELECT value FROM json_each(?)) GROUP BY session_id ORDER BY n DESC LIMIT 1`,
    [JSON.stringify(items)],
  )
  db.transaction(() => {
    const { items: held } = db.get(
      `SELECT json_group_array(id) AS items FROM items WHERE session_id = ? AND position BETWEEN ? AND ?`,
      [span.session, span.first, span.last],
    )
    store.curatorSql.setArc(db, JSON.parse(held), arc)
    store.curatorSql.putArc(db, {
      id: arc,
      sessionId: span.session,
      project: span.project,
      goalHandle: goal,
      startedAt: span.since,
      endedAt: span.until,
      items: span.n,
      byKind: {},
      provenance: [],
      labels: [],
    })
  })
}

function report(db) {
  return {
    bench: 'rungs',
    ...machine(),
    version: curator.RUNG_VERSION,
    /** Labelled before the rules were written. */
    labelled: measure(db, 'arcs'),
    /** Labelled after, and never looked at while the rules changed. */
    unseen: measure(db, 'arcs-unseen'),
  }
}

function measure(db, name) {
  const textOf = (handle) => store.curatorSql.rungSource(db, handle)?.text
  const { arcs, missing } = labelledArcs(textOf, name)
  const rungs = store.curatorSql.rungs(
    db,
    arcs.map((arc) => arc.arc),
  )
  const l2 = (arc) => JSON.parse(rungs.get(arc.arc)?.L2?.text ?? '{"decisions":[],"outcomes":[]}')
  const l1 = (arc) => (rungs.get(arc.arc)?.L1 ? [rungs.get(arc.arc).L1.text] : [])
  const speech = (arc) =>
    [...store.curatorSql.arcSpeech(db, arc.arc, 1_000).map((item) => item.text), textOf(arc.goal) ?? '']
      .map(labelSentences)
      .filter((list) => list.length > 0)
  const methods = {
    first: (arc) => speech(arc).map((list) => list[0]),
    last: (arc) => speech(arc).map((list) => list.at(-1)),
    L2: (arc) => [...l2(arc).decisions, ...l2(arc).outcomes],
  }
  const either = {}
  for (const [name, said] of Object.entries(methods))
    either[name] = score(arcs.map((arc) => compare(arc, said(arc), null)))
  return {
    arcs: arcs.length,
    labelsNotFound: missing,
    decisions: score(arcs.map((arc) => compare(arc, l2(arc).decisions, 'decision'))),
    outcomes: score(arcs.map((arc) => compare(arc, l2(arc).outcomes, 'outcome'))),
    /** A sentence counts when it tells a labelled fact of either kind: the baselines do not say which it is. */
    either,
    /** Of the arcs that have a fact: how many L1 sentences tell one. */
    l1TellsFact: score(arcs.filter((arc) => arc.facts.length > 0).map((arc) => compare(arc, l1(arc), null)))
      .precision,
    ...(values.wrong && name === 'arcs' ? { reading: reading(arcs, l1, l2) } : {}),
  }
}

function reading(arcs, l1, l2) {
  return arcs.map((arc, n) => {
    const told = (said, of) => said.filter((one) => compare(arc, [one], of).wrong > 0)
    const all = [...l2(arc).decisions, ...l2(arc).outcomes]
    return {
      n: n + 1,
      l1: l1(arc)[0],
      l1Wrong: told(l1(arc), null).length > 0,
      wrongDecisions: told(l2(arc).decisions, 'decision'),
      wrongOutcomes: told(l2(arc).outcomes, 'outcome'),
      missed: arc.facts
        .filter((fact) => compare({ facts: [fact], neutral: [] }, all, null).hit === 0)
        .map((fact) => `${fact.of}: ${fact.what}`),
    }
  })
}
