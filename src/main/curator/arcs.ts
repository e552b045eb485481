import { createHash } from 'node:crypto'
import { curatorSql, type WriteDb } from '../store'

// An arc is a run of consecutive items of one goal in one session. A branch the person left has arcs of its own.

type Item = curatorSql.ArcItem
type Arc = curatorSql.ArcRow

/** Handles kept as an arc's provenance; its other items are found by items.arc_id. */
const PROVENANCE = 64

/** What an update did: arcs written or deleted, and how many items it had to read for that. */
export interface ArcWork {
  arcs: number
  itemsRead: number
}

/**
 * Brings the arcs of some sessions up to date, and of every session in which an item moved, changed its goal or
 * was deleted. Call it in the transaction that wrote or deleted items. When items were only appended, it reads the
 * new ones and extends the last arc; else the session is grouped anew. Either way the arcs are those of the items
 * in order, however the items arrived.
 */
export function updateArcs(db: WriteDb, sessionIds: Iterable<string>): ArcWork {
  const work: ArcWork = { arcs: 0, itemsRead: 0 }
  const add = (done: ArcWork): void => {
    work.arcs += done.arcs
    work.itemsRead += done.itemsRead
  }
  db.transaction(() => {
    const stale = new Set(curatorSql.staleSessions(db))
    for (const id of stale) {
      add(regroup(db, id))
      curatorSql.settled(db, id)
    }
    for (const id of new Set(sessionIds)) if (!stale.has(id)) add(advance(db, id))
  })
  return work
}

function advance(db: WriteDb, sessionId: string): ArcWork {
  const { firstWithout, last } = curatorSql.arcFrontier(db, sessionId)
  if (firstWithout === null) return { arcs: 0, itemsRead: 0 }
  const items = curatorSql.arcItems(db, sessionId, firstWithout)
  const inserted = items.some((item) => item.arcId !== null)
  const open = last?.arcId ? curatorSql.arc(db, last.arcId) : undefined
  if (inserted || (last && !open)) return regroup(db, sessionId)
  const grown = group(sessionId, items, last && open ? { arc: open, rewound: last.rewound } : undefined)
  for (const { arc, members } of grown) {
    curatorSql.putArc(db, arc)
    curatorSql.setArc(
      db,
      members.map((item) => item.id),
      arc.id,
    )
  }
  return { arcs: grown.length, itemsRead: items.length }
}

function regroup(db: WriteDb, sessionId: string): ArcWork {
  const items = curatorSql.arcItems(db, sessionId)
  const before = new Map(curatorSql.arcsOfSession(db, sessionId).map((arc) => [arc.id, arc]))
  let arcs = 0
  for (const { arc, members } of group(sessionId, items)) {
    const old = before.get(arc.id)
    before.delete(arc.id)
    const moved = members.filter((item) => item.arcId !== arc.id).map((item) => item.id)
    if (moved.length > 0) curatorSql.setArc(db, moved, arc.id)
    if (old && same(old, arc)) continue
    // They may quote an item that is gone; new ones follow.
    if (old) curatorSql.deleteRungs(db, arc.id)
    curatorSql.putArc(db, arc)
    arcs++
  }
  for (const id of before.keys()) curatorSql.deleteArc(db, id)
  return { arcs: arcs + before.size, itemsRead: items.length }
}

/** Runs of one goal on one branch, in order. `open` is the arc that stands before the first item, to be continued if it fits. */
function group(
  sessionId: string,
  items: readonly Item[],
  open?: { arc: Arc; rewound: number },
): { arc: Arc; members: Item[] }[] {
  const runs: { arc: Arc; members: Item[] }[] = []
  let current = open && { ...open, members: [] as Item[] }
  for (const item of items) {
    const goal = goalOf(item)
    if (!current || current.arc.goalHandle !== goal || current.rewound !== item.rewound)
      current = { arc: begin(sessionId, goal, item), members: [], rewound: item.rewound }
    if (current.members.length === 0) runs.push(current)
    current.members.push(item)
  }
  return runs.map(({ arc, members }) => ({ arc: members.reduce(extend, arc), members }))
}

/** A goal without an earlier one stands under itself. */
const goalOf = (item: Item): string | null => item.goal ?? (item.kind === 'goal' ? item.handle : null)

function begin(sessionId: string, goal: string | null, first: Item): Arc {
  return {
    id: arcId(sessionId, goal, first.handle),
    sessionId,
    project: first.project,
    goalHandle: goal,
    startedAt: first.ts,
    endedAt: first.ts,
    items: 0,
    byKind: {},
    provenance: goal === null ? [] : [goal],
    labels: [],
  }
}

function extend(arc: Arc, item: Item): Arc {
  const byKind = { ...arc.byKind, [item.kind]: (arc.byKind[item.kind] ?? 0) + 1 }
  const known = arc.provenance.includes(item.handle) || arc.provenance.length >= PROVENANCE
  return {
    ...arc,
    startedAt: Math.min(arc.startedAt, item.ts),
    endedAt: Math.max(arc.endedAt, item.ts),
    items: arc.items + 1,
    byKind: Object.fromEntries(Object.entries(byKind).sort(([a], [b]) => (a < b ? -1 : 1))),
    provenance: known ? arc.provenance : [...arc.provenance, item.handle],
    labels: union([arc.labels, JSON.parse(item.labels) as string[]]),
  }
}

/** Each label once, in a fixed order. */
export function union(labels: readonly (readonly string[])[]): string[] {
  return [...new Set(labels.flat())].sort()
}

const same = (a: Arc, b: Arc): boolean => JSON.stringify(a) === JSON.stringify(b)

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** `arc_` and 26 characters of base32: the same session, goal and first item give the same id on every machine. */
function arcId(sessionId: string, goal: string | null, firstHandle: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([sessionId, goal, firstHandle]))
    .digest()
  let bits = 0n
  for (const byte of hash.subarray(0, 17)) bits = (bits << 8n) | BigInt(byte)
  let id = ''
  for (let shift = 131n; id.length < 26; shift -= 5n) id += ALPHABET[Number((bits >> shift) & 31n)]
  return `arc_${id}`
}
