import { resolve } from 'node:path'
import type { Command } from 'commander'
import { ItemKind, Rung } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import { given, oneOf, parseMoment, type Run } from './context'
import { handleIn } from './ids'
import { modelLines } from './model-commands'
import { plural } from './words'

interface ExportOptions {
  out: string
  ceiling: string
  project?: string
  kind?: string
  since?: string
}

export function addUpkeepCommands(program: Command, run: Run): void {
  run(program.command('stats').description('how much there is'), async ({ call }) => {
    const value = await call('stats.get', {})
    const lines = Object.entries(value).map(
      ([name, n]) => `${name.padEnd(10)} ${typeof n === 'number' ? n : JSON.stringify(n)}`,
    )
    return { value, text: lines.join('\n') }
  })

  const curate = program
    .command('curate')
    .description('make rungs, rollups and cells of what waits; for up to a minute')
    .option('--until <moment>', 'idle: until nothing waits')
  run(curate, async ({ call }) => {
    const { until } = curate.opts<{ until?: string }>()
    if (until !== undefined && until !== 'idle') {
      throw new AppError('bad-input', 'Curating can go on until idle; no other moment is known.')
    }
    const value = await call('curate.run', { untilIdle: until === 'idle' })
    const { rungs, left } = value
    const lines = [
      `${value.arcs} arcs, ${rungs.L1} sentences, ${rungs.L2} distillations, ${value.rollups} rollups`,
      `${value.cells} cells, ${value.repeats.exact + value.repeats.near + value.repeats.paraphrase} repeats, ${value.echoes} echoes`,
      `still waiting: ${left.rungs} rungs, ${left.vectors} vectors, ${left.neighbours} neighbours`,
      ...modelLines(value.model),
    ]
    return { value, text: lines.join('\n') }
  })

  const doctor = program.command('doctor').description('is everything in its place')
  run(doctor, async ({ call }) => {
    const value = await call('doctor.run', {})
    const lines = value.checks.map(
      (check) =>
        `${check.ok ? 'ok  ' : 'FAIL'} ${check.name}: ${check.detail}${check.fix ? `\n     ${check.fix}` : ''}`,
    )
    return { value, text: lines.join('\n') }
  })

  const backup = program
    .command('backup')
    .description('a consistent copy of the database')
    .requiredOption('--out <file>')
  run(backup, async ({ call }) => {
    const value = await call('backup.run', { out: resolve(backup.opts<{ out: string }>().out) })
    return { value, text: `${value.file}, ${value.bytes} bytes` }
  })

  const verify = program
    .command('verify')
    .description('are the verbatim records still where they were')
    .argument('[handle...]')
  run(verify, async ({ call }, handles) => {
    const value = await call('items.verify', {
      ...given({ handles: handles.length > 0 ? handles.map(handleIn) : undefined }),
    })
    const lines = value.items.map((item) => `${item.handle}  ${item.status}`)
    return {
      value,
      text: [
        ...lines,
        `${value.checked} checked: ${value.unchanged} unchanged, ${value.moved} moved, ${value.changed} changed, ${value.gone} gone`,
      ].join('\n'),
    }
  })

  const share = program
    .command('export')
    .description('write memory to one file, nothing finer than the ceiling')
    .requiredOption('--out <file>')
    .requiredOption('--ceiling <rung>', Rung.options.join(', '))
    .option('--project <name>')
    .option('--kind <kind>', ItemKind.options.join(', '))
    .option('--since <date>')
  run(share, async ({ call }) => {
    const options = share.opts<ExportOptions>()
    const value = await call('export.run', {
      out: resolve(options.out),
      ceiling: oneOf(Rung, options.ceiling, 'rung'),
      ...given({
        project: options.project,
        kind: options.kind === undefined ? undefined : oneOf(ItemKind, options.kind, 'kind'),
        since: options.since === undefined ? undefined : parseMoment(options.since),
      }),
    })
    return {
      value,
      text: `${plural(value.items, 'item')} at ${value.ceiling} or coarser in ${value.file}, sha256 ${value.sha256}`,
    }
  })
}
