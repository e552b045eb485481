import type { ItemKind, Rung } from '@shared/domain'
import type { Comparison, LastTry, Receipt, ReceiptFact, ReceiptLine, SearchHit } from '@shared/recall'
import { at, handle, pointer, receiptId, today } from './ids'
import { arcs, itemsOf } from './journal'

export const hits = (text: string): SearchHit[] =>
  arcs.slice(0, 40).flatMap((arc) =>
    itemsOf(arc)
      .slice(0, 3)
      .map((item, i) => ({
        handle: item.handle,
        kind: item.kind,
        session: item.session,
        project: item.project,
        ts: item.ts,
        score: 1 / (i + 1),
        snippet: `${item.text} … ${text} …`,
        pointer: pointer(40 + i),
      })),
  )

const facts: [Rung, number, number, number, ItemKind, string][] = [
  [
    'L0',
    0,
    0.82,
    41,
    'decision',
    '“No new queue, use what we have. And tell me what happens to an event that arrives while we deploy.”',
  ],
  [
    'L0',
    0,
    0.74,
    52,
    'conclusion',
    'Replays are ignored by key; an event during deploy waits in the existing table and is tried again after 30 s. 212 tests pass.',
  ],
  [
    'L1',
    0,
    0.69,
    34,
    'plan',
    'Chose backoff with a cap of five tries and one key per event; a queue table was rejected as too heavy.',
  ],
  ['L1', 1, 0.55, 28, 'error', 'Unique constraint failed: events.key, seen twice.'],
  [
    'L2',
    1,
    0.5,
    30,
    'conclusion',
    'Refunds webhook, 3 Sep: backoff without a key · outcome: charged twice, reverted · constraint: keys before retries',
  ],
  ['L2', 1, 0.41, 18, 'plan', 'Ledger migration: events table gains column key'],
  ['L2', 1, 0.38, 20, 'note', 'The handler answers 200 before the write is done'],
  ...Array.from({ length: 22 }, (_, i): [Rung, number, number, number, ItemKind, string] => [
    'L3',
    2,
    0.3 - i * 0.008,
    6 + (i % 5),
    'file_op',
    ['retry, payments, store.ts, idempotency', 'webhooks, keys.ts, unique', 'deploy, drain, events table'][
      i % 3
    ] ?? '',
  ]),
]

export const receipt = (n: number, goal: string, plane = 'execution', budget = 2000): Receipt => ({
  id: receiptId(n),
  request: {
    goal,
    plane,
    segments: ['decisions', 'work'],
    budget,
    asOf: today,
    viewer: 'person',
    tokenizer: 'o200k',
    project: null,
    filters: {
      within: {
        phrase: 'since the release',
        since: at(40, 9, 0),
        until: null,
        event: { handle: handle(12), ts: at(40, 9, 0) },
      },
      paths: ['webhooks/keys.ts'],
      kinds: ['decision'],
    },
  },
  goal,
  path: n === 2 ? 'lexical' : 'hybrid',
  paths: {
    decisions: {
      path: n === 2 ? 'lexical' : 'hybrid',
      ...(n === 2 ? { reason: 'The embedding model is not there yet.' } : {}),
    },
  },
  model: 'all-MiniLM-L6-v2',
  budget: {
    total: budget,
    spent: 1840,
    segments: { decisions: { budget: 800, spent: 640 }, work: { budget: 1200, spent: 1200 } },
  },
  facts: facts.map(
    ([level, hop, score, tokens, kind, text], i): ReceiptFact => ({
      handle: handle(i),
      kind,
      segment: hop === 0 ? 'decisions' : 'work',
      cell: null,
      level,
      seededBy: hop === 0 ? ['semantic', 'goal'] : ['neighbour'],
      hop,
      score,
      terms: {
        relevance: score,
        recency: 0.71 - i * 0.01,
        importance: 0.64,
        novelty: 0.9 - i * 0.02,
        coherence: 0.38,
        tension: i === 0 ? 0.52 : 0,
        interference: -0.06,
      },
      tokens,
      ts: at(i, 9, 30),
      session: 'claude-code:session-0',
      project: 'shop-api',
      text,
      pointer: pointer(400 + i),
    }),
  ),
  omitted: [
    { handle: handle(501), reason: 'budget', score: 0.31, title: 'Queue sizing spreadsheet' },
    { handle: handle(502), reason: 'duplicate', score: 0.6, title: 'Same conclusion, sub-agent’s copy' },
    { handle: handle(503), reason: 'stale', score: 0.2, title: 'Retry notes, 2024' },
    { handle: handle(504), reason: 'restricted', score: 0.5, title: 'Private: salary webhook' },
  ],
  breadcrumbs: ['14 more about payments / retry, 3 sessions, March to September'],
  tokenizer: 'o200k',
  createdAt: at(0, 16, 12),
  ms: { jump: 12, walk: 6, fovea: 8, render: 5, total: 31 },
})

