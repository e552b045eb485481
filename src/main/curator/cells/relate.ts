import { cellSql, linkSql, type vectorSql, type WriteDb } from '../../store'
import { type EntityType, extractEntities } from '../entities'
import { withinProject } from '../short-path'
import { cellId } from './cell-id'

/** Kinds in which something is said or goes wrong; a single step stands in the cell of its goal. */
const SPEECH = new Set(['goal', 'conclusion', 'plan', 'decision', 'note', 'error'])
/** What ties items: not a version or a command, which half the sessions of a project share. */
const TYING = new Set<EntityType>(['path', 'symbol', 'package', 'issue', 'error', 'url'])
const KEYS = 24
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
  const item = linkSql.linkItem(db, itemId)
  if (!item) return
  if (!SPEECH.has(item.kind)) {
    followGoal(db, item)
    return
  }
  const keys = keysOf(item)
  linkSql.putKeys(db, item.id, keys)
  const links = strongest(tiesOf(db, item, keys, hits), LINKS)
  // What came of a goal belongs to it whatever else it resembles.
  if (item.goalId !== null && item.goalId !== item.id) {
    links.set(item.goalId, (links.get(item.goalId) ?? 0) + GOAL)
  }
  linkSql.putLinks(db, item.id, links)
  join(db, item, links)
}

function followGoal(db: WriteDb, item: linkSql.LinkItem): void {
  const cell = item.goalId === null ? undefined : cellSql.cellOfItem(db, item.goalId)
  if (cell) cellSql.joinCell(db, item.id, cell.id, 0.1)
}

function keysOf({ text, data }: linkSql.LinkItem): number[] {
  const cwd = typeof data.cwd === 'string' ? data.cwd : null
  return extractEntities(text)
    .filter(({ type, value }) => TYING.has(type) && value.length > 3)
    .slice(0, KEYS)
    .map(({ type, value }) => hash(`${type} ${type === 'path' ? withinProject(value, cwd) : value}`))
}

/** FNV-1a, 53 bits out of two runs, so that two names hardly ever meet. */
function hash(text: string): number {
  const run = (seed: number): number => {
    let value = seed
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
    return value >>> 0
  }
  return run(0x811c9dc5) * 2 ** 21 + (run(0x1234567) & 0x1fffff)
}

function tiesOf(
  db: WriteDb,
  item: linkSql.LinkItem,
  keys: readonly number[],
  hits: readonly Pick<vectorSql.VectorHit, 'itemId' | 'cosine'>[],
): Map<number, number> {
  const ties = new Map<number, number>()
  const add = (id: number, weight: number): void => {
    if (id !== item.id) ties.set(id, (ties.get(id) ?? 0) + weight)
  }
  for (const key of keys) {
    const { count, ids } = linkSql.underKey(db, key, item, { cap: COMMON, each: EACH })
    if (count < COMMON) for (const id of ids) add(id, 0.8 / Math.log2(2 + count))
  }
  const near = hits.filter((hit) => hit.cosine >= RELATED)
  const projects = linkSql.projectsOf(
    db,
    near.map((hit) => hit.itemId),
  )
  for (const { itemId, cosine } of near)
    if (projects.get(itemId) === item.project) add(itemId, (cosine - 0.3) / 0.6)
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

function join(db: WriteDb, item: linkSql.LinkItem, links: ReadonlyMap<number, number>): void {
  if (links.size === 0) {
    cellSql.leaveCell(db, item.id)
    return
  }
  const around = linkSql.cellsAround(db, item.id)
  const best = around.find(({ cell, weight }) => weight >= TIE && cellSql.countMembers(db, cell) < LARGEST)
  const cell = best?.cell ?? begin(db, item)
  cellSql.joinCell(db, item.id, cell, best?.weight ?? TIE)
  cellSql.countJoined(db, item.project)
  if (best) return
  // The others it is tied to come along when they stand nowhere.
  const placed = cellSql.membersAmong(db, [...links.keys()])
  for (const [id, weight] of links)
    if (!placed.has(id) && weight >= TIE) cellSql.joinCell(db, id, cell, weight)
}

function begin(db: WriteDb, item: linkSql.LinkItem): string {
  const id = cellId(item.handle)
  cellSql.putCell(db, id, item.project)
  return id
}
