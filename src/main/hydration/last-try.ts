import type { Handle } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { Attempt, LastTry, Receipt } from '../../shared/recall'
import { attemptSql, hydrationSql, type ReadDb } from '../store'
import { noProject, underItsName } from './asked-project'
import { goalWords } from './goal-words'
import { jump } from './jump'
import { cut, tidy } from './ladder'
import { matchOf } from './match'
import { PlanePolicy } from './plane-policy'
import type { RecallPorts } from './ports'
import { round } from './pressure'
import { keepReceipt, pointerOf } from './receipt'
import type { Seed } from './seeds'
import { sense } from './sense'
import { stopwatch } from './stopwatch'

const SEEDS = 60
/** Goals this near the best one count as attempts at the same thing. */
const ALIKE = 0.55
const SHOWN = 280
/** Sessions and neighbours say nothing about whether two goals are the same. */
const field = PlanePolicy.shape.field.parse({ neighbour: 0, session: 0, goal: 0, answer: 0, kind: 0 })

export interface LastTryRequest {
  text: string
  project?: string | undefined
  limit: number
  /** A goal that is not to be found: the one asked from. */
  except?: string | undefined
}

/**
 * "When did we last try X": goals like it by words and by meaning, joined with what came of them, the newest first
 * among those alike. Leaves a receipt.
 * @throws AppError `bad-input` when the text is blank
 */
export async function lastTry(ports: RecallPorts, asked: LastTryRequest): Promise<LastTry> {
  const request = underItsName(ports.read, asked)
  const text = request.text.trim()
  if (text === '') throw new AppError('bad-input', 'Say what was tried.')
  const asOf = ports.clock()
  const watch = stopwatch()
  const words = goalWords(text)
  const felt = await sense(ports.embedder, words, hydrationSql.recallState(ports.read).vectors)
  watch.lap('embed')
  const { landed, attempts, seeds, match } = ports.read.snapshot(() => {
    const landed = jump(ports.read, {
      words,
      asked: {},
      sense: felt,
      seeds: SEEDS,
      segments: [],
      filter: {
        kinds: ['goal'],
        asOf,
        ...(request.project === undefined ? {} : { project: request.project }),
      },
      field,
    })
    const seeds = landed.path === 'recency' ? [] : alike(landed.seeds, request)
    const match = matchOf(ports.read, landed, 'vector' in felt)
    return { landed, seeds, attempts: attemptsOf(ports.read, seeds, asOf), match }
  })
  watch.lap('last-try')
  const receipt = receiptOf(ports, { text, asOf, seeds, attempts, project: request.project ?? null, landed })
  receipt.model = 'vector' in felt ? felt.model : null
  receipt.match = match
  receipt.ms = watch.laps
  keepReceipt(ports.write, 'last-try', { receipt, frame: '', labels: seeds.map((seed) => seed.item.labels) })
  const none = noProject(ports.read, request.project) ?? 'No goal in memory is like it.'
  const reason = seeds.length === 0 ? none : (landed.reason ?? null)
  return { path: landed.path, reason, near: seeds.length > 0 && !match.weak, attempts, receipt: receipt.id }
}

/** The goals alike, newest first. */
function alike(seeds: readonly Seed[], { limit, except }: LastTryRequest): Seed[] {
  const others = seeds.filter((seed) => seed.item.handle !== except)
  const top = others[0]?.score ?? 0
  return others
    .filter((seed) => seed.score >= ALIKE * top)
    .slice(0, limit)
    .sort((a, b) => b.item.ts - a.item.ts || b.item.id - a.item.id)
}

function attemptsOf(db: ReadDb, seeds: readonly Seed[], asOf: number): Attempt[] {
  const top = seeds.reduce((most, seed) => Math.max(most, seed.score), 0)
  return seeds.map(({ item, score }) => {
    const done = attemptSql.doneFor(db, item.handle, asOf)
    const ended = done.reduce((last, one) => Math.max(last, one.last), item.ts)
    const ends = attemptSql.endsOf(db, item.handle, asOf, 20)
    const end = endOf(ends)
    const texts = hydrationSql.textsById(db, [item.id, ...(end ? [end.id] : [])])
    const shown = (id: number): string =>
      cut(tidy((texts.get(id) ?? '').slice(0, 4000)).replace(/\s+/g, ' '), SHOWN)
    return {
      goal: item.handle as Handle,
      text: shown(item.id),
      session: item.session,
      project: item.project,
      startedAt: item.ts,
      endedAt: ended,
      score: round(score / top),
      outcome: outcomeOf(ends, end),
      end: end
        ? { handle: end.handle as Handle, kind: end.kind as 'conclusion', text: shown(end.id), ts: end.ts }
        : null,
      items: Object.fromEntries(done.map(({ kind, n }) => [kind, n])),
      changedSince: attemptSql.changedSince(db, item.handle, { ended, asOf }, 8),
    }
  })
}

/** How it ended is told by its last conclusion or decision, else by its last failure. */
const endOf = (ends: readonly attemptSql.AttemptEnd[]): attemptSql.AttemptEnd | undefined =>
  ends.find(({ kind }) => kind === 'conclusion' || kind === 'decision') ?? ends[0]

function outcomeOf(
  ends: readonly attemptSql.AttemptEnd[],
  end: attemptSql.AttemptEnd | undefined,
): Attempt['outcome'] {
  if (!end) return 'open'
  if (end.kind === 'error') return 'failed'
  if (end.kind === 'decision') {
    const verdict = verdictOf(end.data)
    return verdict === 'refused' ? 'refused' : verdict === 'bare-stop' ? 'stopped' : 'concluded'
  }
  return ends[0]?.kind === 'error' && ends[0].ts > end.ts
    ? 'failed'
    : end.kind === 'plan'
      ? 'open'
      : 'concluded'
}

function verdictOf(data: string): string {
  const parsed: unknown = JSON.parse(data)
  return parsed !== null && typeof parsed === 'object' && 'verdict' in parsed ? String(parsed.verdict) : ''
}

interface Told {
  text: string
  asOf: number
  project: string | null
  seeds: readonly Seed[]
  attempts: readonly Attempt[]
  landed: { path: Receipt['path']; reason?: string; words: string[] }
}

function receiptOf(ports: RecallPorts, told: Told): Receipt {
  const { text, asOf, project, seeds, attempts, landed } = told
  const path = { path: landed.path, ...(landed.reason === undefined ? {} : { reason: landed.reason }) }
  return {
    id: ports.receiptId(),
    request: {
      goal: text,
      plane: 'last-try',
      segments: ['goals'],
      budget: 0,
      asOf,
      viewer: 'person',
      tokenizer: 'chars4',
      project,
      words: landed.words,
    },
    goal: text,
    path: landed.path,
    paths: { goals: path },
    model: null,
    budget: { total: 0, spent: 0, segments: {} },
    facts: seeds.map(({ item, via, hop }, i) => ({
      handle: item.handle as Handle,
      kind: item.kind,
      segment: 'goals',
      cell: null,
      level: 'L3',
      seededBy: via,
      hop,
      score: attempts[i]?.score ?? 0,
      terms: { relevance: attempts[i]?.score ?? 0 },
      tokens: 0,
      ts: item.ts,
      session: item.session,
      project: item.project,
      text: attempts[i]?.text ?? '',
      pointer: pointerOf(item),
    })),
    omitted: [],
    breadcrumbs: [],
    tokenizer: 'chars4',
    createdAt: asOf,
    ms: {},
  }
}
