import type { Handle } from '../../shared/domain'
import { type Bid, type Count, clip, ladder, rung } from '../faculty'
import { type ReadDb, turnSql, unpackText } from '../store'
import { parseItemData } from './item-data'

// What a live session and those around it have to say for its next turn: working memory, sub-agents' results, what
// others do to the same files, and how the session is going. Every bid is made from rows of the journal.

/** A session as its bids see it. `relevance`: 0 to 1, how much of the goal a text speaks of. */
export interface Sight {
  db: ReadDb
  session: { id: string; project: string | null; started_at: number }
  now: number
  /** The position of the session's newest request; 0 when it has none. */
  since: number
  relevance: (text: string) => number
  count: Count
}

const STEPS = 40
const SUB_AGENTS = 8
const OTHERS = 6
const FILES = 60
/** What others did longer ago than this is history, not activity. */
const ACTIVITY_MS = 24 * 3_600_000
/** A whole text longer than this is no step of working memory. */
const STEP_CHARS = 2000

/** What was done last, the newest first to stay: commands, files, remarks. */
export function workingMemoryBids({ db, session, since, relevance, count }: Sight): Bid[] {
  return turnSql.newestOf(db, session.id, ['command', 'file_op', 'note'], STEPS).flatMap((item) => {
    const step = stepOf(item)
    if (!step) return []
    const { text, failed, wrote } = step
    return [
      {
        id: `step:${item.handle}`,
        source: 'working-memory' as const,
        title: clip(text, 90),
        key: item.handle,
        order: item.position,
        rank: -item.position,
        at: item.ts,
        terms: {
          relevance: Math.max(relevance(text), item.position >= since ? 0.3 : 0),
          importance: failed ? 0.8 : wrote ? 0.6 : 0.3,
        },
        rungs: ladder((own) => own, text, count, STEP_CHARS),
        handles: [item.handle as Handle],
      },
    ]
  })
}

interface Step {
  text: string
  failed: boolean
  wrote: boolean
}

function stepOf(item: turnSql.SessionItem): Step | null {
  try {
    if (item.kind === 'file_op') {
      const { op, path, added = 0, removed = 0 } = parseItemData('file_op', item.data)
      const change = added + removed > 0 ? ` (+${added} −${removed} lines)` : ''
      const wrote = op === 'write' || op === 'edit'
      return { text: `${DONE[op]} ${path}${change}`, failed: false, wrote }
    }
    if (item.kind === 'command') {
      const { command, failed, exitCode } = parseItemData('command', item.data)
      const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`
      return {
        text: `Ran \`${clip(command, 400)}\`${failed ? `, which failed${code}` : ''}`,
        failed,
        wrote: false,
      }
    }
    const text = unpackText(item).trim()
    return text === '' ? null : { text: `${speakerOf(item)}: ${text}`, failed: false, wrote: false }
  } catch {
    // Data of another version's shape: it is no step that this one can tell.
    return null
  }
}

function speakerOf({ role, tool, data }: turnSql.SessionItem): string {
  const { name } = parseItemData('note', data)
  if (name !== undefined) return `${name} said`
  if (role === 'user') return 'The person said'
  if (role === 'assistant') return 'The agent said'
  return role === 'tool' ? `${tool ?? 'A tool'} answered` : 'It was said'
}

const DONE = { read: 'Read', write: 'Wrote', edit: 'Edited', search: 'Searched' } as const

/** What finished sub-agents came back with. New since the last request counts as a surprise. */
export function dispatchBids({ db, session, since, relevance, count }: Sight): Bid[] {
  const asked = since === 0 ? 0 : (turnSql.newestOf(db, session.id, ['goal'], 1)[0]?.ts ?? 0)
  return turnSql.finishedSubAgents(db, session.id, SUB_AGENTS).map((sub, order): Bid => {
    const sent = turnSql.firstOf(db, sub.session, 'goal')
    const task = clip(sub.title ?? (sent ? unpackText(sent) : 'its task'), 120)
    const text = unpackText(sub).trim() || '(nothing said)'
    return {
      id: `dispatch:${sub.session}`,
      source: 'dispatch',
      title: `A sub-agent finished: ${clip(task, 70)}`,
      order,
      at: sub.ts,
      key: sub.handle,
      terms: { relevance: relevance(`${task} ${text}`), importance: 0.7, surprise: sub.ts >= asked ? 1 : 0 },
      rungs: ladder((own) => `A sub-agent finished “${task}”: ${own}`, text, count),
      handles: [sub.handle as Handle],
    }
  })
}

