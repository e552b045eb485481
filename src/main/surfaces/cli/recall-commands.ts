import type { Command } from 'commander'
import { dayText } from '../../../shared/days'
import { ItemKind } from '../../../shared/domain'
import { readMove } from '../../../shared/figures'
import { type Comparison, type Receipt, Tokenizer } from '../../../shared/recall'
import { differencesText, isTraceId } from './attention-commands'
import { given, oneOf, parseCount, parseMoment, type Run } from './context'
import { receiptIn, traceIn } from './ids'

interface SearchOptions {
  project?: string
  kind?: string
  cell?: string
  since?: string
  limit?: string
}

interface HydrateOptions {
  goal: string
  plane?: string
  budget?: string
  project?: string
  asOf?: string
  tokenizer?: string
}

export function addRecallCommands(program: Command, run: Run): void {
  const search = program
    .command('search')
    .description('find items by words and meaning')
    .argument('<text>')
    .option('--project <name>')
    .option('--kind <kind>', ItemKind.options.join(', '))
    .option('--cell <cell>', 'a cell by id or by name')
    .option('--since <date>')
    .option('--limit <n>')
  run(search, async ({ call }, [text = '']) => {
    const options = search.opts<SearchOptions>()
    const value = await call('search.run', {
      text,
      ...given({
        project: options.project,
        kind: options.kind === undefined ? undefined : oneOf(ItemKind, options.kind, 'kind'),
        cell: options.cell,
        since: options.since === undefined ? undefined : parseMoment(options.since),
        limit: options.limit === undefined ? undefined : parseCount(options.limit),
      }),
    })
    const lines = value.hits.map(
      (hit) => `${hit.handle}  ${dayText(hit.ts)}  ${hit.kind}  ${hit.project ?? ''}\n  ${hit.snippet}`,
    )
    const left =
      value.leftOut > 0 ? [`${value.leftOut} more share no more than a frequent word with it.`] : []
    return { value, text: [...lines, ...left, pathLine(value.path, value.reason)].join('\n') }
  })

  const nearest = program
    .command('nearest')
    .description('items nearest in meaning')
    .argument('<text>')
    .option('--k <n>', 'how many', '10')
  run(nearest, async ({ call }, [text = '']) => {
    const value = await call('nearest.run', { text, k: parseCount(nearest.opts<{ k: string }>().k) })
    const lines = value.hits.map((hit) => `${hit.handle}  ${hit.score.toFixed(3)}`)
    return { value, text: [...lines, pathLine(value.path, value.reason)].join('\n') }
  })

  const hydrate = program
    .command('hydrate')
    .description('render the slice of memory a goal needs, with its receipt')
    .requiredOption('--goal <text>')
    .option('--plane <name>')
    .option('--budget <tokens>')
    .option('--project <name>')
    .option('--as-of <date>', 'as memory stood then')
    .option('--tokenizer <name>', Tokenizer.options.join(', '))
  run(hydrate, async ({ call, say }) => {
    const options = hydrate.opts<HydrateOptions>()
    const value = await call('hydrate.run', {
      goal: options.goal,
      ...given({
        plane: options.plane,
        budget: options.budget === undefined ? undefined : parseCount(options.budget),
        project: options.project,
        asOf: options.asOf === undefined ? undefined : parseMoment(options.asOf),
        tokenizer:
          options.tokenizer === undefined ? undefined : oneOf(Tokenizer, options.tokenizer, 'tokenizer'),
      }),
    })
    say(receiptLine(value.receipt))
    return { value, text: value.frame }
  })

  const receipt = program
    .command('receipt')
    .description('why a frame held what it held')
    .argument('<id>')
    .option('--replay', 'render the same request on today’s memory and compare')
  run(receipt, async ({ call }, [text = '']) => {
    const id = receiptIn(text)
    if (receipt.opts<{ replay?: boolean }>().replay) {
      const value = await call('receipts.replay', { id })
      const change = value.same
        ? 'the same facts at the same rungs'
        : `${value.added.length} came, ${value.removed.length} went, ${value.changed.length} changed rung`
      return { value, text: `${receiptLine(value.receipt)}\nreplayed today: ${change}` }
    }
    const value = (await call('receipts.get', { id })).receipt
    return { value, text: receiptText(value) }
  })
  addHindsightCommands(program, run)
}

