import Graph from 'graphology'
import louvain from 'graphology-communities-louvain'
import { cellSql, type ReadDb, tieSql, type WriteDb } from '../../store'
import { cellId } from './cell-id'

/** The newest items of a project that are balanced at once: one pass takes under a second. */
const WINDOW = 6_000
/** Balanced when this many joined, or this share of the members. */
const JOINED = 40
const SHARE = 0.15
/** Modularity as defined; above 1 one topic falls into several cells. */
const RESOLUTION = 1
/** How strongly a single step is tied to the cell of its goal. */
const STEP = 0.1
/** Fewer items than this are no neighbourhood; they stay where they are. */
const LEAST = 3

/**
 * Finds the communities of the project in which most has joined (Louvain modularity over the links) and moves its
 * items into them. A community takes over the cell it shares most items with, with its id and its name, so what was
 * named and mounted stays.
 * @param idle whether anything that joined is reason enough; else only when much did
 * @returns the project that was balanced, or null when none needs it
 */
export function balanceCells(db: WriteDb, options: { idle: boolean }): string | null {
  const due = cellSql
    .unbalanced(db)
    .find(({ joined, members }) => options.idle || joined >= Math.max(JOINED, SHARE * members))
  if (!due) return null
  db.transaction(() => {
    const ids = tieSql.linkedItems(db, due.project, WINDOW)
    place(db, due.project, communities(db, ids), cellSql.membersAmong(db, ids))
    cellSql.balanced(db, due.project)
  })
  return due.project
}

/** Communities of at least three items, the largest first; the same links give the same ones. */
export function communities(db: ReadDb, ids: readonly number[]): number[][] {
  const graph = new Graph({ type: 'undirected' })
  const sorted = [...ids].sort((a, b) => a - b)
  for (const id of sorted) graph.addNode(String(id))
  for (const { a, b, weight } of tieSql.linksOf(db, sorted)) {
    if (a === b || !graph.hasNode(String(b))) continue
    graph.updateEdge(String(a), String(b), (old) => ({ weight: (Number(old.weight) || 0) + weight }))
  }
  if (graph.size === 0) return []
  const groups = new Map<number, number[]>()
  const found = louvain(graph, { resolution: RESOLUTION, rng: seeded(7), getEdgeWeight: 'weight' })
  for (const [node, group] of Object.entries(found)) {
    const members = groups.get(group) ?? []
    members.push(Number(node))
    groups.set(group, members)
  }
  return [...groups.values()]
    .filter((members) => members.length >= LEAST)
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
}

function place(
  db: WriteDb,
  project: string,
  groups: readonly number[][],
  before: ReadonlyMap<number, string>,
): void {
  const inherited = heirs(groups, before)
  const taken = new Set([...inherited.values()].filter((cell) => cell !== null))
  const emptied = new Set(before.values())
  for (const [n, heir] of inherited) {
    const members = groups[n] ?? []
    const cell = heir ?? fresh(db, project, members, taken)
    taken.add(cell)
    for (const id of members) cellSql.joinCell(db, id, cell, 1)
  }
  for (const { item, cell } of cellSql.strayed(db, project)) cellSql.joinCell(db, item, cell, STEP)
  for (const cell of emptied) {
    if (cellSql.countMembers(db, cell) === 0) cellSql.deleteCell(db, cell)
  }
}

/** For each group the cell it shares most items with, each cell once, the greatest overlap first. */
function heirs(groups: readonly number[][], before: ReadonlyMap<number, string>): Map<number, string | null> {
  const overlaps = groups.flatMap((members, n) => {
    const counts = new Map<string, number>()
    for (const id of members) {
      const cell = before.get(id)
      if (cell !== undefined) counts.set(cell, (counts.get(cell) ?? 0) + 1)
    }
    return [...counts].map(([cell, shared]) => ({ n, cell, shared }))
  })
  const heir = new Map<number, string | null>(groups.map((_, n) => [n, null]))
  const used = new Set<string>()
  for (const { n, cell } of overlaps.sort(
    (a, b) => b.shared - a.shared || a.n - b.n || (a.cell < b.cell ? -1 : 1),
  )) {
    if (used.has(cell) || heir.get(n) !== null) continue
    heir.set(n, cell)
    used.add(cell)
  }
  return heir
}

function fresh(db: WriteDb, project: string, members: readonly number[], taken: ReadonlySet<string>): string {
  for (const id of members) {
    const handle = tieSql.handleOf(db, id)
    const cell = handle === undefined ? undefined : cellId(handle)
    if (cell === undefined || taken.has(cell) || cellSql.cellById(db, cell)) continue
    cellSql.putCell(db, cell, project)
    return cell
  }
  // Every member's own cell is in use by others: any id that is free will do.
  const cell = cellId(`${project} ${members.join(' ')}`)
  cellSql.putCell(db, cell, project)
  return cell
}

function seeded(start: number): () => number {
  let seed = start >>> 0
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}
