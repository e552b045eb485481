import type { GateDetail, GateLine, Prediction } from '@shared/review'
import { at, gateId, receiptId } from './ids'

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
- [ ] <script>alert(1)</script> The old PDF job, run as \u202efdp.exe.

<!-- and drop the archive -->
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
    {
      phrase: 'no rollback',
      name: 'no rollback',
      evidence: 'nothing in the plan about rollback, but: remove the old view.',
      line: null,
      present: true,
      logRatio: 1.4,
    },
    {
      phrase: 'removes something',
      evidence: '- Point the reader at the new table and remove the old view.',
      line: 9,
      present: true,
      logRatio: 0.9,
    },
    {
      phrase: 'no tests',
      name: 'tests are covered',
      evidence: '- Run the invoice suite.',
      line: 10,
      present: false,
      logRatio: -0.4,
    },
  ],
  salience: 'What made me go from “approve” to “correct”: no rollback; removes something.',
  engine: 'case',
  engineReason: null,
  receipts: { prior: receiptId(900), posterior: receiptId(900) },
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
    { phrase: 'no rollback', salient: 7, present: 8, named: 6, rate: 0.6, listed: true, ignored: false },
    { phrase: 'no tests', salient: 4, present: 7, named: 0, rate: 0.4, listed: true, ignored: false },
    {
      phrase: 'untidy formatting',
      salient: 0,
      present: 9,
      named: 0,
      rate: 0.1,
      listed: false,
      ignored: true,
    },
  ],
  similar: [
    {
      id: gateId(6),
      title: 'Split the orders table',
      round: 1,
      outcome: of.status === 'open' ? null : 'correct',
      ts: at(84, 9, 0),
      similarity: 0.81,
    },
    {
      id: gateId(7),
      title: 'Split the orders table',
      round: 2,
      outcome: of.status === 'open' ? null : 'approve',
      ts: at(97, 9, 0),
      similarity: 0.74,
    },
  ],
})
