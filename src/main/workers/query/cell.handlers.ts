import type { Handlers } from '../../../shared/contract'
import { Handle, ItemKind } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import { type CellDetail, CellId, type CellLine } from '../../../shared/journal'
import { withoutControls } from '../../../shared/plain-text'
import { openRedactor } from '../../journal'
import { cellSql, curatorSql } from '../../store'
import type { HandlerContext } from '../context'
import { rungViews } from './rung-views'

type Calls = 'cells.list' | 'cells.get' | 'cells.rename'

const MEMBERS = 200
/** Frames looked at for heat, and the days after which one counts half. */
const FRAMES = 200
const HALF_LIFE = 14 * 86_400_000

export const cellHandlers = ({ read, write, clock }: HandlerContext): Handlers<Calls> => ({
  'cells.list': ({ project, limit }) =>
    read.snapshot(() => {
      const rows = cellSql.listCells(read, { limit, ...(project === undefined ? {} : { project }) })
      return { cells: lines(read, rows, clock()), total: cellSql.countCells(read, project) }
    }),
  'cells.get': ({ cell }) => read.snapshot(() => detail(read, known(read, cell), clock())),
  'cells.rename': ({ cell, name }) => {
    const { id } = known(read, cell)
    const line = withoutControls(name.replace(/\s+/g, ' ')).trim()
    if (line === '') throw new AppError('bad-input', 'A name needs a character that can be seen.')
    if (!cellSql.renameCell(write, id, openRedactor(write).redact(line).text)) throw missing(id)
    return { cell: one(write, known(write, id), clock()) }
  },
})

type Read = HandlerContext['read']

const missing = (given: string): AppError =>
  new AppError(
    'not-found',
    CellId.safeParse(given).success ? `There is no cell ${given}.` : `There is no cell named "${given}".`,
  )

/** @throws AppError `not-found`; `bad-input` where several cells have the name */
function known(read: Read, given: string): cellSql.CellRow {
  const found = cellSql.cellsNamed(read, given)
  const cell = found.find(({ id }) => id === given) ?? found[0]
  if (!cell) throw missing(given)
  if (cell.id !== given && found.length > 1)
    throw new AppError(
      'bad-input',
      `${found.length} cells are named "${given}"; say which by its id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  return cell
}

/** A cell as an item shows it. */
export function cellView(cell: cellSql.CellRow): Omit<CellLine, 'heat' | 'summary'> {
  const { id, name, named, items, sessions, tags, entities } = cell
  const project = cell.project === '' ? null : cell.project
  return {
    id,
    name,
    named,
    project,
    items,
    sessions,
    since: cell.startedAt,
    until: cell.endedAt,
    tags,
    entities,
  }
}

function lines(read: Read, rows: readonly cellSql.CellRow[], now: number): CellLine[] {
  const ids = rows.map((row) => row.id)
  const rungs = curatorSql.rungs(read, ids)
  const heat = new Map<string, number>()
  for (const { cell, at } of cellSql.framesOfCells(read, ids, FRAMES))
    heat.set(cell, (heat.get(cell) ?? 0) + 0.5 ** (Math.max(0, now - at) / HALF_LIFE))
  return rows.map((row) => ({
    ...cellView(row),
    heat: Math.round((heat.get(row.id) ?? 0) * 1000) / 1000,
    summary: rungs.get(row.id)?.L1?.text ?? null,
  }))
}

function one(read: Read, row: cellSql.CellRow, now: number): CellLine {
  const [line] = lines(read, [row], now)
  if (!line) throw missing(row.id)
  return line
}

function detail(read: Read, row: cellSql.CellRow, now: number): CellDetail {
  const contained = cellSql.edgesOf(read, row.id, 'contains')
  const arcs = curatorSql.rungs(
    read,
    contained.map((edge) => edge.other),
  )
  return {
    ...one(read, row, now),
    rungs: rungViews(read, row.id),
    members: cellSql.memberLines(read, row.id, MEMBERS).map((member) => ({
      handle: Handle.parse(member.handle),
      kind: ItemKind.parse(member.kind),
      ts: member.ts,
      session: member.session,
      title: member.title ?? '',
    })),
    adjacent: cellSql.edgesOf(read, row.id, 'adjacent').flatMap(({ other, weight }) => {
      const cell = cellSql.cellById(read, other)
      return cell && cell.items >= cellSql.LEAST_ITEMS ? [{ id: other, name: cell.name, share: weight }] : []
    }),
    arcs: contained.map(({ other, weight }) => ({
      id: other,
      summary: arcs.get(other)?.L1?.text ?? null,
      share: weight,
    })),
  }
}
