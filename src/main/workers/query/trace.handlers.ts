import { StoredTrace, type TraceId, TraceLine } from '../../../shared/attention'
import type { Handlers } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'
import { compareTraces } from '../../faculty'
import { type ReadDb, traceSql } from '../../store'
import type { HandlerContext } from '../context'

/** What attention decided and why, over the contract. */
export const traceHandlers = ({
  read,
}: HandlerContext): Handlers<'traces.list' | 'traces.get' | 'traces.compare'> => ({
  'traces.list': ({ limit, before, gate, ofModel }) => ({
    traces: traceSql
      .listTraces(read, {
        limit,
        ofModel,
        ...(before === undefined ? {} : { before }),
        ...(gate === undefined ? {} : { gate }),
      })
      .map(lineOf),
  }),
  'traces.get': (wanted) => openTrace(read, wanted),
  'traces.compare': ({ before, after }) => ({
    differences: compareTraces(openTrace(read, { id: before }).trace, openTrace(read, { id: after }).trace),
  }),
})

/** A prediction that is hidden until the decision hides what it was made from as well. */
export function refuseSealed(db: ReadDb, receipt: string): void {
  if (!traceSql.isSealed(db, receipt)) return
  throw new AppError(
    'forbidden',
    'This is what a hidden prediction was made from. It opens when you have decided its gate.',
  )
}

/** @throws AppError `not-found`; `forbidden` while its prediction is hidden; `corrupt` */
function openTrace(db: ReadDb, wanted: { id: TraceId } | { receipt: string }): StoredTrace {
  const row = 'id' in wanted ? traceSql.traceById(db, wanted.id) : traceSql.traceOfReceipt(db, wanted.receipt)
  if (!row) {
    throw new AppError(
      'not-found',
      `There is no trace ${'id' in wanted ? wanted.id : `of receipt ${wanted.receipt}`}.`,
    )
  }
  if (row.receipt_id !== null) refuseSealed(db, row.receipt_id)
  const parsed = StoredTrace.safeParse({
    id: row.id,
    faculty: row.faculty,
    receipt: row.receipt_id,
    gate: row.gate_id,
    purpose: row.purpose,
    goal: row.goal,
    createdAt: row.created_at,
    trace: parseJson(row.body),
  })
  if (!parsed.success) throw new AppError('corrupt', `The trace ${row.id} is stored but cannot be read.`)
  return parsed.data
}

const lineOf = (row: ReturnType<typeof traceSql.listTraces>[number]): TraceLine =>
  TraceLine.parse({ ...row, receipt: row.receipt_id, gate: row.gate_id, createdAt: row.created_at })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
