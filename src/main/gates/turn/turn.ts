import type { BidSource, FacultySettings } from '../../../shared/attention'
import { TraceId } from '../../../shared/attention'
import type { Handle } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { TurnRequest, TurnResult } from '../../../shared/turn'
import { entitiesOfGoal, entityGraph, withEntities } from '../../curator'
import {
  attentionMode,
  type Bid,
  CALM,
  type Count,
  clip,
  depthFor,
  Faculty,
  type FacultyStore,
  FIXED_DEPTH,
  type Signal,
  signalTitle,
  type TurnResult as Taken,
  within,
} from '../../faculty'
import {
  DEAREST_ID,
  inert,
  oracleBids,
  planeNamed,
  type Recalled,
  type RecallPorts,
  recallBids,
} from '../../hydration'
import {
  dispatchBids,
  facultySettings,
  facultyStore,
  groupBids,
  LIVE_MS,
  LiveAttention,
  type Sight,
  telemetryBids,
  workingMemoryBids,
} from '../../journal'
import {
  gatesSql,
  hydrationSql,
  type ReadDb,
  type sessionSql,
  traceSql,
  turnSql,
  unpackText,
} from '../../store'
import { keepAssembly, traceIdOf } from '../assembly-receipts'
import { historyBids, relevanceTo } from '../gate.bids'
import { sceneBids } from '../scene.bids'
import { hurried } from './hurried'
import { planBids, readingBid, standingBid } from './plan.bids'
import { facultyOf, IN_WINDOW, PURPOSES, projectIn, toldBefore, unlessTold, windowIds } from './window'

/** What each source may take of a turn; fixed mode keeps to it, adaptive mode begins with it. */
const SHARES: Partial<Record<BidSource, number>> = {
  signal: 0.1,
  oracle: 0.12,
  recall: 0.35,
  'session-history': 0.15,
  'working-memory': 0.15,
  dispatch: 0.1,
  upstream: 0.1,
  artifact: 0.2,
  telemetry: 0.05,
  'group-activity': 0.08,
  'visual-scene': 0.05,
  situation: 0.12,
}
/** How much of the session bids. */
const HISTORY = 40
const PICTURES = 12
/** What an envelope's numbers may take beyond an empty one's. */
const DIGITS = 8
/** A signal is said in at most so many tokens. */
const SAID = 48

/** What an agent has in its own window while its session goes on. */
const OWN: ReadonlySet<BidSource> = new Set(['working-memory', 'session-history', 'artifact', 'visual-scene'])

/** A turn as it is being put together. */
interface Making {
  ports: RecallPorts
  request: TurnRequest
  session: sessionSql.SessionRow | null
  goal: string
  /** The session's request that the goal is, where it is one. */
  asked: Handle | null
  project: string | null
  now: number
  settings: FacultySettings
  /** Tokens left for the context within its envelope. */
  room: number
  count: Count
}

/**
 * The context for the next turn of an agent's session: what memory recalls for what is asked now, beside what the
 * session, its plan, its sub-agents, the sessions around it, the person's pins and the signals since the last turn have
 * to say, assembled by the session's own faculty under one budget. Its receipt and its trace are stored; the signals it
 * took do not come again.
 * @throws AppError `not-found` without a session; `bad-input` for a plane there is not, or when nothing says what the
 * turn is for
 */
export async function takeTurn(ports: RecallPorts, request: TurnRequest): Promise<TurnResult> {
  const { patience } = request
  const embedder = patience === undefined ? ports.embedder : hurried(ports.embedder, patience)
  const making = begin({ ...ports, embedder }, request)
  const told = ports.read.snapshot(() => toldBids(making))
  const recalled = await recallFor(making, told)
  const bids = withEntities(ports.read, together(making, told, recalled))
  return ports.write.transaction(() => {
    const taken = cycle(making, bids)
    return keep(making, recalled, taken)
  })
}

function begin(ports: RecallPorts, request: TurnRequest): Making {
  const { read } = ports
  const session = sessionOf(read, request)
  const asked = session && turnSql.newestOf(read, session.id, ['goal'], 1)[0]
  const goal = (request.goal ?? (asked ? unpackText(asked) : (session?.title ?? ''))).trim()
  if (goal === '')
    throw new AppError('bad-input', 'Nothing was asked in this session yet. Say what the turn is for.')
  const count: Count = (text) => ports.countTokens(inert(text), request.tokenizer)
  const around = ports.countTokens(ports.wrap(envelope(DEAREST_ID), ''), request.tokenizer) + DIGITS
  return {
    ports,
    request,
    session,
    goal,
    asked: request.goal === undefined && asked ? (asked.handle as Handle) : null,
    project: request.project ?? session?.project ?? projectIn(read, request.folder),
    now: ports.clock(),
    settings: facultySettings(read),
    room: request.budget - around,
    count,
  }
}

const envelope = (receipt: string) => ({ source: 'turn', receipt })

/** A named session may be so new that memory has not met it; then the turn is of the goal alone. */
function sessionOf(db: ReadDb, { session, goal, project }: TurnRequest): sessionSql.SessionRow | null {
  if (session !== undefined) {
    const found = turnSql.sessionLike(db, session)
    if (found || goal !== undefined) return found ?? null
    throw new AppError('not-found', `Memory holds no one session “${session}”. Give its whole id, or a goal.`)
  }
  const newest = turnSql.newestSession(db, project ?? null)
  if (newest || goal !== undefined) return goal === undefined ? (newest ?? null) : null
  throw new AppError('not-found', 'There is no session in memory yet. Ingest a transcript, or give a goal.')
}

