import type { Trace, TraceRow } from '../../shared/attention'
import { Handle, ReceiptId } from '../../shared/domain'
import type { Receipt, ReceiptFact } from '../../shared/recall'
import { type Assembly, type Bid, Faculty, facultyId, signalTitle } from '../faculty'
import { keepReceipt, pointerOf } from '../hydration'
import { facultySettings, facultyStore } from '../journal'
import type { CasePrediction, VectorSpace } from '../proxy'
import { hydrationSql, type ReadDb, traceSql, type WriteDb } from '../store'
import { base32, type GateDeps } from './deps'
import { askedFor, count, PASS_BUDGET, type Pass, posteriorBids, priorBids, priorSources } from './passes'
import type { Reading } from './reading'

/** The one proxy of this memory; its faculty's id is made from it. */
export const PROXY = 'proxy'

/** Both passes as they were put together, not yet kept. */
export interface MadePasses {
  at: number
  passes: readonly { pass: Pass; id: ReceiptId; assembly: Assembly; ms: number }[]
}

/** What bids for each pass. The prior's bids are made before anything of the artifact is touched. */
export function passBids(deps: GateDeps, { subject, prepared }: Reading, made: CasePrediction): PassBids {
  const sources = priorSources(
    deps.read,
    { subject, prepared, prior: made.prior },
    facultySettings(deps.read),
  )
  const prior = priorBids(sources)
  return { prior, posterior: posteriorBids(sources, { subject, prepared, posterior: made.posterior }) }
}

type PassBids = Record<Pass, readonly Bid[]>

/**
 * Both passes in one cycle of the proxy's faculty: what came up since the last one bids in each. Inside the caller's
 * transaction, because the cycle takes signals.
 */
export function makePasses(
  deps: GateDeps,
  { subject }: Reading,
  bids: PassBids,
  ids: Record<Pass, ReceiptId>,
): MadePasses {
  const settings = facultySettings(deps.read)
  const at = deps.clock()
  const started = performance.now()
  const faculty = new Faculty(PROXY, facultyStore(deps.write), at)
  const assemblies = faculty.cycle(askedFor(bids, subject.gate.stimulus, settings), {
    settings,
    now: at,
    goal: { about: [] },
    count,
    say: ({ kind }) => `${signalTitle(kind)}.`,
    sayCost: SIGNAL_TOKENS,
  })
  const ms = performance.now() - started
  const passes = PASSES.flatMap((pass, i) => {
    const assembly = assemblies[i]
    return assembly ? [{ pass, id: ids[pass], assembly, ms }] : []
  })
  return { at, passes }
}

const PASSES = ['prior', 'posterior'] as const
/** No sentence on a signal takes more. */
const SIGNAL_TOKENS = 16

/** Fresh ids for the receipts of both passes. */
export function newReceiptIds({ random }: GateDeps): Record<Pass, ReceiptId> {
  const id = (): ReceiptId => ReceiptId.parse(`rcp_${base32(random())}`)
  return { prior: id(), posterior: id() }
}

/** Keeps a receipt of kind `prediction` and a trace for each pass. Inside the caller's transaction. */
export function keepPasses(db: WriteDb, made: MadePasses, { subject, space }: Reading): void {
  const { row } = subject
  // Never the title: that is read off the artifact, and this line stands over the prior too.
  const goal =
    subject.gate.stimulus.trim() ||
    `A gate at ${row.state}${row.project === null ? '' : ` in ${row.project}`}`
  for (const { pass, id, assembly, ms } of made.passes) {
    const { trace, context } = assembly
    const facts = factsOf(db, trace)
    const receipt = receiptOf({ id, pass, goal, trace, facts, ms, at: made.at, project: row.project, space })
    const labels = labelsOf(db, trace, row.labels)
    keepReceipt(db, 'prediction', { receipt, frame: context, labels })
    traceSql.insertTrace(db, {
      id: id.replace(/^rcp_/, 'trc_'),
      faculty: facultyId(PROXY),
      receipt_id: id,
      gate_id: row.id,
      purpose: pass,
      goal,
      mode: trace.mode,
      zone: trace.zone,
      budget: trace.budget,
      spent: trace.spent,
      bids: trace.rows.length,
      kept: trace.rows.filter(({ verdict }) => verdict !== 'dropped').length,
      created_at: made.at,
      body: JSON.stringify(trace),
      provenance: JSON.stringify([...new Set(trace.rows.flatMap(({ handles }) => handles))]),
      labels: JSON.stringify([...new Set(labels.flatMap((json) => JSON.parse(json) as string[]))].sort()),
    })
  }
}

interface Made {
  id: ReceiptId
  pass: Pass
  goal: string
  trace: Trace
  facts: ReceiptFact[]
  ms: number
  at: number
  project: string | null
  space: VectorSpace
}

function receiptOf({ id, pass, goal, trace, facts, ms, at, project, space }: Made): Receipt {
  const path = space.semantic ? 'hybrid' : 'lexical'
  const segments = [...new Set(trace.rows.map(({ source }) => source))]
  const spentBy = (source: string): number =>
    trace.rows.reduce((sum, row) => sum + (row.source === source && row.place !== null ? row.tokens : 0), 0)
  const reason = space.reason === null ? {} : { reason: space.reason }
  return {
    id,
    request: {
      goal,
      plane: pass,
      segments,
      budget: PASS_BUDGET[pass],
      asOf: at,
      viewer: 'proxy',
      tokenizer: 'o200k',
      project,
    },
    goal,
    path,
    paths: Object.fromEntries(segments.map((source) => [source, { path, ...reason }])),
    model: space.semantic ? space.name : null,
    budget: {
      total: trace.budget,
      spent: trace.spent,
      segments: Object.fromEntries(
        segments.map((source) => [source, { budget: trace.budget, spent: spentBy(source) }]),
      ),
    },
    facts,
    omitted: [],
    breadcrumbs: [],
    tokenizer: 'o200k',
    createdAt: at,
    ms: { total: Math.round(ms * 1000) / 1000 },
  }
}

/** The journal's items behind what stands in the context, each once. */
function factsOf(db: ReadDb, trace: Trace): ReceiptFact[] {
  const standing = new Map<string, TraceRow>()
  for (const row of trace.rows) {
    if (row.place === null) continue
    for (const handle of row.handles) if (!standing.has(handle)) standing.set(handle, row)
  }
  return hydrationSql.itemsByHandle(db, [...standing.keys()]).flatMap((item) => {
    const row = standing.get(item.handle)
    if (!row?.level) return []
    return [
      {
        handle: Handle.parse(item.handle),
        kind: item.kind,
        segment: row.source,
        cell: null,
        level: row.level,
        seededBy: [],
        hop: 0,
        score: row.salience,
        terms: row.terms,
        tokens: Math.ceil(row.tokens),
        ts: item.ts,
        session: item.session,
        project: item.project,
        text: row.title,
        pointer: pointerOf(item),
      },
    ]
  })
}

/** Labels of everything that stands in the context: of the gate, of items, of remembered gates. */
function labelsOf(db: ReadDb, trace: Trace, own: string): string[] {
  const rows = trace.rows.filter(({ place }) => place !== null)
  const items = hydrationSql.itemsByHandle(db, [...new Set(rows.flatMap(({ handles }) => handles))])
  const chunks = rows.flatMap(({ source, bid }) => (source === 'recall' ? [bid.slice('recall:'.length)] : []))
  return [
    own,
    ...items.map(({ labels }) => labels),
    ...traceSql.chunkSources(db, chunks).map(({ labels }) => labels),
  ]
}
