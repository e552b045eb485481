import type { GateId, Handle, ItemKind, ReceiptId, Rung } from '@shared/domain'
import type { ArcLine, DayBucket, ItemDetail, ItemLine, SourceView } from '@shared/journal'
import type { Receipt, ReceiptFact, ReceiptLine, SearchHit } from '@shared/recall'
import type { GateDetail, GateLine, Prediction } from '@shared/review'

// Invented memory of an invented shop, for looking at screens without an engine.

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const id = (prefix: string, n: number, length: number): string =>
  prefix +
  Array.from({ length }, (_, i) => letters[(Math.imul(n + 1, 0x9e3779b1 + i * 0x85ebca6b) >>> 20) % 32]).join(
    '',
  )
export const handle = (n: number): Handle => id('itm_', n, 26) as Handle
export const receiptId = (n: number): ReceiptId => id('rcp_', n, 20) as ReceiptId
export const gateId = (n: number): GateId => id('gat_', n, 20) as GateId

export const today = new Date(2026, 10, 26, 16, 20).getTime()
const at = (daysAgo: number, hour: number, minute: number): number =>
  new Date(2026, 10, 26 - daysAgo, hour, minute).getTime()
const dayOf = (ms: number): string => {
  const d = new Date(ms)
  return `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, '0')}-${String(d.getDate()).padStart(2, '0')}`
}

const pointer = (line: number) => ({
  file: '/home/mira/.claude/projects/-srv-shop-api/7b1d2c44-90aa-4c1e-b1f0-3f6a2f0b9e21.jsonl',
  recordId: 'a81f3d52',
  line,
  byteOffset: line * 2881,
  byteLength: 2210,
})

export const sources: SourceView[] = [
  {
    id: 'src_1',
    path: '/home/mira/.claude/projects',
    kind: 'folder',
    format: 'claude-code',
    project: null,
    state: 'active',
    enrolledAt: at(40, 9, 0),
    lastScanAt: at(0, 16, 18),
    lastError: null,
    files: 214,
    bytes: 318_204_551,
    sessions: 198,
    items: 38_004,
    errors: 3,
  },
  {
    id: 'src_2',
    path: '/home/mira/.codex/sessions',
    kind: 'folder',
    format: 'codex',
    project: null,
    state: 'paused',
    enrolledAt: at(12, 9, 0),
    lastScanAt: at(2, 10, 0),
    lastError: null,
    files: 31,
    bytes: 12_004_551,
    sessions: 31,
    items: 3204,
    errors: 0,
  },
]

type Seed = [ItemKind, Rung, string]
const retry: Seed[] = [
  ['goal', 'L0', 'Make the payment webhook retry safely, duplicates must not charge twice'],
  ['note', 'L2', 'Looked at the current handler: it answers 200 before the write is done'],
  ['plan', 'L1', 'Backoff, idempotency key, dead letter after five tries'],
  [
    'decision',
    'L0',
    'Corrected: “No new queue, use what we have. And tell me what happens to an event that arrives while we deploy.”',
  ],
  ['file_op', 'L3', 'src/webhooks/retry.ts'],
  ['file_op', 'L3', 'src/webhooks/store.ts'],
  ['file_op', 'L3', 'src/webhooks/keys.ts'],
  ['file_op', 'L3', 'test/webhooks/retry.test.ts'],
  ['command', 'L3', 'npm test -- webhooks'],
  ['error', 'L1', 'Unique constraint failed: events.key, seen twice'],
  ['file_op', 'L3', 'src/webhooks/store.ts'],
  ['command', 'L3', 'npm test'],
  [
    'conclusion',
    'L1',
    'Replays are ignored by key; an event during deploy waits in the existing table; 212 tests pass',
  ],
]
const goals: [string, string, string | null][] = [
  [
    'shop-api',
    'Make the payment webhook retry safely',
    'Chose exponential backoff with a cap of 5 tries and an idempotency key per event; the queue table was rejected as too heavy.',
  ],
  ['finance-ui', 'CSV export for finance', 'Streams rows; the date format is still an open question.'],
  ['shop-api', 'Upgrade the linter', null],
  ['shop-api', 'Rename the build job', null],
  [
    'ledger',
    'Move invoices to the new ledger table without downtime and with a switch that we can flip back within a minute',
    'Copies rows in batches of 5,000, resumable by id; readers move behind a flag.',
  ],
  [
    'finance-ui',
    'Why does the totals row round differently from the PDF?',
    'The PDF rounds each line, the table rounds the sum; both now round the sum, half even.',
  ],
  [
    'shop-api',
    'Switch tests to Vitest',
    'All 212 tests run under Vitest; the snapshot format changed and was reviewed.',
  ],
]

