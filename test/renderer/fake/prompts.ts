import type { StoredTrace, TraceLine, TraceRow } from '@shared/attention'
import { handle, receiptId, today } from './ids'
import { passTrace } from './traces'

// Prompts that went to a language model for summaries, invented.

const SHOWN: readonly [TraceRow['source'], string, TraceRow['level'], number][] = [
  ['safety', 'How this is to be read', 'L0', 58],
  ['identity', 'Whom this is for', 'L0', 41],
  ['situation', 'What is asked', 'L0', 142],
  ['artifact', 'arc: make the payment webhook safe to retry', 'L0', 1_904],
  ['artifact', 'conclusion: The ledger rounds once, at the end', 'L0', 212],
  ['artifact', 'session: Goals and what came of them on 12 October', 'L1', 3_310],
]

const rows = SHOWN.map(
  ([source, title, level, tokens], i): TraceRow => ({
    bid: source === 'artifact' ? `text:${i - 2}` : source,
    source,
    modality: 'endogenous',
    title,
    terms: { relevance: 1, spread: 0, recency: 1, importance: 1, surprise: 0, interrupt: 0 },
    salience: 1,
    pin: true,
    verdict: level === 'L0' ? 'kept' : 'compressed',
    level,
    wanted: 'L0',
    reason: level === 'L0' ? null : 'budget',
    detail: '',
    tokens,
    rendered: true,
    place: i,
    handles: source === 'artifact' ? [handle(i)] : [],
  }),
)

export const promptTrace: StoredTrace = {
  id: receiptId(950).replace('rcp_', 'trc_') as StoredTrace['id'],
  faculty: 'curator.attention',
  receipt: null,
  gate: null,
  purpose: 'summaries',
  goal: 'Summaries of 3 texts',
  createdAt: today - 90_000,
  trace: {
    ...passTrace.trace,
    zone: 'green',
    transitions: [],
    asked: 6_000,
    budget: 6_000,
    spent: 5_671,
    rows,
  },
}

export const promptLines: readonly TraceLine[] = [1, 2, 3].map((n) => {
  const { trace, ...stored } = promptTrace
  return {
    ...stored,
    id: (n === 1 ? stored.id : receiptId(950 + n).replace('rcp_', 'trc_')) as TraceLine['id'],
    goal: n === 2 ? 'A summary of one text' : stored.goal,
    mode: trace.mode,
    zone: trace.zone,
    budget: trace.budget,
    spent: trace.spent - 700 * n,
    bids: rows.length,
    kept: rows.length,
    createdAt: stored.createdAt - n * 240_000,
  }
})
