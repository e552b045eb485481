import type { Handlers } from '../../../shared/contract'
import { Agent, Handle, ItemKind, ReceiptId, type SourceStatus } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { ItemDetail, RungView } from '../../../shared/journal'
import { openRedactor, verifyPointer } from '../../journal'
import { cellSql, factSql, itemSql, noveltySql, retentionSql, tieSql, unpackText } from '../../store'
import type { HandlerContext } from '../context'
import { cellView } from './cell.handlers'
import { rungViews } from './rung-views'

type Calls = 'items.get' | 'items.verify'

const FRAMES_SHOWN = 20
const FACTS_SHOWN = 40
const ENTITIES_SHOWN = 40
const PAGE = 500

export const itemHandlers = ({ read, write }: HandlerContext): Handlers<Calls> => {
  const { paths } = openRedactor(write)
  return {
    'items.get': async ({ handle }) => {
      const row = itemSql.itemByHandle(read, handle)
      if (!row) throw new AppError('not-found', `There is no item ${handle}.`)
      return itemDetail(read, row, await verifyPointer(row, paths))
    },
    'items.verify': async ({ handles }) => {
      const tally = { checked: 0, unchanged: 0, moved: 0, gone: 0, changed: 0 } satisfies Record<
        SourceStatus | 'checked',
        number
      >
      const items: { handle: Handle; status: SourceStatus }[] = []
      for (const page of handles ? chosen(read, handles) : everything(read)) {
        for (const row of page) {
          const status = await verifyPointer(row, paths)
          tally.checked++
          tally[status]++
          // Asked for the whole journal, only what is no longer as it was is worth a line.
          if (handles || status !== 'unchanged') items.push({ handle: Handle.parse(row.handle), status })
        }
      }
      return { ...tally, items }
    },
  }
}

function* chosen(read: HandlerContext['read'], handles: readonly Handle[]): Generator<itemSql.ItemRow[]> {
  for (const handle of handles) {
    const row = itemSql.itemByHandle(read, handle)
    if (!row) throw new AppError('not-found', `There is no item ${handle}.`)
    yield [row]
  }
}

function* everything(read: HandlerContext['read']): Generator<itemSql.ItemRow[]> {
  let after = 0
  for (;;) {
    const page = itemSql.itemsAfter(read, after, PAGE)
    if (page.length === 0) return
    yield page
    after = page.at(-1)?.id ?? after
  }
}

function itemDetail(read: HandlerContext['read'], row: itemSql.ItemRow, status: SourceStatus): ItemDetail {
  const goal = row.goal_handle === null ? undefined : itemSql.itemByHandle(read, row.goal_handle)
  const gone = retentionSql.letGoOf(read, row.handle)
  const rungs = rungViews(read, row.handle)
  return {
    handle: Handle.parse(row.handle),
    kind: ItemKind.parse(row.kind),
    ts: row.ts,
    session: row.session_id,
    sessions: itemSql.sessionsOf(read, row.id),
    agent: Agent.parse(row.agent),
    project: row.project,
    role: row.role,
    tool: row.tool,
    goal: goal ? { handle: Handle.parse(goal.handle), text: unpackText(goal) } : null,
    arc: row.arc_id,
    rungs: gone.length > 0 ? rungs : [verbatim(row), ...rungs],
    letGo:
      gone.length > 0
        ? { levels: gone.map(({ level }) => level), at: Math.max(...gone.map(({ at }) => at)) }
        : null,
    pointer: {
      file: row.file_path,
      recordId: row.record_id,
      line: row.line,
      byteOffset: row.byte_offset,
      byteLength: row.byte_length,
    },
    status,
    labels: JSON.parse(row.labels),
    facts: factSql.factsOf(read, row.id, FACTS_SHOWN),
    entities: factSql.entitiesOf(read, row.id, ENTITIES_SHOWN),
    cell: cellOf(read, row.id),
    repeats: repeatOf(read, row.id),
    frames: itemSql.framesOf(read, row.handle, FRAMES_SHOWN).map((frame) => ({
      receipt: ReceiptId.parse(frame.id),
      goal: frame.goal,
      createdAt: frame.created_at,
    })),
  }
}

function cellOf(read: HandlerContext['read'], itemId: number): ItemDetail['cell'] {
  const cell = cellSql.cellOfItem(read, itemId)
  return cell && cell.items >= cellSql.LEAST_ITEMS ? cellView(cell) : null
}

function repeatOf(read: HandlerContext['read'], itemId: number): ItemDetail['repeats'] {
  const repeat = noveltySql.repeatOf(read, itemId)
  const first = repeat && tieSql.handleOf(read, repeat.firstId)
  return repeat && first
    ? { first: Handle.parse(first), kind: repeat.kind, similarity: repeat.similarity }
    : null
}

/** L0 is the journal's own text; its tokens are an estimate of four characters each, as for any text nobody counted. */
function verbatim(row: itemSql.ItemRow): RungView {
  return {
    level: 'L0',
    text: unpackText(row),
    method: 'verbatim',
    model: null,
    tokens: Math.ceil(row.chars / 4),
  }
}