export const arcs: ArcLine[] = Array.from({ length: 240 }, (_, n) => {
  const [project, goal, summary] = goals[n % goals.length] ?? ['shop-api', 'A goal', null]
  const startedAt = at(Math.floor(n / 4), 16 - (n % 4) * 2, (n * 7) % 60)
  const small = summary === null
  return {
    id: `arc_${n}`,
    day: dayOf(startedAt),
    session: `claude-code:session-${n}`,
    agent: n % 4 === 1 ? 'codex' : 'claude-code',
    project,
    goal,
    goalHandle: handle(n * 100),
    summary,
    startedAt,
    endedAt: startedAt + (small ? 240_000 : 5_760_000),
    items: small ? 3 : retry.length,
    byKind: small
      ? { goal: 1, command: 2 }
      : {
          goal: 1,
          plan: 1,
          decision: 1,
          file_op: 5,
          command: 2,
          error: n % 3 === 0 ? 1 : 0,
          conclusion: 1,
          note: 1,
        },
  }
})

export const days: DayBucket[] = Object.values(
  arcs.reduce<Record<string, DayBucket>>((all, arc, n) => {
    const day = all[arc.day] ?? { day: arc.day, items: 0, arcs: 0, byKind: {}, projects: [] }
    const weight = 1 + Math.round(4 * (1 + Math.sin(n * 1.7)))
    const add = (kind: ItemKind, k: number): void => {
      day.byKind[kind] = (day.byKind[kind] ?? 0) + k
      day.items += k
    }
    add('goal', weight)
    add('conclusion', weight + 2)
    add('command', weight * 3)
    add('file_op', weight * 5)
    day.arcs += 1
    if (arc.project && !day.projects.includes(arc.project)) day.projects.push(arc.project)
    return Object.assign(all, { [arc.day]: day })
  }, {}),
).filter((day) => new Date(`${day.day}T12:00`).getDay() !== 0)

export const itemsOf = (arc: ArcLine): ItemLine[] => {
  const n = Number(arc.id.slice(4))
  const seeds: Seed[] =
    arc.summary === null
      ? [
          ['goal', 'L0', arc.goal],
          ['command', 'L3', 'npx biome migrate'],
          ['command', 'L3', 'npm test'],
        ]
      : retry
  return seeds.map(([kind, level, text], i) => ({
    handle: handle(n * 100 + i),
    kind,
    ts: arc.startedAt + i * 420_000,
    session: arc.session,
    project: arc.project,
    level,
    text: i === 0 ? arc.goal : text,
  }))
}

