import type { Handle, ItemKind, Rung } from '@shared/domain'
import type { ArcLine, DayBucket, ItemDetail, ItemLine, RemovedSource, SourceView } from '@shared/journal'
import { at, dayOf, handle, pointer, receiptId, today } from './ids'

// Invented memory of an invented shop.

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
    awaySince: null,
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
    awaySince: null,
  },
]

export const removed: RemovedSource[] = [
  {
    id: 'src_3',
    path: '/home/mira/old-laptop/.claude/projects',
    kind: 'folder',
    removedAt: at(8, 9, 0),
    items: 412,
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
    const day = all[arc.day] ?? {
      day: arc.day,
      items: 0,
      arcs: 0,
      byKind: {},
      projects: [],
      rollup: arc.summary,
    }
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
      {
        level: 'L1',
        method: 'extractive',
        model: null,
        tokens: 14,
        text,
        why: 'not by qwen3:8b: the model said what does not stand in the text',
      },
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
    facts: decision
      ? [
          { subject: 'person', predicate: 'rejects', object: 'Retry queue for webhooks', method: 'rules' },
          { subject: 'person', predicate: 'wants', object: text, method: 'rules' },
        ]
      : [{ subject: arc?.session ?? 's', predicate: 'edits', object: 'payments/store.ts', method: 'rules' }],
    entities: [
      { kind: 'path', name: 'payments/store.ts', weight: 1, items: 14 },
      { kind: 'package', name: 'better-sqlite3', weight: 0.6, items: 3 },
      { kind: 'symbol', name: 'retryWithBackoff', weight: 0.3, items: 1 },
    ],
    cell: {
      id: 'cel_aaaabbbbccccdddd',
      name: 'retry, webhook, queue · store.ts',
      named: false,
      project: 'payments',
      items: 41,
      sessions: 6,
      since: at(40, 9, 0),
      until: at(0, 16, 0),
      tags: ['retry', 'webhook', 'queue', 'idempotency'],
      entities: ['payments/store.ts', 'better-sqlite3'],
    },
    repeats: null,
    labels: [],
    frames: [
      { receipt: receiptId(1), goal: 'the retry decision from the payments work', createdAt: at(0, 16, 12) },
      { receipt: receiptId(2), goal: 'idempotency of webhooks', createdAt: at(2, 11, 2) },
    ],
  }
}
