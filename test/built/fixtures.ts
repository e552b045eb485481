import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// A small Claude Code folder, written line by line as the agent writes it.

let uuid = 0
const base = Date.UTC(2026, 9, 3, 8, 0, 0)

interface Chain {
  session: string
  parent: string | null
  minute: number
}

function record(chain: Chain, type: 'user' | 'assistant', message: unknown, extra: object = {}): string {
  const id = `u${String(++uuid).padStart(6, '0')}`
  const line = JSON.stringify({
    type,
    uuid: id,
    parentUuid: chain.parent,
    sessionId: chain.session,
    cwd: '/srv/shop-api',
    gitBranch: 'main',
    version: '2.1.100',
    isSidechain: false,
    timestamp: new Date(base + chain.minute * 60_000).toISOString(),
    message,
    ...extra,
  })
  chain.parent = id
  chain.minute++
  return line
}

export const chainOf = (session: string, minute = 0): Chain => ({ session, parent: null, minute })

export const says = (chain: Chain, text: string): string =>
  record(chain, 'user', { role: 'user', content: text })

export const answers = (chain: Chain, text: string): string =>
  record(chain, 'assistant', {
    id: `m${uuid}`,
    role: 'assistant',
    model: 'claude-x',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  })

export const uses = (chain: Chain, id: string, name: string, input: object): string =>
  record(chain, 'assistant', {
    id: `m${uuid}`,
    role: 'assistant',
    model: 'claude-x',
    content: [{ type: 'tool_use', id, name, input }],
  })

export const results = (
  chain: Chain,
  id: string,
  content: string,
  extra: object = {},
  isError = false,
): string =>
  record(
    chain,
    'user',
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }],
    },
    extra,
  )

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"

/** Two sessions of one project: a webhook fix with a plan that is corrected, then approved; and a CSV export. */
export function writeTranscripts(folder: string): { webhook: string; csv: string } {
  const project = join(folder, 'projects', '-srv-shop-api')
  mkdirSync(project, { recursive: true })
  const webhook = chainOf('11111111-1111-4111-8111-111111111111')
  const plan1 = '# Retry policy\n\n## Steps\n1. Add a queue table for webhook events.\n2. Retry five times.\n'
  const plan2 =
    '# Retry policy\n\n## Steps\n1. Exponential backoff, an idempotency key for each event.\n\n## Rollback\nFlip the switch back.\n'
  const webhookLines = [
    says(webhook, 'Make the payment webhook retry safely, duplicates must not charge twice'),
    uses(webhook, 't1', 'Bash', { command: 'npm test -- webhooks', description: 'run tests' }),
    results(
      webhook,
      't1',
      'Error: Unique constraint failed: events.key',
      { toolUseResult: { stdout: '', stderr: 'Unique constraint failed: events.key' } },
      true,
    ),
    uses(webhook, 't2', 'ExitPlanMode', { plan: plan1 }),
    results(
      webhook,
      't2',
      `${REFUSED}no new queue, use what we have`,
      { toolUseResult: 'User rejected tool use' },
      true,
    ),
    uses(webhook, 't3', 'ExitPlanMode', { plan: plan2 }),
    results(
      webhook,
      't3',
      `User has approved your plan. You can now start coding.\n\n## Approved Plan:\n${plan2}`,
      { toolUseResult: { plan: plan2, isAgent: false } },
    ),
    uses(webhook, 't4', 'Edit', {
      file_path: '/srv/shop-api/src/webhooks/retry.ts',
      old_string: 'a',
      new_string: 'b',
    }),
    results(webhook, 't4', 'The file has been updated', {
      toolUseResult: { filePath: '/srv/shop-api/src/webhooks/retry.ts', structuredPatch: [] },
    }),
    answers(
      webhook,
      'Replays are ignored by key. The webhook backs off exponentially up to five tries; 212 tests pass.',
    ),
  ]
  const csv = chainOf('22222222-2222-4222-8222-222222222222', 200)
  const csvLines = [
    says(
      csv,
      'Add a CSV export of invoices for finance. The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    ),
    answers(csv, 'The CSV export streams rows from the ledger; the date format is still an open question.'),
  ]
  const webhookFile = join(project, `${webhook.session}.jsonl`)
  const csvFile = join(project, `${csv.session}.jsonl`)
  writeFileSync(webhookFile, `${webhookLines.join('\n')}\n`)
  writeFileSync(csvFile, `${csvLines.join('\n')}\n`)
  return { webhook: webhookFile, csv: csvFile }
}
