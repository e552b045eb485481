import type { z } from 'zod'
import type { Handle } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { Receipt, SearchHit, SearchRequest, SearchResult } from '../../shared/recall'
import { cellSql, hydrationSql } from '../store'
import { underItsName } from './asked-project'
import { goalWords } from './goal-words'
import { countAhead, type Jump, jump } from './jump'
import { PlanePolicy } from './plane-policy'
import type { RecallPorts } from './ports'
import { round } from './pressure'
import { askedFor } from './question'
import { keepReceipt, pointerOf } from './receipt'
import { relevant } from './relevant'
import type { Seed } from './seeds'
import { sense } from './sense'
import { snippet } from './snippet'
import { stopwatch } from './stopwatch'

/** Field weights as the plane for doing has them. */
const field = PlanePolicy.shape.field.parse({})
/** What a receipt of a search keeps of a long list. */
const KEPT = 50

/**
 * Items for a few words, best first, by words and by meaning as a frame's jump finds them, without those that have
 * nothing but a frequent word in common with them (`leftOut` counts those). Leaves a receipt.
 * @throws AppError `bad-input` when the text is blank; `not-found` when there is no such cell
 */
export async function search(
  ports: RecallPorts,
  asked: z.output<typeof SearchRequest>,
): Promise<SearchResult> {
  const request = underItsName(ports.read, asked)
  const text = request.text.trim()
  if (text === '') throw new AppError('bad-input', 'Type what you are looking for.')
  if (request.cell !== undefined && cellSql.cellsNamed(ports.read, request.cell).length === 0)
    throw new AppError('not-found', `There is no cell "${request.cell}".`)
  const createdAt = ports.clock()
  const watch = stopwatch()
  const words = goalWords(text)
  const feeling = sense(ports.embedder, words, hydrationSql.recallState(ports.read).vectors)
  countAhead(ports.read, words)
  const felt = await feeling
  watch.lap('embed')
  // What was typed is looked up as it stands: its times are no conditions, there are fields for those.
  const { within: _, ...kinds } = askedFor(words.text, createdAt)
  const { landed, seeds, leftOut, texts } = ports.read.snapshot(() => {
    const landed = jump(ports.read, {
      words,
      asked: kinds,
      field,
      sense: felt,
      seeds: Math.max(100, request.limit),
      segments: [],
      filter: filterOf(request),
    })
    const { hits, leftOut } = relevant(ports.read, landed)
    const seeds = hits.slice(0, request.limit)
    return {
      landed,
      seeds,
      leftOut,
      texts: hydrationSql.textsById(
        ports.read,
        seeds.map((seed) => seed.item.id),
      ),
    }
  })
  const top = seeds[0]?.score ?? 1
  const hits = seeds.map((seed) => hitOf(seed, top, snippet(texts.get(seed.item.id) ?? '', words.lookUp)))
  watch.lap('search')
  const receipt: Receipt = {
    id: ports.receiptId(),
    ...accountOf(request, text, createdAt, landed, seeds, hits),
    model: 'vector' in felt ? felt.model : null,
    createdAt,
    ms: watch.laps,
  }
  keepReceipt(ports.write, 'search', { receipt, frame: '', labels: seeds.map((seed) => seed.item.labels) })
  return {
    path: landed.path,
    reason: landed.reason ?? null,
    hits,
    leftOut: leftOut.length,
    receipt: receipt.id,
  }
}

function filterOf({
  project,
  kind,
  cell,
  since,
  until,
}: z.output<typeof SearchRequest>): hydrationSql.RecallFilter {
  return {
    ...(project === undefined ? {} : { project }),
    ...(kind === undefined ? {} : { kinds: [kind] }),
    ...(cell === undefined ? {} : { cells: [cell] }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { asOf: until }),
  }
}

function hitOf({ item, score }: Seed, top: number, shown: string): SearchHit {
  return {
    handle: item.handle as Handle,
    kind: item.kind,
    session: item.session,
    project: item.project,
    ts: item.ts,
    score: round(score / top),
    snippet: shown,
    pointer: pointerOf(item),
  }
}

/** A search shows snippets of no rung in particular; its receipt lists them as skeletons that cost nothing. */
function accountOf(
  request: z.output<typeof SearchRequest>,
  text: string,
  at: number,
  landed: Jump,
  seeds: readonly Seed[],
  hits: readonly SearchHit[],
): Omit<Receipt, 'id' | 'createdAt' | 'ms' | 'model'> {
  const path = { path: landed.path, ...(landed.reason === undefined ? {} : { reason: landed.reason }) }
  return {
    request: {
      goal: text,
      plane: 'search',
      segments: ['all'],
      budget: 0,
      asOf: request.until ?? at,
      viewer: 'person',
      tokenizer: 'chars4',
      project: request.project ?? null,
      ...(request.cell === undefined ? {} : { cell: request.cell }),
    },
    goal: text,
    path: landed.path,
    paths: { all: path },
    budget: { total: 0, spent: 0, segments: {} },
    facts: hits.slice(0, KEPT).map((hit, i) => ({
      ...hit,
      segment: 'all',
      cell: null,
      level: 'L3',
      seededBy: seeds[i]?.via ?? [],
      hop: seeds[i]?.hop ?? 0,
      terms: { relevance: hit.score },
      tokens: 0,
      text: hit.snippet,
    })),
    omitted: [],
    breadcrumbs: [],
    tokenizer: 'chars4',
  }
}