/** Commands over what a recall left behind. */
function addHindsightCommands(program: Command, run: Run): void {
  const lastTry = program
    .command('last-try')
    .description('when something was last tried, how it ended, and what changed since')
    .argument('<text>')
    .option('--project <name>')
    .option('--limit <n>')
  run(lastTry, async ({ call }, [text = '']) => {
    const { project, limit } = lastTry.opts<{ project?: string; limit?: string }>()
    const value = await call('lastTry.run', {
      text,
      ...given({ project, limit: limit === undefined ? undefined : parseCount(limit) }),
    })
    const lines = value.attempts.flatMap((one) => [
      `${dayText(one.startedAt)}  ${one.outcome}  ${one.goal}  ${one.project ?? ''}\n  ${one.text}`,
      ...(one.end ? [`  ended ${dayText(one.end.ts)}: ${one.end.text}`] : []),
      ...one.changedSince.map((file) => `  since then ${file.path} changed ${file.changes}×`),
    ])
    const far =
      value.near || lines.length === 0
        ? []
        : ['Nothing like it was tried, as far as memory tells. The nearest:']
    return { value, text: [...far, ...lines, pathLine(value.path, value.reason)].join('\n') }
  })

  const compare = program
    .command('compare')
    .description('two receipts side by side, or two traces')
    .argument('<before>')
    .argument('<after>')
  run(compare, async ({ call }, [before = '', after = '']) => {
    if (isTraceId(before) || isTraceId(after)) {
      const value = await call('traces.compare', { before: traceIn(before), after: traceIn(after) })
      return { value, text: differencesText(value.differences) }
    }
    const value = await call('receipts.compare', { before: receiptIn(before), after: receiptIn(after) })
    const lines = [
      ...value.request.map((one) => `${one.field}: ${one.before} → ${one.after}`),
      ...value.added.map((handle) => `+ ${handle}`),
      ...value.removed.map((handle) => `- ${handle}`),
      ...value.changed.map((one) => `~ ${one.handle}  ${one.from} → ${one.to}`),
      ...value.moved.flatMap(movedLine).slice(0, 20),
    ]
    return { value, text: lines.length > 0 ? lines.join('\n') : 'the same facts, with the same scores' }
  })
}

/** What reads differently of a fact whose score moved; nothing when it moved by less than is shown. */
function movedLine({ handle, from, to, terms }: Comparison['moved'][number]): string[] {
  const read = terms
    .filter((term) => readMove(term.from, term.to, 2) !== 0)
    .map((term) => `${term.name} ${term.from.toFixed(2)} → ${term.to.toFixed(2)}`)
  if (readMove(from, to, 3) === 0 && read.length === 0) return []
  return [
    `  ${handle}  ${from.toFixed(3)} → ${to.toFixed(3)}${read.length > 0 ? `: ${read.join(', ')}` : ''}`,
  ]
}

const pathLine = (path: string, reason: string | null): string => `(${path}${reason ? `: ${reason}` : ''})`

const receiptLine = (receipt: Receipt): string =>
  `${receipt.id}  ${receipt.path}  ${receipt.budget.spent} of ${receipt.budget.total} tokens  ${receipt.facts.length} facts, ${receipt.omitted.length} near misses`

function receiptText(receipt: Receipt): string {
  const facts = receipt.facts.map((fact) => {
    const terms = Object.entries(fact.terms).map(([name, value]) => `${name} ${value.toFixed(2)}`)
    return `${fact.level} ${fact.handle}  ${fact.tokens} tokens  by ${fact.seededBy.join('+')}, hop ${fact.hop}: ${terms.join(', ')}\n   ${fact.pointer.file}:${fact.pointer.line}`
  })
  const missed = receipt.omitted.map((one) => `-- ${one.handle}  ${one.reason}  ${one.title}`)
  const lesser = Object.entries(receipt.paths).flatMap(([name, path]) =>
    path.reason ? [`${name}: ${path.path}, ${path.reason}`] : [],
  )
  return [
    receiptLine(receipt),
    `goal: ${receipt.goal}`,
    ...lesser,
    ...facts,
    ...missed,
    ...receipt.breadcrumbs,
  ].join('\n')
}