/** Other sessions at the same files, and who else works on the project now. */
export function groupBids(sight: Sight, liveMs: number): Bid[] {
  const { db, session, now, count } = sight
  const since = Math.max(session.started_at, now - ACTIVITY_MS)
  const touched = Map.groupBy(turnSql.filesSharedWith(db, session, since, FILES), (one) => one.session)
  const live = turnSql.othersAtWork(db, session.project, {
    except: session.id,
    since: now - liveMs,
    limit: OTHERS,
  })
  const atFiles = [...touched].slice(0, OTHERS).map(([other, files], order): Bid => {
    const names = files.map(({ path }) => path)
    const head = `Another session wrote ${names.length === 1 ? 'a file' : `${names.length} files`} of this one`
    const rungs = [rung('L3', `${head}.`, count), rung('L0', `${head}: ${names.join(', ')}.`, count)]
    return {
      id: `group:${other}`,
      source: 'group-activity',
      title: `${head}: ${clip(names.join(', '), 60)}`,
      order,
      at: Math.max(...files.map(({ ts }) => ts)),
      terms: { relevance: 0.6, importance: 0.8, surprise: 0.5 },
      rungs,
      handles: files.map(({ handle }) => handle as Handle),
    }
  })
  const atWork = live
    .filter(({ session: other }) => !touched.has(other))
    .map((one, order): Bid => {
      const text = clip(unpackText(one), 160)
      return {
        id: `group:${one.session}`,
        source: 'group-activity',
        title: `At work beside it: ${clip(text, 60)}`,
        order: OTHERS + order,
        at: one.ts,
        terms: { relevance: sight.relevance(text), importance: 0.3 },
        rungs: [rung('L0', `Another session of the project is at work on: ${text}`, count)],
        handles: [one.handle as Handle],
      }
    })
  return [...atFiles, ...atWork]
}

/** How the session is going, in numbers the journal has. What its model used is not among them. */
export function telemetryBids({ db, session, since, count }: Sight): Bid[] {
  const all = turnSql.telemetryOf(db, session.id, 0)
  if (!all) return []
  const own = turnSql.telemetryOf(db, session.id, since)
  const parts = [
    `${lasting(all.lastTs - all.firstTs)} from its first step to its last`,
    plural(all.requests, 'request'),
    failures(all),
    plural(all.edits, 'edit'),
  ]
  const recent = own && own.failed + own.otherFailures > 0 ? ` Since the last request: ${failures(own)}.` : ''
  const text = `The session so far: ${parts.join('; ')}.${recent}`
  const share = own && own.commands > 0 ? own.failed / own.commands : 0
  return [
    {
      id: 'telemetry',
      source: 'telemetry',
      title: failures(all),
      at: all.lastTs,
      terms: { relevance: 0.2, importance: share > 0.5 ? 0.8 : 0.2, surprise: share },
      rungs: [rung('L0', text, count)],
    },
  ]
}

function failures({ commands, failed, otherFailures }: turnSql.Telemetry): string {
  const others = otherFailures === 0 ? '' : `, and ${plural(otherFailures, 'failure')} of other steps`
  return `${plural(commands, 'command')}, ${failed} failed${others}`
}

/** Minutes below two hours; then hours, and below two days the minutes beside them. */
function lasting(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours < 2) return plural(minutes, 'minute')
  if (hours >= 48) return plural(Math.round(minutes / 60), 'hour')
  return [plural(hours, 'hour'), ...(minutes % 60 === 0 ? [] : [plural(minutes % 60, 'minute')])].join(' ')
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`