function recallFor(making: Making, told: readonly Bid[]): Promise<Recalled> {
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

/** Everything that bids but recall. */
function toldBids(making: Making): Bid[] {
  const { ports, request, session, project, count, goal, settings, room } = making
  const relevance = relevanceTo(goal)
  return [
    readingBid(count),
    standingBid(session, { goal: request.inWindow ? null : goal, project, count, asked: making.asked }),
    ...oracleBids(ports.read, project, { relevance, count }),
    ...(session ? sessionBids(making, session, relevance) : []),
  ]
    .map(madeInert)
    .map((bid) => (request.inWindow && OWN.has(bid.source) ? { ...bid, withheld: IN_WINDOW } : bid))
    .map((bid) => (settings.adaptive ? bid : within(bid, limitOf(bid, room))))
}

const limitOf = ({ source }: Bid, room: number): number => (SHARES[source] ?? 1) * room

function together({ ports, request, session }: Making, told: readonly Bid[], recalled: Recalled): Bid[] {
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
  return { ...bid, rungs }
}

/** One cycle of the session's faculty. What has happened up to now is told to it first, whoever watches. */
function cycle(making: Making, bids: readonly Bid[]): Taken {
  const { ports, session, settings, now, room, goal, project } = making
  const attention = new LiveAttention(
    ports.write,
    () => now,
    () => settings.adaptive && settings.interrupts,
  )
  if (session) attention.changed(turnSql.sessionsAround(ports.read, session, now - LIVE_MS))
  const store = session ? facultyStore(ports.write) : NOTHING_PENDING
  const faculty = new Faculty(session?.id ?? 'turn', store, now)
  const world = {
    now,
    goal: { about: entitiesOfGoal(ports.read, goal, project) },
    graph: entityGraph(ports.read, { before: now, except: [] }),
  }
  const { faded, others } = remembered(faculty, bids, world)
  const depth = settings.adaptive && settings.adaptiveDepth ? depthFor(goal).shares : {}
  const [taken] = faculty.cycle(
    [{ bids: [...others, ...faded], budget: room, shares: { ...SHARES, ...depth } }],
    {
      ...world,
      settings,
      count: (text) => ports.countTokens(text, making.request.tokenizer),
      say: (signal) => said(making, signal),
      sayCost: SAID,
    },
  )
  attention.closeQuiet(now)
  if (!taken) throw new AppError('internal', 'The turn was not assembled. Try again.')
  return taken
}

/** Working memory holds so much; what it let go says so in the trace. */
function remembered(
  faculty: Faculty,
  bids: readonly Bid[],
  world: Parameters<Faculty['keepInMind']>[1],
): { faded: Bid[]; others: Bid[] } {
  const isStep = (bid: Bid): boolean => bid.source === 'working-memory' && !bid.withheld
  const faded = bids.filter(isStep).flatMap((bid) => faculty.keepInMind(bid, world))
  const withheld = { reason: 'faded' as const, detail: '' }
  return { faded: faded.map((bid) => ({ ...bid, withheld })), others: bids.filter((bid) => !isStep(bid)) }
}

/** A session that memory has not met has nothing pending, and nothing is kept of it. */
const NOTHING_PENDING: FacultyStore = {
  load: () => JSON.stringify(CALM),
  born: () => undefined,
  accept: () => false,
  pending: () => [],
  turned: () => undefined,
  closed: () => undefined,
}

/** What a signal was about, as much of it as may be said. */
function said({ ports, count }: Making, { kind, handle }: Signal): string {
  const item = handle === null ? undefined : gatesSql.itemByHandle(ports.read, handle)
  const about = item ? unpackText(item).trim() : ''
  for (let length = 160; about !== '' && length >= 10; length = Math.floor(length / 2)) {
    const text = `${signalTitle(kind)}: ${clip(about, length)}`
    if (count(text) <= SAID) return inert(text)
  }
  return `${signalTitle(kind)}.`
}

function keep(making: Making, recalled: Recalled, { context, trace, zone }: Taken): TurnResult {
  const { ports, request, session, goal, project, now } = making
  const id = ports.receiptId()
  const framed = (receipt: string): string => ports.wrap(envelope(receipt), context)
  const frame = framed(id)
  const receipt = keepAssembly(ports.write, {
    id,
    kind: 'hydrate',
    faculty: facultyOf(request, session),
    gate: null,
    purpose: request.given === undefined ? 'turn' : PURPOSES[request.given],
    plane: `turn:${request.plane}`,
    viewer: request.viewer,
    goal,
    project,
    tokenizer: request.tokenizer,
    budget: { asked: request.budget, spent: ports.countTokens(framed(DEAREST_ID), request.tokenizer) },
    trace,
    frame,
    at: now,
    ms: recalled.ms,
    recall: recalled,
    labels: [],
    match: recalled.match,
    facts: recalled.facts,
    omitted: recalled.omitted,
  })
  return {
    frame,
    receipt,
    trace: TraceId.parse(traceIdOf(id)),
    session: session?.id ?? null,
    zone,
    mode: attentionMode(zone),
  }
}
