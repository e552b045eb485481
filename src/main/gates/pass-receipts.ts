import { ReceiptId } from '../../shared/domain'
import { entitiesOfGoal, entityGraph, withEntities } from '../curator'
import { type Assembly, type Bid, Faculty, facultyId, signalTitle } from '../faculty'
import { facultySettings, facultyStore } from '../journal'
import type { CasePrediction } from '../proxy'
import { gatesSql, type ReadDb, type WriteDb } from '../store'
import { keepAssembly } from './assembly-receipts'
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
  const posterior = posteriorBids(sources, { subject, prepared, posterior: made.posterior })
  return { prior: withEntities(deps.read, prior), posterior: withEntities(deps.read, posterior) }
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
  const { row, gate } = subject
  const at = deps.clock()
  const started = performance.now()
  const faculty = new Faculty(PROXY, facultyStore(deps.write), at)
  const assemblies = faculty.cycle(askedFor(bids, gate.stimulus, settings), {
    settings,
    now: at,
    goal: { about: entitiesOfGoal(deps.read, gate.stimulus, row.project) },
    graph: entityGraph(deps.read, { before: row.created_at, except: plansOf(deps.read, row.lineage) }),
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

/** Activation must not run through what the prior may not see: the artifact's own item, or another version's. */
const plansOf = (db: ReadDb, lineage: string): string[] =>
  gatesSql
    .gatesOfLineage(db, lineage)
    .flatMap(({ plan_handle, decision_handle }) => [plan_handle, decision_handle])
    .filter((handle) => handle !== null)

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
    keepAssembly(db, {
      id,
      kind: 'prediction',
      faculty: facultyId(PROXY),
      gate: row.id,
      purpose: pass,
      plane: pass,
      viewer: 'proxy',
      goal,
      project: row.project,
      tokenizer: 'o200k',
      budget: { asked: PASS_BUDGET[pass], spent: trace.spent },
      trace,
      frame: context,
      at: made.at,
      ms: { total: Math.round(ms * 1000) / 1000 },
      recall: {
        path: space.semantic ? 'hybrid' : 'lexical',
        reason: space.reason,
        model: space.semantic ? space.name : null,
      },
      labels: [row.labels],
    })
  }
}
