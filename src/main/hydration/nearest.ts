import type { Handle } from '../../shared/domain'
import type { Receipt } from '../../shared/recall'
import { hydrationSql, type ReadDb, vectorSql } from '../store'
import { goalWords, pruneWords } from './goal-words'
import type { RecallPorts } from './ports'
import { round } from './pressure'
import { keepReceipt, pointerOf } from './receipt'
import { type Sense, sense } from './sense'
import { stopwatch } from './stopwatch'

export interface NearestResult {
  path: 'semantic' | 'lexical'
  reason: string | null
  hits: { handle: Handle; score: number }[]
}

/** The k items nearest in meaning, by cosine; without a model by BM25 over the best one's, and it says so. */
export async function nearest(
  ports: RecallPorts,
  request: { text: string; k: number },
): Promise<NearestResult> {
  const createdAt = ports.clock()
  const watch = stopwatch()
  const words = goalWords(request.text)
  const felt = await sense(ports.embedder, words, hydrationSql.recallState(ports.read).vectors)
  const scored = ports.read.snapshot(() => scoresOf(ports.read, felt, words.lookUp, request.k))
  watch.lap('nearest')
  const items = new Map(
    hydrationSql
      .itemsById(
        ports.read,
        scored.map((hit) => hit.id),
      )
      .map((item) => [item.id, item]),
  )
  const found = scored.flatMap(({ id, score }) => {
    const item = items.get(id)
    return item ? [{ item, score: round(score) }] : []
  })
  const path = 'vector' in felt ? 'semantic' : 'lexical'
  const reason = 'reason' in felt ? felt.reason : null
  const receipt = receiptOf(ports, request.text, { path, reason, found, createdAt })
  receipt.model = 'vector' in felt ? felt.model : null
  receipt.ms = watch.laps
  keepReceipt(ports.write, 'nearest', { receipt, frame: '', labels: found.map(({ item }) => item.labels) })
  return { path, reason, hits: found.map(({ item, score }) => ({ handle: item.handle as Handle, score })) }
}

function scoresOf(db: ReadDb, felt: Sense, lookUp: string[], k: number): { id: number; score: number }[] {
  if ('vector' in felt) {
    return vectorSql
      .nearest(db, felt.vector, { units: ['item'], k })
      .map((hit) => ({ id: hit.itemId, score: hit.cosine }))
  }
  return byWords(db, lookUp, k)
}

/** The k items that hold the rarest words of a text, by BM25 over the best one's; by row number. */
export function findByWords(db: ReadDb, text: string, k: number): { id: number; score: number }[] {
  return byWords(db, goalWords(text).lookUp, k)
}

function byWords(db: ReadDb, lookUp: string[], k: number): { id: number; score: number }[] {
  const { items } = hydrationSql.recallState(db)
  const words = pruneWords(lookUp, items, hydrationSql.wordCounter(db))
  const hits = hydrationSql.lexical(db, words, k)
  const best = hits[0]?.score ?? 1
  return hits.map((hit) => ({ id: hit.id, score: hit.score / best }))
}

function receiptOf(
  ports: RecallPorts,
  goal: string,
  made: {
    path: 'semantic' | 'lexical'
    reason: string | null
    found: { item: hydrationSql.RecallItem; score: number }[]
    createdAt: number
  },
): Receipt {
  const { path, reason, found, createdAt } = made
  return {
    id: ports.receiptId(),
    request: {
      goal,
      plane: 'nearest',
      segments: ['all'],
      budget: 0,
      asOf: createdAt,
      viewer: 'person',
      tokenizer: 'chars4',
      project: null,
    },
    goal,
    path,
    paths: { all: { path, ...(reason === null ? {} : { reason }) } },
    model: null,
    budget: { total: 0, spent: 0, segments: {} },
    facts: found.slice(0, 50).map(({ item, score }) => ({
      handle: item.handle as Handle,
      kind: item.kind,
      segment: 'all',
      cell: null,
      level: 'L3',
      seededBy: [path],
      hop: 0,
      score,
      terms: { relevance: score },
      tokens: 0,
      ts: item.ts,
      session: item.session,
      project: item.project,
      text: '',
      pointer: pointerOf(item),
    })),
    omitted: [],
    breadcrumbs: [],
    tokenizer: 'chars4',
    createdAt,
    ms: {},
  }
}
