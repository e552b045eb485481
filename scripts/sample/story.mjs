// The story of the bundled sample: a small shop, three projects, four weeks. All of it is invented.
import { claudeSession, genericSession } from './records.mjs'

export function sampleFiles() {
  return [
    refunds(),
    taxCodes(),
    ordersTable(),
    linter(),
    webhook(),
    csvExport(),
    rounding(),
    deploys(),
    legacyIndex(),
    ledger(),
  ]
}

function refunds() {
  const s = claudeSession({ name: 'refunds', project: 'shop-api', start: '2026-09-03T08:05:00Z' })
  s.asks('Retry the refunds webhook when the bank does not answer')
  s.reads('src/webhooks/refunds.ts')
  s.says('The handler answers 200 before the refund is written, so the bank never sends it again.')
  s.edits('src/webhooks/refunds.ts', 'await send(refund)', 'await withBackoff(() => send(refund))')
  s.runs('npm test -- refunds', '14 tests passed')
  s.says('Refunds are retried with exponential backoff, five times at most. All 14 refund tests pass.')
  s.wait(190)
  s.asks('A customer was refunded twice this afternoon. Find out why and stop it')
  s.runs('psql -c "select * from refunds where order_id = 88213"', '2 rows: both paid at 13:02', true)
  s.says(
    'The retry sends the refund again after a timeout although the bank had booked the first one. There is no key that would tell the bank it is the same refund.',
  )
  s.runs('git revert --no-edit HEAD', '[main 4c1d9e2] Revert "retry refunds"')
  s.says(
    'Reverted: backoff without an idempotency key charged the same refund twice. Keys have to come before retries.',
  )
  return s.file()
}

function taxCodes() {
  const s = claudeSession({ name: 'tax codes', project: 'ledger', start: '2026-09-08T09:10:00Z' })
  s.asks('Backfill the missing tax codes of last year')
  const plan = s.plans(
    '# Backfill tax codes\n\n## Steps\n\n1. Count the rows without a code.\n2. Fill them from the country table in batches of 1,000.\n3. Compare the totals of every month before and after.\n\n## Rollback\n\nThe old value stays in `tax_code_before` until the totals are signed off.\n\n## Tests\n\nThe tax suite, and a dry run on a copy.\n',
  )
  plan.approved()
  s.edits('migrations/0041_tax_codes.sql', '', 'update invoices set tax_code = c.code from countries c')
  s.runs('npm run migrate -- --dry-run', '18,204 rows would change')
  s.runs('npm test -- tax', '61 tests passed')
  s.says('Backfilled 18,204 tax codes in 19 batches; the totals of every month are unchanged.')
  return s.file()
}

function ordersTable() {
  const s = claudeSession({ name: 'orders table', project: 'shop-api', start: '2026-09-10T13:00:00Z' })
  s.asks('Split the orders table into orders and order lines, without downtime')
  const first = s.plans(
    '# Split the orders table\n\n## Steps\n\n1. Create `order_lines`.\n2. Copy all rows in one transaction.\n3. Drop the old columns.\n4. Deploy the new reader.\n',
  )
  first.sentBack(
    'Dropping the columns before the reader is out breaks every open page. And how do we get back?',
  )
  const second = s.plans(
    '# Split the orders table\n\n## Steps\n\n1. Create `order_lines`, write to both.\n2. Copy old rows in batches of 5,000, resumable by id.\n3. Deploy the new reader behind a switch.\n4. Drop the old columns one release later.\n\n## Rollback\n\nFlip the switch; the old columns are still written.\n\n## Tests\n\nThe order suite against both readers.\n',
  )
  second.approved()
  s.edits('src/orders/store.ts', 'insert into orders', 'insert into orders; insert into order_lines')
  s.edits('src/orders/reader.ts', 'from orders', 'from order_lines')
  s.edits('src/orders/switch.ts', '', 'export const readLines = flag("orders.lines")')
  s.runs('npm test -- orders', '3 failed: line total is null', true)
  s.edits('src/orders/reader.ts', 'line.total', 'line.total ?? 0')
  s.runs('npm test -- orders', '118 tests passed')
  s.says(
    'Orders and lines are written to both places; the reader sits behind `orders.lines`. Rows were copied in batches, none was locked longer than 0.4 s.',
  )
  return s.file()
}

