import { zoneName } from '../../shared/days'
import type { ItemKind } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type {
  AskedFor,
  HydrateRequest,
  HydrateResult,
  Match,
  Omitted,
  Receipt,
  ReceiptFact,
} from '../../shared/recall'
import { cellSql, hydrationSql } from '../store'
import { noProject, underItsName } from './asked-project'
import { contend, type Field, miss } from './candidates'
import { type Composed, compose, type Placed } from './compose'
import { goalWords } from './goal-words'
import { heldTo } from './held-to'
import { countAhead, type Jump, jump } from './jump'
import { matchOf, weakNote } from './match'
import { pinnedSeeds } from './pins'
import type { PlanePolicy } from './plane-policy'
import type { RecallPorts } from './ports'
import { askedFor } from './question'
import { keepReceipt, pointerOf } from './receipt'
import { type Sense, sense } from './sense'
import { type Stopwatch, stopwatch } from './stopwatch'
import { planeNamed } from './stored-planes'

/** Near misses kept in a receipt. */
const MISSES = 60
const MAX_BUDGET = 200_000

/**
 * The slice of memory a goal needs, within a budget, with the receipt that accounts for it; the receipt is stored.
 * Deterministic in the database, the request and `asOf`: only the receipt's id, creation time and timings differ.
 * @throws AppError `bad-input` for an empty goal, an unknown plane, or a budget outside 50 to 200,000
 */
export async function hydrate(ports: RecallPorts, asked: HydrateRequest): Promise<HydrateResult> {
  const request = underItsName(ports.read, asked)
  const goal = request.goal.trim()
  if (goal === '') throw new AppError('bad-input', 'The goal is empty. Say what you are looking for.')
  const plane = planeNamed(ports.read, request.plane)
  const budget = request.budget ?? plane.budget
  if (!Number.isInteger(budget) || budget < 50 || budget > MAX_BUDGET) {
    throw new AppError('bad-input', 'A budget is a whole number of tokens from 50 to 200000.')
  }
  const createdAt = ports.clock()
  const state = hydrationSql.recallState(ports.read)
  const run: Run = {
    ports,
    request,
    goal,
    plane,
    budget,
    // Nobody asked for a moment: everything there is, also what a fast clock has dated ahead of ours.
    asOf: request.asOf ?? Math.max(createdAt, state.newest),
    watch: stopwatch(),
  }
  const words = goalWords(goal)
  const feeling = sense(ports.embedder, words, state.vectors)
  countAhead(ports.read, words)
  const felt = await feeling
  run.watch.lap('embed')
  const drawn = ports.read.snapshot(() => draw(run, words, felt))
  const id = ports.receiptId()
  const frame = drawn.composed.render(id)
  const receipt: Receipt = { id, ...account(run, felt, drawn), createdAt, ms: run.watch.laps }
  const labels = drawn.composed.placed.map((placed) => placed.contender.seed.item.labels)
  keepReceipt(ports.write, 'hydrate', { receipt, frame, labels })
  return { frame, receipt }
}

interface Run {
  ports: RecallPorts
  request: Pick<HydrateRequest, 'project' | 'tokenizer' | 'viewer'>
  goal: string
  plane: PlanePolicy
  budget: number
  asOf: number
  watch: Stopwatch
}

export interface Gathered {
  asked: AskedFor
  landed: Jump
  field: Field
}

interface Drawn extends Gathered {
  match: Match
  composed: Composed
}

/** What memory has for a goal, weighed, before anything gets its room. */
export function gather(run: Run, words: ReturnType<typeof goalWords>, felt: Sense): Gathered {
  const { ports, request, plane, budget, asOf, watch } = run
  const scope = { asOf, ...(request.project === undefined ? {} : { project: request.project }) }
  const { asked, filter } = heldTo(ports.read, { text: words.text, asked: askedFor(words.text, asOf) }, scope)
  const landed = jump(ports.read, {
    words,
    asked,
    sense: felt,
    // A frame with room for more facts needs more to choose from; the shortest line costs about 10 tokens.
    seeds: Math.min(2000, Math.max(plane.seeds, Math.ceil(budget / 10))),
    segments: plane.segments,
    filter,
    field: plane.field,
    walk: plane.walk,
  })
  pinnedSeeds(ports.read, landed.seeds, filter)
  watch.lap('jump')
  const field = contend(ports.read, landed.seeds, asked.broad ? lessCoherent(plane) : plane, {
    asOf,
    budget,
    goal: words.all,
    telling: landed.telling,
    filter,
  })
  watch.lap('pressure')
  const names = landed.names.length > 0 ? { names: landed.names } : {}
  return { asked: { ...asked, ...names }, landed, field }
}

