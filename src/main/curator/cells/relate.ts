import { cellSql, tieSql, type vectorSql, type WriteDb } from '../../store'
import { cellId } from './cell-id'

/** Kinds in which something is said or goes wrong; a single step stands in the cell of its goal. */
const SPEECH = new Set(['goal', 'conclusion', 'plan', 'decision', 'note', 'error'])
/** Names of one item that are followed. */
const NAMES = 24
/** Something named by this many items tells nothing of any. */
const COMMON = 40
const EACH = 6
const LINKS = 6
/** Cosine from which two texts of one project are related at all (MiniLM). */
const RELATED = 0.45
const GOAL = 0.7
/** A tie of less than this joins no cell. */
const TIE = 0.5
/** A cell that has this many items takes no more until it is balanced. */
const LARGEST = 400

/**
 * Links an item to the few it is most related to, by what both name (the rarer the more) and by meaning, and lets it
 * join the cell it is tied to most, or begin one. Its work does not grow with the journal.
 */
export function relateItem(
  db: WriteDb,
  itemId: number,
  hits: readonly Pick<vectorSql.VectorHit, 'itemId' | 'cosine'>[],
): void {
  const item = tieSql.tiedItem(db, itemId)
  if (!item) return
  if (!SPEECH.has(item.kind)) {
    followGoal(db, item)
    return
  }
  const links = strongest(tiesOf(db, item, hits), LINKS)
  // What came of a goal belongs to it whatever else it resembles.
  if (item.goalId !== null && item.goalId !== item.id) {
    links.set(item.goalId, (links.get(item.goalId) ?? 0) + GOAL)
  }
  tieSql.putLinks(db, item.id, links)
  join(db, item, links)
}

function followGoal(db: WriteDb, item: tieSql.TieItem): void {
  const cell = item.goalId === null ? undefined : cellSql.cellOfItem(db, item.goalId)
  if (cell) cellSql.joinCell(db, item.id, cell.id, 0.1)
}

function tiesOf(
  db: WriteDb,
  item: tieSql.TieItem,
  hits: readonly Pick<vectorSql.VectorHit, 'itemId' | 'cosine'>[],
): Map<number, number> {
  const ties = new Map<number, number>()
  const named = new Map<number, number>()
  for (const entity of tieSql.tyingEntities(db, item.id, NAMES)) {
    const others = tieSql.naming(db, entity, item.id, COMMON)
    if (others.length >= COMMON) continue
    const weight = 0.8 / Math.log2(2 + others.length)
    for (const id of others.slice(0, EACH)) named.set(id, (named.get(id) ?? 0) + weight)
  }
  const near = hits.filter((hit) => hit.cosine >= RELATED)
  for (const { itemId, cosine } of near) named.set(itemId, (named.get(itemId) ?? 0) + (cosine - 0.3) / 0.6)
  const projects = tieSql.projectsOf(db, [...named.keys()])
  for (const [id, weight] of named)
    if (projects.get(id) === item.project && id !== item.id) ties.set(id, weight)
  return ties
}

function strongest(ties: ReadonlyMap<number, number>, most: number): Map<number, number> {
  return new Map(
    [...ties]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, most)
      .map(([id, weight]) => [id, Math.min(3, weight)]),
  )
}

function join(db: WriteDb, item: tieSql.TieItem, links: ReadonlyMap<number, number>): void {
  if (links.size === 0) {
    cellSql.leaveCell(db, item.id)
    return
  }
  const around = tieSql.cellsAround(db, item.id)
  const goal = item.goalId === null ? undefined : cellSql.cellOfItem(db, item.goalId)
  const own = goal?.project === item.project ? goal.id : undefined
  // A goal's cell is the cell of all that is said for it.
  const best = (own ? [{ cell: own, weight: GOAL }] : around).find(
    ({ cell, weight }) => weight >= TIE && cellSql.countMembers(db, cell) < LARGEST,
  )
  const cell = best?.cell ?? begin(db, item)
  const moved = cellSql.joinCell(db, item.id, cell, best?.weight ?? TIE)
  if (moved) cellSql.queueSteps(db, [item.id])
  cellSql.countJoined(db, item.project)
  if (best) return
  // The others it is tied to come along when they stand nowhere.
  const placed = cellSql.membersAmong(db, [...links.keys()])
  for (const [id, weight] of links)
    if (!placed.has(id) && weight >= TIE && cellSql.joinCell(db, id, cell, weight))
      cellSql.queueSteps(db, [id])
}

function begin(db: WriteDb, item: tieSql.TieItem): string {
  const id = cellId(item.handle)
  cellSql.putCell(db, id, item.project)
  return id
}
