import Graph from 'graphology'
import louvain from 'graphology-communities-louvain'
import { cellSql, type ReadDb, tieSql, type WriteDb } from '../../store'
import { cellId } from './cell-id'

/** The newest items of a project that are balanced at once, and how many goals they may stand under: one pass is one
 * step of a thread that answers questions as well. */
const WINDOW = 6_000
const TASKS = 1_000
/** Balanced when this many joined, or this share of the members. */
const JOINED = 40
const SHARE = 0.15
/** Above 1 communities are smaller than modularity as defined has them: its own join topics (bench/cells.mjs). */
const RESOLUTION = 4
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
    const items = tieSql.linkedItems(db, due.project, WINDOW)
    const tasks = newestTasks(tieSql.tasksOf(db, items))
    const ids = [...tasks.keys()]
    place(db, due.project, communities(db, tasks), cellSql.membersAmong(db, ids))
    cellSql.balanced(db, due.project)
  })
  return due.project
}

/** What was said and done for the same goal, the goals of the newest items first. */
function newestTasks(tasks: ReadonlyMap<number, number>): Map<number, number> {
  const kept = new Set<number>()
  const found = new Map<number, number>()
  for (const [item, task] of tasks) {
    if (!kept.has(task) && kept.size >= TASKS) continue
    kept.add(task)
    found.set(item, task)
  }
  return found
}

/**
 * Communities of at least three items, the largest first; the same links give the same ones. What was said and done for
 * one goal stays together, so the graph is that of goals: hundreds of nodes where the items are thousands.
 * @param tasks each item with its goal, or with itself
 */
export function communities(db: ReadDb, tasks: ReadonlyMap<number, number>): number[][] {
  const sorted = [...tasks].sort(([a], [b]) => a - b)
  const members = new Map<number, number[]>()
  for (const [item, task] of sorted) {
    const items = members.get(task)
    if (items) items.push(item)
    else members.set(task, [item])
  }
  const graph = new Graph({ type: 'undirected' })
  for (const task of members.keys()) graph.addNode(String(task))
  const ids = sorted.map(([item]) => item)
  for (const { a, b, weight } of tieSql.linksOf(db, ids)) {
    const [one, two] = [tasks.get(a), tasks.get(b)]
    if (one === undefined || two === undefined || one === two) continue
    graph.updateEdge(String(one), String(two), (old) => ({ weight: (Number(old.weight) || 0) + weight }))
  }
  return grouped(graph)
    .map((group) => group.flatMap((task) => members.get(task) ?? []).sort((a, b) => a - b))
    .filter((items) => items.length >= LEAST)
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
}

function grouped(graph: Graph): number[][] {
  const nodes = graph.nodes().map(Number)
  if (graph.size === 0) return nodes.map((node) => [node])
  const groups = new Map<number, number[]>()
  const found = louvain(graph, { resolution: RESOLUTION, rng: seeded(7), getEdgeWeight: 'weight' })
  for (const node of nodes) {
    const group = found[String(node)] ?? -1
    const members = groups.get(group)
    if (members) members.push(node)
    else groups.set(group, [node])
  }
  return [...groups.values()]
}

function place(
  db: WriteDb,
  project: string,
  groups: readonly number[][],
  before: ReadonlyMap<number, string>,
): void {
  const inherited = heirs(groups, before)
  const taken = new Set([...inherited.values()].filter((cell) => cell !== null))
  const moves: { item: number; cell: string }[] = []
  for (const [n, heir] of inherited) {
    const members = groups[n] ?? []
    const cell = heir ?? fresh(db, project, members, taken)
    taken.add(cell)
    for (const item of members) if (before.get(item) !== cell) moves.push({ item, cell })
  }
  cellSql.moveItems(db, moves, 1)
  cellSql.queueSteps(
    db,
    moves.map(({ item }) => item),
  )
  for (const cell of new Set(before.values()))
    if (cellSql.countMembers(db, cell) === 0) cellSql.deleteCell(db, cell)
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