function draw(run: Run, words: ReturnType<typeof goalWords>, felt: Sense): Drawn {
  const { ports, request, plane, budget, watch } = run
  const gathered = gather(run, words, felt)
  const { field, landed } = gathered
  const match = matchOf(ports.read, landed, 'vector' in felt)
  const sessions = [...new Set(field.contenders.map((contender) => contender.seed.item.session))]
  const composed = compose(
    field.contenders,
    {
      plane,
      budget,
      tokenizer: request.tokenizer,
      goal: words.all,
      withProject: request.project === undefined,
      titles: hydrationSql.sessionTitles(ports.read, sessions),
      note: weakNote(match, landed.path),
      emptyNote: field.contenders.length === 0 ? nothingNote(run) : 'No room for a fact.',
    },
    ports,
  )
  watch.lap('compose')
  return { ...gathered, match, composed }
}

const nothingNote = ({ ports, request }: Run): string =>
  noProject(ports.read, request.project) ?? 'Nothing in memory for this goal.'

/** A goal that asks for many things is not served by more of the same. */
function lessCoherent(plane: PlanePolicy): PlanePolicy {
  const coherence = plane.weights.coherence * (1 - plane.field.breadth)
  return { ...plane, weights: { ...plane.weights, coherence } }
}

function account(run: Run, felt: Sense, drawn: Drawn): Omit<Receipt, 'id' | 'createdAt' | 'ms'> {
  const { request, plane, budget, asOf, goal } = run
  const { asked, landed, field, match, composed } = drawn
  const path = { path: landed.path, ...(landed.reason === undefined ? {} : { reason: landed.reason }) }
  const placed = [...composed.placed].sort(byUtility)
  const cells = cellSql.cellsOfItems(
    run.ports.read,
    placed.map((one) => one.contender.seed.item.id),
  )
  const facts = placed.map((one) => factOf(one, cells.get(one.contender.seed.item.id) ?? null))
  const spentIn = (segment: string): number =>
    facts.filter((fact) => fact.segment === segment).reduce((sum, fact) => sum + fact.tokens, 0)
  return {
    request: {
      goal,
      plane: plane.name,
      segments: plane.segments.map((segment) => segment.name),
      budget,
      asOf,
      viewer: request.viewer,
      tokenizer: request.tokenizer,
      project: request.project ?? null,
      zone: zoneName(),
      ...(Object.keys(asked).length > 0 ? { filters: asked } : {}),
      words: landed.words,
    },
    goal,
    path: landed.path,
    paths: Object.fromEntries(plane.segments.map((segment) => [segment.name, path])),
    model: 'vector' in felt ? felt.model : null,
    budget: {
      total: budget,
      spent: composed.spent,
      segments: Object.fromEntries(
        plane.segments.map(({ name, share }) => [
          name,
          { budget: Math.floor(share * budget), spent: spentIn(name) },
        ]),
      ),
    },
    match,
    facts,
    omitted: omittedOf(field, composed),
    breadcrumbs: composed.breadcrumbs,
    tokenizer: request.tokenizer,
  }
}

const byUtility = (a: Placed, b: Placed): number =>
  b.line.utility - a.line.utility || (a.line.handle < b.line.handle ? -1 : 1)

export function factOf({ contender, line, tokens }: Placed, cell: string | null): ReceiptFact {
  const { item, via, hop } = contender.seed
  return {
    handle: item.handle as ReceiptFact['handle'],
    kind: item.kind as ItemKind,
    segment: contender.segment,
    cell,
    level: line.level,
    ...(line.part ? { part: line.part } : {}),
    seededBy: via,
    hop,
    score: contender.utility,
    terms: { ...contender.terms },
    tokens,
    ts: item.ts,
    session: item.session,
    project: item.project,
    text: line.text,
    pointer: pointerOf(item),
  }
}

/** The nearest misses first, whatever they were missed for. */
function omittedOf(field: Field, composed: Composed): Omitted[] {
  const past = composed.past.map((one) => miss(one.seed, one.text, 'budget', one.utility))
  return [...past, ...field.omitted]
    .sort((a, b) => b.score - a.score || (a.handle < b.handle ? -1 : 1))
    .slice(0, MISSES)
}
