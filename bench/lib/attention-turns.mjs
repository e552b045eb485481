import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stemmer } from 'stemmer'
import { createEngine, itemEntities, openRead, unpackText } from '../../out/main/library.js'

// Real transcripts as turns: what bids at each request of a person, and which files were touched next.

export const chars4 = (text) => Math.ceil(text.length / 4)
const IMPORTANCE = {
  decision: 0.9,
  goal: 0.8,
  plan: 0.7,
  conclusion: 0.6,
  error: 0.5,
  command: 0.4,
  file_op: 0.4,
  note: 0.3,
  image: 0.1,
}
/** How many items of other sessions bid, and how many of the own one. */
const RECALLED = 40
const OWN = 400

/** Reads the folder with the real engine and takes the items out, by session, in order. */
export async function journalOf(folder) {
  const home = mkdtempSync(join(tmpdir(), 'fovea-attention-'))
  try {
    const engine = createEngine({ home, resources: home, watch: false, version: 'bench' })
    await engine.call('ingest.run', { paths: [folder], embed: false })
    const dbPath = engine.places.db
    await engine.close()
    const db = openRead(dbPath)
    const rows = db.all(
      `SELECT i.handle, i.kind, i.session_id AS session, i.position, i.ts, i.project, i.tool, i.text, i.text_z, i.data, s.cwd
       FROM items i JOIN sessions s ON s.id = i.session_id ORDER BY i.session_id, i.position`,
    )
    db.close()
    const sessions = new Map()
    for (const row of rows) {
      const item = prepared(row)
      if (sessions.has(row.session)) sessions.get(row.session).push(item)
      else sessions.set(row.session, [item])
    }
    return [...sessions.values()]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function prepared(row) {
  const text = unpackText(row)
  const data = JSON.parse(row.data)
  const entities = itemEntities({ kind: row.kind, text, tool: row.tool, data, cwd: row.cwd })
  const shown = text.length > 4000 ? `${text.slice(0, 4000)}…` : text
  return {
    ...row,
    shown,
    short: shown.length > 240 ? `${shown.slice(0, 239)}…` : shown,
    stems: new Set((shown.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(stemmer)),
    about: entities.filter(({ kind, weight }) => kind !== 'tool' && weight >= 0.6).map(({ name }) => name),
    touched:
      row.kind === 'file_op'
        ? entities.filter(({ kind, weight }) => kind === 'path' && weight === 1).map(({ name }) => name)
        : [],
  }
}

/** Each request of a person that has something before it, and the known files that were touched until the next one. */
export function* turnsIn(sessions) {
  for (const items of sessions) {
    for (const [at, goal] of items.entries()) {
      if (goal.kind !== 'goal' || at === 0) continue
      const before = items.slice(0, at)
      const others = sessions.flatMap((list) =>
        list === items ? [] : list.filter((one) => one.ts < goal.ts && one.project === goal.project),
      )
      const end = items.findIndex((one, i) => i > at && one.kind === 'goal')
      const turn = items.slice(at + 1, end < 0 ? undefined : end)
      const known = new Set([...before, ...others].flatMap(({ about, touched }) => [...about, ...touched]))
      const next = [...new Set(turn.flatMap(({ touched }) => touched))].filter((path) => known.has(path))
      if (next.length === 0) continue
      const recalled = others
        .map((item) => ({ item, overlap: overlap(goal, item) }))
        .sort((a, b) => b.overlap - a.overlap || b.item.ts - a.item.ts)
        .slice(0, RECALLED)
      const own = before.slice(-OWN).map((item) => ({ item, overlap: overlap(goal, item) }))
      const bids = [
        ...own.map((one) => bidOf(one, 'session-history')),
        ...recalled.map((one) => bidOf(one, 'recall')),
      ]
      yield {
        goal,
        bids,
        items: [...own, ...recalled].map(({ item }) => item),
        next,
        graph: graphOf([...own, ...recalled]),
      }
    }
  }
}

function overlap(goal, item) {
  let shared = 0
  for (const stem of goal.stems) if (item.stems.has(stem)) shared += 1
  return shared / Math.max(1, goal.stems.size)
}

function bidOf({ item, overlap: relevance }, source) {
  const rungs = [{ level: 'L0', tokens: Math.max(1, chars4(item.shown)), render: item.shown || ' ' }]
  if (item.short !== item.shown)
    rungs.unshift({ level: 'L1', tokens: chars4(item.short), render: item.short })
  return {
    id: `${source}:${item.handle}`,
    source,
    title: item.kind,
    key: item.handle,
    order: source === 'recall' ? -item.ts : item.position,
    rank: source === 'recall' ? -relevance : -item.position,
    at: item.ts,
    about: item.about,
    terms: { relevance, importance: IMPORTANCE[item.kind] ?? 0.3 },
    rungs,
  }
}

/** What is named together in an item is near; the rarer, the nearer. */
function graphOf(list) {
  const edges = new Map()
  const often = new Map()
  for (const { item } of list) for (const name of item.about) often.set(name, (often.get(name) ?? 0) + 1)
  for (const { item } of list) {
    for (const a of item.about.slice(0, 20)) {
      for (const b of item.about.slice(0, 20)) {
        if (a === b) continue
        if (!edges.has(a)) edges.set(a, new Map())
        edges.get(a).set(b, 1 / Math.log2(1 + (often.get(b) ?? 1)))
      }
    }
  }
  return (name) => [...(edges.get(name) ?? [])].map(([to, weight]) => ({ to, weight: Math.min(1, weight) }))
}