export const itemDetail = (of: Handle): ItemDetail => {
  const arc = arcs.find((one) => itemsOf(one).some((item) => item.handle === of)) ?? arcs[0]
  const line = arc && itemsOf(arc).find((item) => item.handle === of)
  const text = line?.text ?? 'No new queue, use what we have.'
  const decision = line?.kind === 'decision'
  return {
    handle: of,
    kind: line?.kind ?? 'decision',
    ts: line?.ts ?? today,
    session: arc?.session ?? 's',
    sessions: [arc?.session ?? 's'],
    agent: arc?.agent ?? 'claude-code',
    project: arc?.project ?? null,
    role: 'user',
    tool: null,
    goal: arc?.goalHandle ? { handle: arc.goalHandle, text: arc.goal } : null,
    arc: arc?.id ?? null,
    rungs: [
      {
        level: 'L0',
        method: 'verbatim',
        model: null,
        tokens: 26,
        text: decision
          ? 'No new queue, use what we have. And tell me what happens to an event that arrives while we deploy.'
          : `${text}\n\nSecond paragraph of what was said, kept word for word.`,
      },
      { level: 'L1', method: 'extractive', model: null, tokens: 14, text },
      {
        level: 'L3',
        method: 'rules',
        model: null,
        tokens: 8,
        text: 'retry, payments, store.ts, idempotency',
      },
    ],
    pointer: pointer(418),
    status: 'unchanged',
    labels: [],
    frames: [
      { receipt: receiptId(1), goal: 'the retry decision from the payments work', createdAt: at(0, 16, 12) },
      { receipt: receiptId(2), goal: 'idempotency of webhooks', createdAt: at(2, 11, 2) },
    ],
  }
}

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

const planV1 = `# Goal

Invoices are read from \`ledger_entries\` within one release, without downtime.

## Steps

- Create \`ledger_entries\` with the columns of the invoice view.
- Copy all rows in one transaction.
- Point the reader at the new table and remove the old view.
- Run the invoice suite.

## Risks

Long locks on \`invoices\` while the copy runs.
`
export const plan = `# Goal

Invoices are read from \`ledger_entries\` within one release, without downtime. See [the runbook](https://wiki.example.com/ledger) ![diagram](https://evil.example.com/x.png)

## Steps

- Create \`ledger_entries\` with the columns of the invoice view.
- Copy rows in batches of 5,000, resumable by id.
- Point the reader at the new table and remove the old view.
- Run the invoice suite.

\`\`\`sql
INSERT INTO ledger_entries SELECT id, amount, currency, booked_at FROM invoices WHERE id > :last ORDER BY id LIMIT 5000;
\`\`\`

#### Risks

Long locks on \`invoices\` while the copy runs; batches keep each under a second.

| step | takes | can be undone |
|---|---|---|
| copy | 40 min | yes |
| switch reader | 1 s | **no** |

## Out of scope

- [x] Archived invoices before 2024.
- [ ] <script>alert(1)</script> The old PDF job.
`

export const prediction: Prediction = {
  prior: {
    approve: 0.62,
    correct: 0.31,
    reject: 0.07,
    confidence: 0.62,
    reason: 'You approved 5 of 8 migrations here.',
  },
  posterior: {
    approve: 0.24,
    correct: 0.68,
    reject: 0.08,
    confidence: 0.68,
    reason: 'It removes the old view at once; you asked for a way back each time.',
  },
  surprise: { fired: true, tv: 0.38, klBits: 0.44, confidenceShift: 0.06 },
  percepts: [
    { phrase: 'rollback', evidence: 'not found: rollback', line: null, present: false, logRatio: 1.4 },
    {
      phrase: 'removes something',
      evidence: '- Point the reader at the new table and remove the old view.',
      line: 9,
      present: true,
      logRatio: 0.9,
    },
    { phrase: 'tests', evidence: '- Run the invoice suite.', line: 10, present: true, logRatio: -0.4 },
  ],
  salience: 'Removing the old view without a switch back is what you have corrected before.',
  engine: 'case',
  engineReason: null,
  receipts: { prior: null, posterior: null },
  cases: 23,
}

const line = (n: number, title: string, change: Partial<GateLine> = {}): GateLine => ({
  id: gateId(n),
  title,
  state: 'PLAN_ASSERT',
  taskType: 'migration',
  project: 'shop-api',
  agent: 'claude-code',
  round: 1,
  origin: 'app',
  createdAt: at(0, 15, 30 + n),
  status: 'open',
  outcome: null,
  foreseen: null,
  ...change,
})