function linter() {
  const s = claudeSession({ name: 'linter', project: 'shop-api', start: '2026-09-15T07:40:00Z' })
  s.asks('Upgrade the linter and fix what it finds')
  s.runs('npx biome migrate --write', 'configuration migrated')
  s.runs('npx biome check --write .', 'fixed 41 files')
  s.says('The linter is up to date; 41 files were reformatted, nothing else changed.')
  return s.file()
}

function webhook() {
  const s = claudeSession({ name: 'webhook', project: 'shop-api', start: '2026-09-22T07:12:00Z' })
  s.asks('Make the payment webhook retry safely, duplicates must not charge twice')
  s.reads('src/webhooks/payments.ts')
  s.reads('src/webhooks/store.ts')
  s.says('The handler answers before the write is done, and nothing tells two deliveries of one event apart.')
  const first = s.plans(
    '# Retry policy for the payment webhook\n\n## Steps\n\n1. Add a queue table for webhook events.\n2. A worker takes from the queue and retries five times.\n3. Answer 200 as soon as the event is queued.\n\n## Tests\n\nThe webhook suite.\n',
  )
  first.sentBack(
    'No new queue, use what we have. And tell me what happens to an event that arrives while we deploy.',
  )
  const second = s.plans(
    '# Retry policy for the payment webhook\n\n## Steps\n\n1. An idempotency key for each event, unique in the events table.\n2. Exponential backoff, five tries, then the dead-letter list.\n3. An event that arrives during a deploy stays in the events table and is tried again after 30 s.\n\n## Rollback\n\n`webhooks.retry` switches the old path back on.\n\n## Tests\n\nReplay of one event, replay during a deploy, the whole webhook suite.\n',
  )
  second.approved()
  s.edits('src/webhooks/keys.ts', '', 'export const eventKey = (event) => sha256(event.id)')
  s.edits('src/webhooks/store.ts', 'insert into events', 'insert into events (key, …) on conflict do nothing')
  s.edits('src/webhooks/retry.ts', '', 'export const delays = [1, 4, 16, 64, 256]')
  s.edits('test/webhooks/retry.test.ts', '', "test('a replay is ignored by its key')")
  s.runs('npm test -- webhooks', 'Error: Unique constraint failed: events.key, seen twice', true)
  s.edits('src/webhooks/store.ts', 'on conflict do nothing', 'on conflict (key) do nothing returning id')
  s.runs('npm test', '212 tests passed')
  s.says(
    'Replays are ignored by key; an event during a deploy waits in the events table and is tried again after 30 s; after five tries it goes to the dead-letter list. 212 tests pass.',
  )
  return s.file()
}

function csvExport() {
  const s = claudeSession({ name: 'csv export', project: 'finance-ui', start: '2026-09-22T09:05:00Z' })
  s.asks('Add a CSV export of invoices for finance')
  s.reads('src/invoices/table.tsx')
  const plan = s.plans(
    '# CSV export of invoices\n\n## Steps\n\n1. Stream rows from `/invoices.csv`.\n2. A button above the table, disabled while it runs.\n\n## Tests\n\nColumns, escaping, 100,000 rows without holding them in memory.\n\n## Open questions\n\nWhich date format does finance import?\n',
  )
  plan.approved()
  s.edits('src/invoices/export.ts', '', 'export async function* rows(query) {}')
  s.edits('src/invoices/table.tsx', '<Toolbar />', '<Toolbar><ExportButton /></Toolbar>')
  s.runs('npm test -- export', '9 tests passed')
  s.says(
    'The export streams its rows: 100,000 invoices in 2.1 s at 40 MB. The date format is still an open question for finance.',
  )
  return s.file()
}

