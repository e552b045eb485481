import type { BidSource, StoredTrace, TraceRow } from '@shared/attention'
import type { ReceiptId, Rung } from '@shared/domain'
import type { Receipt, ReceiptLine } from '@shared/recall'
import { gateId, handle, receiptId, today } from './ids'
import { receipt } from './recall'

// One prediction's second pass, invented.

type Given = [BidSource, string, Rung | null, number, number, TraceRow['reason'], string]

const given: Given[] = [
  ['safety', 'How this is to be read', 'L0', 1, 24, null, ''],
  ['identity', 'Whom this is for', 'L0', 1, 27, null, ''],
  ['situation', 'Where the gate stands', 'L0', 1, 41, null, ''],
  ['attention-map', 'rollback', 'L0', 0.86, 22, null, ''],
  ['recall', 'Move the ledger (sent back for correction)', 'L0', 0.71, 58, null, ''],
  ['recall', 'Webhook retries with a queue table (rejected)', 'L3', 0.62, 21, 'budget', ''],
  ['session-history', 'The person asked: make the payment webhook safe to retry', 'L0', 0.6, 34, null, ''],
  [
    'working-memory',
    'Version 1 of this was answered with “correct”. Keep the old view.',
    'L0',
    0.83,
    30,
    null,
    '',
  ],
  ['upstream', 'INTENT.md', 'L1', 0.9, 61, 'budget', ''],
  ['artifact', 'Retry policy for the payment webhook', 'L0', 1, 914, null, ''],
  ['percepts', 'migration', 'L0', 0.55, 19, null, ''],
  ['recall', 'Rename the exporter (approved)', null, 0.31, 18, 'budget', ''],
  [
    'group-activity',
    'Another session edits webhooks/keys.ts',
    null,
    0.2,
    22,
    'zone',
    'telemetry or gossip, gone in red',
  ],
  ['visual-scene', 'Screenshot of the dashboard', null, 0.1, 85, 'scene', 'distance 2 of 64, seen before'],
  ['recall', 'Move the ledger, sub-agent’s copy', null, 0.7, 44, 'duplicate', 'shown by recall:ledger'],
]

export const passReceiptId: ReceiptId = receiptId(900)

export const passReceipt: Receipt = {
  ...receipt(2, 'May the payment webhook be retried this way?', 'posterior', 6000),
  id: passReceiptId,
  facts: [],
  omitted: [],
  breadcrumbs: [],
}
passReceipt.request.viewer = 'proxy'

export const passTrace: StoredTrace = {
  id: passReceiptId.replace('rcp_', 'trc_') as StoredTrace['id'],
  faculty: 'proxy.attention',
  receipt: passReceiptId,
  gate: gateId(1),
  purpose: 'posterior',
  goal: passReceipt.goal,
  createdAt: today,
  trace: {
    mode: 'adaptive',
    scored: true,
    zone: 'red',
    transitions: [
      { from: 'green', to: 'amber', at: today - 60_000, cause: 'gate-opened' },
      { from: 'amber', to: 'red', at: today - 20_000, cause: 'alert' },
    ],
    asked: 6000,
    budget: 3000,
    spent: 1840,
    weights: { relevance: 1, recency: 0.5, importance: 0.5, surprise: 0.5, interrupt: 1 },
    rows: given.map(
      ([source, title, level, salience, tokens, reason, detail], i): TraceRow => ({
        bid: `${source}:${i}`,
        source,
        modality: source === 'group-activity' || source === 'visual-scene' ? 'exogenous' : 'endogenous',
        title,
        terms: {
          relevance: salience,
          spread: i % 3 === 0 ? Math.min(salience, 0.36) : 0,
          recency: 0.9 - i * 0.04,
          importance: 0.6,
          surprise: 0,
          interrupt: 0,
        },
        salience,
        pin: i < 3 || source === 'artifact',
        verdict: level === null ? 'dropped' : reason === null ? 'kept' : 'compressed',
        level,
        wanted: 'L0',
        reason,
        detail,
        tokens,
        rendered: level !== null,
        place: level === null ? null : i,
        handles: source === 'session-history' ? [handle(3)] : [],
      }),
    ),
  },
}

export const passLine: ReceiptLine = {
  id: passReceiptId,
  kind: 'prediction',
  goal: passReceipt.goal,
  plane: 'posterior',
  path: 'hybrid',
  spent: 1840,
  budget: 6000,
  facts: 1,
  createdAt: today,
}

/** An agent's turn and the one before it: the second is calm, so that others may speak again. */
export const turnReceiptIds: readonly [ReceiptId, ReceiptId] = [receiptId(901), receiptId(902)]

const turnReceipt = (at: 0 | 1): Receipt => {
  const made = receipt(3 + at, TURN_GOALS[at], 'turn:garnish', 1000)
  return {
    ...made,
    id: turnReceiptIds[at],
    request: { ...made.request, viewer: 'agent' },
    facts: [],
    omitted: [],
    breadcrumbs: [],
  }
}
const TURN_GOALS = ['Make the webhook retry idempotent', 'Now run the tests again'] as const

export const turnReceipts: readonly [Receipt, Receipt] = [turnReceipt(0), turnReceipt(1)]

const turnTrace = (at: 0 | 1): StoredTrace => {
  const { trace } = passTrace
  const calm = at === 1
  return {
    ...passTrace,
    id: turnReceiptIds[at].replace('rcp_', 'trc_') as StoredTrace['id'],
    faculty: 'claude-code:7d1f.attention',
    receipt: turnReceiptIds[at],
    gate: null,
    purpose: 'turn',
    goal: TURN_GOALS[at],
    createdAt: today - (1 - at) * 600_000,
    trace: {
      ...trace,
      zone: calm ? 'green' : 'red',
      transitions: calm ? [] : trace.transitions,
      asked: 1000,
      budget: calm ? 1000 : 500,
      spent: calm ? 871 : 463,
      rows: trace.rows
        .filter((_, i) => !calm || i !== 4)
        .map((row, i): TraceRow => {
          if (!calm) return row
          const back = row.source === 'group-activity'
          const gone = row.source === 'session-history'
          const moved = { ...row, salience: Math.min(1, row.salience + (i % 2) * 0.08) }
          if (back)
            return {
              ...moved,
              verdict: 'kept',
              level: 'L0',
              reason: null,
              detail: '',
              rendered: true,
              place: i,
            }
          if (gone)
            return {
              ...moved,
              verdict: 'dropped',
              level: null,
              reason: 'duplicate',
              detail: 'shown by recall:note',
              place: null,
            }
          if (row.verdict === 'compressed') return { ...moved, verdict: 'kept', level: 'L0', reason: null }
          return row.reason === 'scene' ? { ...moved, reason: 'faded', detail: '' } : moved
        }),
    },
  }
}

export const turnTraces: readonly [StoredTrace, StoredTrace] = [turnTrace(0), turnTrace(1)]

export const turnLines: readonly ReceiptLine[] = turnReceipts.map((made, at) => ({
  ...passLine,
  id: made.id,
  kind: 'hydrate',
  goal: made.request.goal,
  plane: 'turn:garnish',
  spent: at === 0 ? 463 : 871,
  budget: 1000,
  createdAt: today - (1 - at) * 600_000,
}))
