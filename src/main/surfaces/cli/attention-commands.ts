import type { Command } from 'commander'
import type { StoredTrace, TraceDifference, TraceId, TraceRow } from '../../../shared/attention'
import { minuteText } from '../../../shared/days'
import { ReceiptId } from '../../../shared/domain'
import { readMove } from '../../../shared/figures'
import { Tokenizer } from '../../../shared/recall'
import { given, oneOf, parseCount, type Run } from './context'
import { gateIn, traceIn } from './ids'

interface TraceOptions {
  gate?: string
  bid?: string
  limit?: string
  model?: boolean
}

interface TurnOptions {
  goal?: string
  project?: string
  plane?: string
  budget?: string
  tokenizer?: string
  inWindow?: boolean
}

/** The context for an agent's next turn, and what attention did with everything that bid for it. */
export function addAttentionCommands(program: Command, run: Run): void {
  const turn = program
    .command('turn')
    .description(
      'the context for the next turn of an agent’s session: the one at work last when none is named',
    )
    .argument('[session]', 'its id, the agent’s own id for it, or how one begins')
    .option('--goal <text>', 'what is asked now; else the session’s newest request')
    .option('--project <name>')
    .option('--plane <name>', 'how memory is recalled', 'garnish')
    .option('--budget <tokens>')
    .option('--tokenizer <name>', Tokenizer.options.join(', '))
    .option('--in-window', 'leave out what the agent still has before it')
  run(turn, async ({ call, say }, [session]) => {
    const { goal, project, plane, budget, tokenizer, inWindow } = turn.opts<TurnOptions>()
    const value = await call('turn.run', {
      ...given({
        session,
        goal,
        project,
        plane,
        inWindow,
        budget: budget === undefined ? undefined : parseCount(budget),
        tokenizer: tokenizer === undefined ? undefined : oneOf(Tokenizer, tokenizer, 'tokenizer'),
      }),
    })
    const { receipt, zone, mode } = value
    say(
      `${receipt.id}  ${receipt.path}  ${receipt.budget.spent} of ${receipt.budget.total} tokens  ${zone}, ${mode}  ${value.session ?? 'no session'}`,
    )
    return { value, text: value.frame }
  })

  const trace = program
    .command('trace')
    .description(
      'everything that bid for a context, and why it stands there or not; without an id the newest traces',
    )
    .argument('[id]', 'a trace, or the receipt it belongs to')
    .option('--gate <id>', 'list the traces of one gate')
    .option('--model', 'list the prompts to the language model only')
    .option('--bid <text>', 'only bids whose name or title holds this')
    .option('--limit <n>', 'how many to list')
  run(trace, async ({ call }, [id]) => {
    const { gate, bid, limit, model } = trace.opts<TraceOptions>()
    if (id !== undefined) {
      const value = await call('traces.get', wantedTrace(id))
      return { value, text: traceText(value, bid) }
    }
    const value = await call('traces.list', {
      ...given({ limit: limit === undefined ? undefined : parseCount(limit), ofModel: model }),
      ...(gate === undefined ? {} : { gate: gateIn(gate) }),
    })
    const lines = value.traces.map(
      (one) =>
        `${one.id}  ${minuteText(one.createdAt)}  ${one.purpose}  ${one.zone}  ${one.kept} of ${one.bids} bids, ${one.spent} of ${one.budget} tokens  ${one.goal.replace(/\s+/g, ' ').slice(0, 60)}`,
    )
    return { value, text: lines.length > 0 ? lines.join('\n') : 'no trace yet' }
  })
}

/** Whether `compare` was given traces rather than receipts. */
export const isTraceId = (text: string): boolean => text.startsWith('trc_')

/** A trace by its own id, or by its receipt's. */
function wantedTrace(text: string): { id: TraceId } | { receipt: ReceiptId } {
  const receipt = ReceiptId.safeParse(text)
  return receipt.success ? { receipt: receipt.data } : { id: traceIn(text) }
}

function traceText({ id, purpose, trace }: StoredTrace, bid: string | undefined): string {
  const wanted = bid?.toLowerCase()
  const rows = trace.rows
    .filter((row) => !wanted || `${row.bid} ${row.title}`.toLowerCase().includes(wanted))
    .sort((a, b) => (a.place ?? 1e9) - (b.place ?? 1e9) || b.salience - a.salience)
  const head = `${id}  ${purpose}  ${trace.mode}, ${trace.zone}  ${trace.spent} of ${trace.budget} tokens`
  const changes = trace.transitions.map(({ from, to, cause }) => `  ${from} → ${to}: ${cause}`)
  if (wanted && rows.length === 0) return `${head}\nno bid is called that`
  return [head, ...changes, ...rows.map((row) => rowText(row, wanted !== undefined))].join('\n')
}

function rowText(row: TraceRow, whole: boolean): string {
  const fate = row.verdict === 'dropped' ? 'out' : (row.level ?? '')
  const why = row.reason === null ? '' : `  ${row.reason}${row.detail === '' ? '' : `: ${row.detail}`}`
  const line = `${fate.padEnd(4)}${row.source}  ${row.salience.toFixed(3)}  ${Math.ceil(row.tokens)} tokens  ${row.title}${why}`
  if (!whole) return line
  const terms = Object.entries(row.terms).map(([name, value]) => `${name} ${value.toFixed(2)}`)
  return `${line}\n    ${row.bid}: ${terms.join(', ')}${row.pin ? '; pinned' : ''}${row.rendered ? '' : '; its text was never made'}`
}

/** Bids that fared differently, as lines. */
export function differencesText(differences: readonly TraceDifference[]): string {
  if (differences.length === 0) return 'every bid fared the same'
  const fate = (side: TraceDifference['before']): string =>
    side === null
      ? 'no bid'
      : `${side.verdict === 'dropped' ? `out (${side.reason ?? 'no reason'})` : (side.level ?? side.verdict)} ${side.salience.toFixed(3)}`
  return differences
    .map(({ title, source, before, after, moved }) => {
      const terms = moved
        .filter(({ from, to }) => readMove(from, to, 2) !== 0)
        .map(({ name, from, to }) => `${name} ${from.toFixed(2)} → ${to.toFixed(2)}`)
      return `${fate(before)} → ${fate(after)}  ${source}  ${title}${terms.length > 0 ? `\n    ${terms.join(', ')}` : ''}`
    })
    .join('\n')
}
