import { cellSql, type WriteDb } from '../../store'
import { meetNeighbours } from '../novelty/neighbours'
import { makeRollups } from '../rollups'
import { balanceCells } from './balance'
import { refreshCells } from './refresh'
import { relateItem } from './relate'

/** Cells told anew in one step: each reads up to 48 items. */
const CELLS = 4
/** Single steps that follow their goal into its cell in one step. */
const STEPS = 1_000
/** How strongly a single step is tied to the cell of its goal. */
const STEP = 0.1
/** Rollups made in one step: each reads the rungs of up to 60 arcs. */
const ROLLUPS = 8

/**
 * One short step of what comes after rungs and vectors: rollups, neighbours of a few items, then balance where much joined, then the
 * cells that changed; when nothing else waits, balance where anything joined.
 * @returns how much was done; 0 when nothing waits
 */
export function tendNeighbourhoods(db: WriteDb, options: { now: number; version: number }): number {
  const rolled = makeRollups(db, { ...options, limit: ROLLUPS })
  if (rolled > 0) return rolled
  const met = meetNeighbours(db, { take: relateItem })
  if (met > 0) return met + (balanceCells(db, { idle: false }) === null ? 0 : 1)
  if (balanceCells(db, { idle: true }) !== null) return 1
  const followed = followGoals(db)
  if (followed > 0) return followed
  return refreshCells(db, { ...options, limit: CELLS })
}

/** The steps of the next goal that has moved stand in its cell then. */
function followGoals(db: WriteDb): number {
  const goal = cellSql.nextGoalWithSteps(db)
  if (goal === undefined) return 0
  db.transaction(() => {
    const moves = cellSql.strayed(db, goal, STEPS)
    cellSql.moveItems(db, moves, STEP)
    if (moves.length < STEPS) cellSql.dequeueSteps(db, goal)
  })
  return 1
}
