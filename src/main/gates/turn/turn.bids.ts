import type { BidSource } from '../../../shared/attention'
import { withoutControls } from '../../../shared/plain-text'
import { type Bid, depthFor, FIXED_DEPTH, within } from '../../faculty'
import { inert, oracleBids, planeNamed, type Recalled, recallBids } from '../../hydration'
import { dispatchBids, groupBids, LIVE_MS, type Sight, telemetryBids, workingMemoryBids } from '../../journal'
import { hydrationSql, type sessionSql, traceSql, turnSql } from '../../store'
import { historyBids, relevanceTo } from '../gate.bids'
import { sceneBids } from '../scene.bids'
import type { Making } from './making'
import { planBids, readingBid, standingBid } from './plan.bids'
import { SHARES } from './shares'
import { IN_WINDOW, toldBefore, unlessTold, windowIds } from './window'

// What bids for a turn: memory's recall, and all that the session, its surroundings and the person have to say.

/** How much of the session bids. */
const HISTORY = 40
const PICTURES = 12

/** What an agent has in its own window while its session goes on. */
const OWN: ReadonlySet<BidSource> = new Set(['working-memory', 'session-history', 'artifact', 'visual-scene'])

/** Everything that bids but recall. */
export function toldBids(making: Making): Bid[] {
  const { ports, request, session, project, count, goal, settings, room } = making
  const relevance = relevanceTo(goal)
  const standing = standingBid(session, {
    goal: request.inWindow ? null : goal,
    project,
    count,
    asked: making.asked,
  })
  const told = [
    readingBid(count),
    ...(standing ? [standing] : []),
    ...oracleBids(ports.read, project, { relevance, count }),
    ...(session ? sessionBids(making, session, relevance) : []),
  ].map(madeInert)
  return eachLineOnce(told)
    .map((bid) => (request.inWindow && OWN.has(bid.source) ? { ...bid, withheld: IN_WINDOW } : bid))
    .map((bid) => (settings.adaptive ? bid : within(bid, limitOf(bid, room))))
}

/** What happened twice in the same words is told once: the last time. */
function eachLineOnce(bids: readonly Bid[]): Bid[] {
  const newest = new Map<unknown, Bid>()
  for (const bid of bids) {
    const known = newest.get(lineOf(bid))
    if (!bid.withheld && (known === undefined || isLater(bid, known))) newest.set(lineOf(bid), bid)
  }
  return bids.map((bid): Bid => {
    const other = newest.get(lineOf(bid))
    if (bid.withheld || other === undefined || other === bid) return bid
    return { ...bid, withheld: { reason: 'duplicate', detail: `shown by ${other.id}` } }
  })
}

/** The whole of what it would say; a text that is made only when it is shown is like no other. */
function lineOf({ id, rungs }: Bid): string {
  const whole = rungs.at(-1)?.render
  return typeof whole === 'string' ? whole : id
}

const isLater = (a: Bid, b: Bid): boolean =>
  (a.at ?? 0) > (b.at ?? 0) || (a.at === b.at && (a.order ?? 0) > (b.order ?? 0))

const limitOf = ({ source }: Bid, room: number): number => (SHARES[source] ?? 1) * room

export function recallFor(making: Making, told: readonly Bid[]): Promise<Recalled> {
  const { ports, request, goal, project, now, settings, room } = making
  const depth = settings.adaptive && settings.adaptiveDepth ? depthFor(goal) : FIXED_DEPTH
  const { newest } = hydrationSql.recallState(ports.read)
  return recallBids(ports, {
    goal,
    plane: planeNamed(ports.read, request.plane),
    budget: room,
    share: recallShare(told, room),
    tokenizer: request.tokenizer,
    asOf: Math.max(now, newest),
    most: depth.bids,
    ladders: settings.adaptive,
    ...(project === null ? {} : { project }),
  })
}

/** Recall's own share, and what the others do not ask for of theirs. */
function recallShare(told: readonly Bid[], room: number): number {
  const bySource = Map.groupBy(
    told.filter(({ withheld }) => !withheld),
    ({ source }) => source,
  )
  let asked = 0
  for (const [source, bids] of bySource) {
    const wanted = bids.reduce((sum, { rungs }) => sum + (rungs.at(-1)?.tokens ?? 0) + 1, 0)
    asked += Math.min(wanted / room, SHARES[source] ?? 1)
  }
  return Math.max(SHARES.recall ?? 0, 1 - asked)
}

/** Recall beside the others, each thing once, and what the agent still has in its window left out. */
export function together(
  { ports, request, session }: Making,
  told: readonly Bid[],
  recalled: Recalled,
): Bid[] {
  const { bids, facts, match } = recalled
  const inWindow = (bid: Bid): boolean =>
    request.inWindow && session !== null && facts.get(bid.key ?? '')?.session === session.id
  const better = new Map(
    told.flatMap((bid) => (TELLS_MORE.has(bid.source) && bid.key ? [[bid.key, bid.id]] : [])),
  )
  const others = bids.map((bid): Bid => {
    const other = better.get(bid.key ?? '')
    if (inWindow(bid)) return { ...bid, withheld: IN_WINDOW }
    if (request.onlyNear && match.weak) return { ...bid, withheld: FAR }
    return other ? { ...bid, withheld: { reason: 'duplicate', detail: `shown by ${other}` } } : bid
  })
  const all = [...told, ...others]
  if (!request.inWindow) return all
  return all.map(unlessTold(toldBefore(ports.read, windowIds(request, session))))
}

const FAR = { reason: 'floor' as const, detail: 'nothing in memory comes near what is asked' }

/** These say of an item what it is to the session, where recall has only its words. */
const TELLS_MORE: ReadonlySet<BidSource> = new Set(['oracle', 'dispatch', 'artifact'])

function sessionBids(making: Making, session: sessionSql.SessionRow, relevance: Sight['relevance']): Bid[] {
  const { ports, now, count, goal, settings } = making
  const { read: db } = ports
  const since = turnSql.newestOf(db, session.id, ['goal'], 1)[0]?.position ?? 0
  const sight: Sight = { db, session, now, since, relevance, count }
  const until = { ts: Number.MAX_SAFE_INTEGER, position: null }
  return [
    ...historyBids(traceSql.historyBefore(db, session.id, until, HISTORY), goal, count),
    ...workingMemoryBids(sight),
    ...dispatchBids(sight),
    ...planBids(db, session, count),
    ...telemetryBids(sight),
    ...groupBids(sight, LIVE_MS),
    ...sceneBids(traceSql.picturesBefore(db, session.id, until, PICTURES), goal, {
      gated: settings.adaptive && settings.sceneGate,
      count,
    }),
  ]
}

/** What was counted as inert is shown as inert; recall's lines are already. */
function madeInert(bid: Bid): Bid {
  const rungs = bid.rungs.map((rung) =>
    typeof rung.render === 'string' ? { ...rung, render: inert(rung.render) } : rung,
  )
  return { ...bid, title: withoutControls(bid.title), rungs }
}
