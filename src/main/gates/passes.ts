import type { FacultySettings } from '../../shared/attention'
import type { Handle } from '../../shared/domain'
import { type Asked, type Bid, depthFor } from '../faculty'
import { countTokens } from '../models'
import { attentionBids, type CasePrediction, caseBids, type Prepared, situationBid } from '../proxy'
import { gatesSql, type ReadDb, traceSql } from '../store'
import { artifactBid, groundingBids, historyBids, perceptBids, roundBids, upstreamBids } from './gate.bids'
import { sceneBids } from './scene.bids'
import type { Subject } from './subject'

/** Tokens each pass may take: what a small local model reads in one go, the answer left aside. */
export const PASS_BUDGET = { prior: 2000, posterior: 6000 } as const
export type Pass = keyof typeof PASS_BUDGET

/** How much of the session bids. */
const HISTORY = 40
const PICTURES = 12

export const count = (text: string): number => countTokens(text, 'o200k')

/** What the first pass is told. There is no artifact in it, nor anything that only the artifact tells. */
export interface PriorSources {
  situation: Subject['gate']['situation']
  stimulus: string
  history: readonly traceSql.HistoryItem[]
  pictures: readonly traceSql.PictureItem[]
  sceneGate: boolean
  rounds: ReturnType<typeof gatesSql.notesOfLineage>
  memory: Pick<CasePrediction['prior'], 'cases' | 'surprising'>
  attention: Prepared['inspection']['attention']
  /** The items each remembered gate rests on. */
  chunkHandles: ReadonlyMap<string, readonly Handle[]>
  /** The number of this interaction. */
  now: number
  artifact?: never
}

export function priorSources(
  db: ReadDb,
  reading: { subject: Subject; prepared: Prepared; prior: CasePrediction['prior'] },
  settings: FacultySettings,
): PriorSources {
  const { subject, prepared, prior } = reading
  const { row, gate, version } = subject
  const plan = row.plan_handle === null ? undefined : gatesSql.itemByHandle(db, row.plan_handle)
  const until = { ts: row.created_at, position: plan?.position ?? null }
  return {
    situation: gate.situation,
    stimulus: gate.stimulus,
    history: row.session_id === null ? [] : traceSql.historyBefore(db, row.session_id, until, HISTORY),
    pictures: row.session_id === null ? [] : traceSql.picturesBefore(db, row.session_id, until, PICTURES),
    sceneGate: settings.adaptive && settings.sceneGate,
    rounds: gatesSql.notesOfLineage(db, row.lineage).filter((round) => round.version < version),
    memory: { cases: prior.cases, surprising: prior.surprising },
    attention: prepared.inspection.attention,
    chunkHandles: new Map(
      traceSql
        .chunkSources(
          db,
          prepared.context.memory.map(({ id }) => id),
        )
        .map(({ id, provenance }) => [id, JSON.parse(provenance) as Handle[]]),
    ),
    now: prepared.context.now,
  }
}

export function priorBids(sources: PriorSources): Bid[] {
  return [
    ...groundingBids(count),
    situationBid(sources.situation, sources.stimulus, count),
    ...historyBids(sources.history, sources.stimulus, count),
    ...roundBids(sources.rounds, count),
    ...sceneBids(sources.pictures, sources.stimulus, { gated: sources.sceneGate, count }),
    ...caseBids(sources.memory, sources.now, count).map((bid) => ({
      ...bid,
      handles: sources.chunkHandles.get(bid.key ?? '') ?? [],
    })),
    ...attentionBids(sources.attention, sources.situation.state, count),
  ]
}

/** The second pass has all that the first one had, its own retrieval, and the artifact with what it answers to. */
export function posteriorBids(
  sources: PriorSources,
  read: { subject: Subject; prepared: Prepared; posterior: CasePrediction['posterior'] },
): Bid[] {
  const { subject, prepared, posterior } = read
  const memory = { cases: posterior.cases, surprising: sources.memory.surprising }
  return [
    ...priorBids({ ...sources, memory }),
    { ...artifactBid(prepared, subject.gate.title, count), handles: handlesOf(subject) },
    ...upstreamBids(subject.gate.upstream, count),
    ...perceptBids(prepared, count),
  ]
}

const handlesOf = ({ row }: Subject): Handle[] =>
  row.plan_handle === null ? [] : [row.plan_handle as Handle]

/** What both passes ask their faculty for. With adaptive depth the question decides how much recall bids. */
export function askedFor(
  bids: Record<Pass, readonly Bid[]>,
  stimulus: string,
  settings: FacultySettings,
): Asked[] {
  const depth = settings.adaptive && settings.adaptiveDepth ? depthFor(stimulus) : null
  return (['prior', 'posterior'] as const).map((pass) => ({
    budget: PASS_BUDGET[pass],
    bids: depth ? narrowed(bids[pass], depth.bids) : bids[pass],
    ...(depth ? { shares: depth.shares } : {}),
  }))
}

function narrowed(bids: readonly Bid[], most: number): Bid[] {
  let recalled = 0
  return bids.filter(({ source }) => {
    if (source === 'recall') recalled += 1
    return source !== 'recall' || recalled <= most
  })
}
