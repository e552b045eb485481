import type { ReadDb } from './db'
import { conditions, type RecallFilter } from './recall-filter'

/** Cells beside these, by the share of the links that lead there. */
export function cellsBeside(
  db: ReadDb,
  cells: readonly string[],
): { cell: string; other: string; weight: number }[] {
  return db.all(
    `SELECT e.cell_id AS cell, e.other, e.weight FROM json_each(?) AS wanted
     JOIN cell_edges AS e ON e.cell_id = wanted.value AND e.kind = 'adjacent' ORDER BY wanted.key, e.other`,
    [JSON.stringify(cells)],
  )
}

/** Of each cell the items in which something is said that are tied to it most, at most `each`. */
export function coreOfCells(
  db: ReadDb,
  cells: readonly string[],
  each: number,
  filter: RecallFilter,
): { cell: string; item: number; weight: number }[] {
  const { sql, params } = conditions(filter)
  return db.all(
    `SELECT cell, item, weight FROM (
       SELECT m.cell_id AS cell, i.id AS item, m.weight,
         row_number() OVER (PARTITION BY m.cell_id ORDER BY m.weight DESC, i.id DESC) AS back
       FROM json_each(?) AS wanted JOIN cell_items AS m ON m.cell_id = wanted.value JOIN items AS i ON i.id = m.item_id
       WHERE i.kind IN ('goal', 'conclusion', 'plan', 'decision', 'note', 'error')${sql}
     ) WHERE back <= ? ORDER BY cell, item`,
    [JSON.stringify(cells), ...params, each],
  )
}