export const receiptLines: ReceiptLine[] = Array.from({ length: 60 }, (_, i) => ({
  id: receiptId(i + 1),
  kind: i % 5 === 3 ? 'search' : 'hydrate',
  goal:
    [
      'the retry decision from the payments work',
      'idempotency of webhooks',
      'how do we round totals',
      'ledger migration: what did I insist on last time?',
    ][i % 4] ?? '',
  plane: 'execution',
  path: i === 1 ? 'lexical' : 'hybrid',
  spent: 1840 - i * 11,
  budget: 2000,
  facts: 29,
  createdAt: at(Math.floor(i / 3), 16 - (i % 3), 12),
}))

const [older, newer] = [
  receipt(5, 'the retry decision from the payments work', 'review', 1500),
  receipt(1, 'the retry decision from the payments work'),
]

/** Two frames of one goal: some facts only in one, one at another rung, one whose relevance rose. */
export const comparison: Comparison = {
  before: {
    ...older,
    facts: older.facts.slice(0, 18).map((fact, i) => (i === 2 ? { ...fact, level: 'L2' } : fact)),
    createdAt: at(6, 11, 40),
  },
  after: { ...newer, facts: newer.facts.slice(2) },
  request: [
    { field: 'plane', before: 'review', after: 'execution' },
    { field: 'budget', before: '1500', after: '2000' },
    { field: 'words', before: '["retry","payments"]', after: '["retry","payments","decision"]' },
  ],
  added: newer.facts.slice(18).map((fact) => fact.handle),
  removed: older.facts.slice(0, 2).map((fact) => fact.handle),
  changed: [{ handle: handle(2), from: 'L2', to: 'L1' }],
  moved: [
    {
      handle: handle(4),
      from: 0.31,
      to: 0.5,
      terms: [{ name: 'relevance', from: 0.31, to: 0.5 }],
    },
  ],
}

export const lastTry: LastTry = {
  path: 'hybrid',
  reason: null,
  receipt: receiptId(4),
  near: true,
  attempts: [
    {
      goal: handle(6),
      text: 'Retry the webhook with backoff',
      session: 's',
      project: 'payments',
      startedAt: at(20, 9, 30),
      endedAt: at(20, 10, 10),
      score: 1,
      outcome: 'concluded',
      end: {
        handle: handle(7),
        kind: 'conclusion',
        text: 'Backoff doubles up to a minute.',
        ts: at(20, 10, 10),
      },
      items: { command: 3 },
      changedSince: [{ path: 'src/retry.ts', changes: 2, last: at(3, 12, 0) }],
    },
    {
      goal: handle(8),
      text: 'Make the webhook of the payment provider retry when our own database is down, without charging anybody twice',
      session: 's2',
      project: 'payments',
      startedAt: at(80, 14, 0),
      endedAt: at(80, 15, 0),
      score: 0.8,
      outcome: 'refused',
      end: {
        handle: handle(9),
        kind: 'decision',
        text: 'No new queue for this. Use the events table that is there.',
        ts: at(80, 15, 0),
      },
      items: { command: 12, error: 2 },
      changedSince: [],
    },
  ],
}