function rounding() {
  const s = claudeSession({ name: 'rounding', project: 'finance-ui', start: '2026-09-25T11:20:00Z' })
  s.asks('Why does the totals row differ from the PDF by a cent?')
  s.reads('src/invoices/totals.ts')
  s.runs('npm test -- totals', 'expected 118.45, received 118.44', true)
  s.says(
    'The PDF rounds each line and then adds; the table adds and then rounds. Both are right by themselves.',
  )
  s.asks('Round the sum, half to even, in both places')
  s.edits('src/invoices/totals.ts', 'Math.round(sum * 100)', 'halfEven(sum * 100)')
  s.edits('src/pdf/totals.ts', 'lines.map(round)', 'halfEven(sum(lines) * 100)')
  s.runs('npm test', '87 tests passed')
  s.says('Table and PDF round the sum half to even; the totals of all 2,310 invoices of August agree.')
  return s.file()
}

function deploys() {
  return genericSession({
    name: 'deploy-notes',
    project: 'shop-api',
    start: '2026-09-27T14:00:00Z',
    goal: 'Drain webhook deliveries before a deploy',
    turns: [
      ['user', 'Drain webhook deliveries before a deploy, so that none is cut off halfway'],
      [
        'assistant',
        'The load balancer keeps a connection for 30 s after a pod is marked as leaving. Deliveries take 4 s at most.',
      ],
      ['user', 'Then wait ten seconds and no longer, people wait for the deploy'],
      [
        'assistant',
        'Pods are marked as leaving, wait ten seconds, then stop. In three deploys no delivery was cut off.',
      ],
    ],
  })
}

function legacyIndex() {
  const s = claudeSession({ name: 'legacy index', project: 'ledger', start: '2026-09-29T08:30:00Z' })
  s.asks('Drop the indexes that nothing reads')
  s.runs(
    'psql -c "select indexrelname, idx_scan from pg_stat_user_indexes"',
    'idx_legacy_orders 0, idx_invoice_month 9120',
  )
  const plan = s.plans(
    '# Drop unused indexes\n\n1. Drop `idx_legacy_orders`.\n2. Drop `idx_invoice_month`.\n',
  )
  plan.sentBack('idx_invoice_month is read 9,120 times. Only drop the legacy one, and concurrently.')
  s.runs('psql -c "drop index concurrently idx_legacy_orders"', 'DROP INDEX')
  s.says('Only `idx_legacy_orders` was dropped, concurrently; writes to orders are 6 % faster.')
  return s.file()
}

function ledger() {
  const s = claudeSession({ name: 'ledger', project: 'ledger', start: '2026-09-30T07:55:00Z' })
  s.asks(
    'The ledger has to be the only source of invoice truth by the end of the quarter. Find out what still reads the old view',
  )
  s.runs('grep -rn invoice_view src', 'src/reports/month.ts:14\nsrc/reports/year.ts:9\nsrc/pdf/invoice.ts:31')
  s.reads('src/reports/month.ts')
  s.reads('src/reports/year.ts')
  s.reads('src/pdf/invoice.ts')
  s.says(
    'Three places still read the invoice view: the monthly report, the yearly report and the PDF. None of them writes.',
  )
  s.wait(20)
  s.asks('Move the monthly report first and compare its numbers')
  s.edits('src/reports/month.ts', 'from invoice_view', 'from ledger_entries')
  s.runs('npm test -- month', 'expected 31 rows, received 30', true)
  s.edits('src/reports/month.ts', 'booked_at < :end', 'booked_at <= :end')
  s.runs('npm test -- month', '22 tests passed')
  s.says(
    'The monthly report reads the ledger. It had missed the last day of the month; its numbers now agree with the view for two years.',
  )
  return s.file()
}
