import type { Trace, TraceReason, TraceRow } from '../../shared/attention'
import { Handle, type RecallPath, type ReceiptId } from '../../shared/domain'
import type { Match, Omitted, Receipt, ReceiptFact, ReceiptLine, Tokenizer } from '../../shared/recall'
import { traceColumns } from '../faculty'
import { keepReceipt, pointerOf } from '../hydration'
import { hydrationSql, type ReadDb, traceSql, type WriteDb } from '../store'

/** One assembled context as it is kept: for whom, under which budget, and what came of every bid. */
export interface KeptAssembly {
  id: ReceiptId
  kind: ReceiptLine['kind']
  faculty: string
  gate: string | null
  /** What it was for, in a word. */
  purpose: string
  plane: string
  viewer: string
  goal: string
  project: string | null
  tokenizer: Tokenizer
  /** What was asked for, and what the whole frame takes, with all that stands around the context. */
  budget: { asked: number; spent: number }
  trace: Trace
  frame: string
  at: number
  ms: Record<string, number>
  recall: { path: RecallPath; reason: string | null; model: string | null }
  /** How near memory came to the goal, where it was asked. */
  match?: Match
  /** Labels, as JSON arrays, that hold whatever else is in it. */
  labels: readonly string[]
  /** What is told of a fact better than its bid does. */
  facts?: ReadonlyMap<string, ReceiptFact>
  omitted?: readonly Omitted[]
}

/** Near misses kept in a receipt; the trace has every bid. */
const MISSES = 60

/** Keeps a receipt and a trace of one assembly. Inside the caller's transaction. */
export function keepAssembly(db: WriteDb, made: KeptAssembly): Receipt {
  const { id, trace, frame } = made
  const receipt = receiptOf(made, factsOf(db, made))
  const labels = labelsOf(db, trace, made.labels)
  keepReceipt(db, made.kind, { receipt, frame, labels })
  traceSql.insertTrace(db, {
    id: traceIdOf(id),
    faculty: made.faculty,
    receipt_id: id,
    gate_id: made.gate,
    call_id: null,
    purpose: made.purpose,
    goal: made.goal,
    ...traceColumns(trace),
    created_at: made.at,
    labels: JSON.stringify([...new Set(labels.flatMap((json) => JSON.parse(json) as string[]))].sort()),
  })
  return receipt
}

export const traceIdOf = (receipt: ReceiptId): string => receipt.replace(/^rcp_/, 'trc_')

function receiptOf(made: KeptAssembly, facts: ReceiptFact[]): Receipt {
  const { trace, recall, budget } = made
  const segments = [...new Set(trace.rows.map(({ source }) => source))]
  const spentBy = (source: string): number =>
    trace.rows.reduce((sum, row) => sum + (row.source === source && row.place !== null ? row.tokens : 0), 0)
  const reason = recall.reason === null ? {} : { reason: recall.reason }
  return {
    id: made.id,
    request: {
      goal: made.goal,
      plane: made.plane,
      segments,
      budget: budget.asked,
      asOf: made.at,
      viewer: made.viewer,
      tokenizer: made.tokenizer,
      project: made.project,
    },
    goal: made.goal,
    path: recall.path,
    paths: Object.fromEntries(segments.map((source) => [source, { path: recall.path, ...reason }])),
    model: recall.model,
    budget: {
      total: budget.asked,
      spent: budget.spent,
      segments: Object.fromEntries(
        segments.map((source) => [source, { budget: trace.budget, spent: Math.ceil(spentBy(source)) }]),
      ),
    },
    ...(made.match ? { match: made.match } : {}),
    facts,
    omitted: omittedOf(made),
    breadcrumbs: [],
    tokenizer: made.tokenizer,
    createdAt: made.at,
    ms: made.ms,
  }
}

/** The journal's items behind what stands in the context, each once. */
function factsOf(db: ReadDb, { trace, facts: better }: KeptAssembly): ReceiptFact[] {
  const standing = new Map<string, TraceRow>()
  for (const row of trace.rows) {
    if (row.place === null) continue
    for (const handle of row.handles) if (!standing.has(handle)) standing.set(handle, row)
  }
  return hydrationSql.itemsByHandle(db, [...standing.keys()]).flatMap((item): ReceiptFact[] => {
    const row = standing.get(item.handle)
    if (!row?.level) return []
    const own = { level: row.level, tokens: Math.ceil(row.tokens) }
    const told = row.source === 'recall' ? better?.get(item.handle) : undefined
    if (told) return [{ ...told, ...own, segment: row.source }]
    return [
      {
        ...own,
        handle: Handle.parse(item.handle),
        kind: item.kind,
        segment: row.source,
        cell: null,
        seededBy: [],
        hop: 0,
        score: row.salience,
        terms: row.terms,
        ts: item.ts,
        session: item.session,
        project: item.project,
        text: row.title,
        pointer: pointerOf(item),
      },
    ]
  })
}

const MISSED_FOR: Partial<Record<TraceReason, Omitted['reason']>> = {
  budget: 'budget',
  floor: 'below-floor',
  duplicate: 'duplicate',
}

/** What recall left out before it bid, and what bid and found no room. */
function omittedOf({ trace, omitted }: KeptAssembly): Omitted[] {
  if (!omitted) return []
  const lost = trace.rows.flatMap(({ source, verdict, reason, handles, salience, title }): Omitted[] => {
    const why = reason === null ? undefined : MISSED_FOR[reason]
    const [handle] = handles
    if (source !== 'recall' || verdict !== 'dropped' || !why || !handle) return []
    return [{ handle, reason: why, score: salience, title }]
  })
  return [...lost, ...omitted]
    .sort((a, b) => b.score - a.score || (a.handle < b.handle ? -1 : 1))
    .slice(0, MISSES)
}

/** Labels of everything that stands in the context: of the gate, of items, of remembered gates. */
function labelsOf(db: ReadDb, trace: Trace, own: readonly string[]): string[] {
  const rows = trace.rows.filter(({ place }) => place !== null)
  const items = hydrationSql.itemsByHandle(db, [...new Set(rows.flatMap(({ handles }) => handles))])
  const chunks = rows.flatMap(({ source, bid }) => (source === 'recall' ? [bid.slice('recall:'.length)] : []))
  return [
    ...own,
    ...items.map(({ labels }) => labels),
    ...traceSql.chunkSources(db, chunks).map(({ labels }) => labels),
  ]
}
