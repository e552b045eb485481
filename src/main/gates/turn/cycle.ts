import { AppError } from '../../../shared/errors'
import { entitiesOfGoal, entityGraph } from '../../curator'
import {
  type Bid,
  CALM,
  clip,
  depthFor,
  Faculty,
  type FacultyStore,
  type Signal,
  signalTitle,
  type TurnResult as Taken,
} from '../../faculty'
import { inert } from '../../hydration'
import { facultyStore, LIVE_MS, LiveAttention } from '../../journal'
import { gatesSql, turnSql, unpackText } from '../../store'
import type { Making } from './making'
import { SHARES } from './shares'

/** A signal is said in at most so many tokens. */
const SAID = 48

/** One cycle of the session's faculty. What has happened up to now is told to it first, whoever watches. */
export function cycle(making: Making, bids: readonly Bid[]): Taken {
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
  const words = item && (turnSql.printedBy(ports.read, item.handle) ?? item)
  const about = words ? unpackText(words).trim() : ''
  // What failed and is no command: an edit that met no match.
  const title = item?.kind === 'error' ? 'A step failed' : signalTitle(kind)
  for (let length = 160; about !== '' && length >= 10; length = Math.floor(length / 2)) {
    const text = `${title}: ${clip(about, length)}`
    if (count(text) <= SAID) return inert(text)
  }
  return `${title}.`
}