export const gateLines: GateLine[] = [
  line(1, 'Move invoices to the new ledger table', { round: 2 }),
  line(2, 'Retry policy for the payment webhook', { agent: 'codex', taskType: 'feature' }),
  line(3, 'Is it fine to drop the legacy index?', { state: 'ESCALATE' }),
  line(4, 'CSV export for finance', {
    status: 'decided',
    outcome: 'approve',
    foreseen: true,
    taskType: 'feature',
    project: 'finance-ui',
  }),
  line(5, 'Switch tests to Vitest', {
    status: 'decided',
    outcome: 'correct',
    foreseen: false,
    taskType: 'tests',
  }),
  ...Array.from({ length: 40 }, (_, i) =>
    line(
      6 + i,
      [
        'Split the orders table',
        'Backfill tax codes',
        'Publish the formula under another name and keep the old tap alive for one release',
      ][i % 3] ?? '',
      {
        status: 'decided',
        outcome: (['correct', 'approve', 'approve', 'reject'] as const)[i % 4] ?? 'approve',
        origin: 'transcript',
        createdAt: at(10 + i, 12, 0),
      },
    ),
  ),
]

export const gateDetail = (of: GateLine): GateDetail => ({
  ...of,
  lineage: `lin_${of.id}`,
  question: of.state === 'ESCALATE' ? 'May I drop idx_legacy_orders? Nothing reads it since March.' : '',
  upstream: [
    { name: 'intent', text: 'Ledger is the only source of invoice truth by the end of the quarter.' },
  ],
  versions:
    of.round > 1
      ? [
          { version: 1, text: planV1, createdAt: at(0, 14, 0), sha256: 'a'.repeat(64), empty: false },
          { version: 2, text: plan, createdAt: at(0, 15, 0), sha256: 'b'.repeat(64), empty: false },
        ]
      : [{ version: 1, text: plan, createdAt: at(0, 15, 0), sha256: 'b'.repeat(64), empty: false }],
  notes:
    of.round > 1
      ? [
          {
            version: 1,
            text: 'What happens to readers while both exist? I want a switch we can flip back.',
            ts: at(0, 14, 20),
          },
        ]
      : [],
  draft: '',
  prediction:
    of.origin === 'transcript'
      ? null
      : {
          seal: 'a3f9c1d2'.repeat(8),
          sealedAt: at(0, 15, 1),
          peeked: false,
          ...(of.status === 'decided' ? { salt: '9f21', intact: true } : {}),
          revealed: of.status === 'decided' ? prediction : null,
        },
  decision:
    of.outcome === null
      ? null
      : {
          action: of.outcome,
          outcome: of.outcome,
          speechAct: 'statement',
          notes: of.outcome === 'approve' ? '' : 'Keep the old view for one release, behind a flag.',
          decidedAt: at(0, 16, 0),
          via: of.origin === 'transcript' ? 'transcript' : 'app',
          surpriseBits: of.origin === 'transcript' ? null : 0.6,
          pointer: null,
        },
  pointer: null,
  attention: [
    { phrase: 'rollback', salient: 7, present: 8, rate: 0.6, listed: true, ignored: false },
    { phrase: 'tests', salient: 4, present: 7, rate: 0.4, listed: true, ignored: false },
    { phrase: 'format', salient: 0, present: 9, rate: 0.1, listed: false, ignored: true },
  ],
  similar: [
    {
      id: gateId(6),
      title: 'Split the orders table',
      outcome: 'correct',
      ts: at(84, 9, 0),
      similarity: 0.81,
    },
    { id: gateId(7), title: 'Backfill tax codes', outcome: 'approve', ts: at(97, 9, 0), similarity: 0.74 },
  ],
})
