import type { Command } from 'commander'
import type { CellLine } from '../../../shared/journal'
import { given, parseCount, type Run } from './context'
import { plural } from './words'

export function addCellCommands(program: Command, run: Run): void {
  const cell = program.command('cell').description('neighbourhoods of related items')

  const list = cell
    .command('list')
    .description('cells, the largest first')
    .option('--project <name>')
    .option('--limit <n>', 'how many', '100')
  run(list, async ({ call }) => {
    const { project, limit } = list.opts<{ project?: string; limit: string }>()
    const value = await call('cells.list', { ...given({ project }), limit: parseCount(limit) })
    const more = value.total > value.cells.length ? [`and ${value.total - value.cells.length} more`] : []
    if (value.cells.length > 0) return { value, text: [...value.cells.map(lineOf), ...more].join('\n') }
    if (project === undefined) return { value, text: 'There are no cells yet.' }
    const { total } = await call('cells.list', { limit: 1 })
    return { value, text: `There are no cells in the project "${project}"; ${total} in all.` }
  })

  const show = cell
    .command('show')
    .description('one cell with its members')
    .argument('<cell>', 'its id, or its name')
  run(show, async ({ call }, [which = '']) => {
    const value = await call('cells.get', { cell: which })
    const lines = [
      lineOf(value),
      ...value.members.map(
        (one) => `  ${one.handle}  ${one.kind}  ${one.title.replace(/\s+/g, ' ').slice(0, 100)}`,
      ),
      ...value.adjacent.map((one) => `  beside: ${one.id}  ${one.name}  ${Math.round(100 * one.share)} %`),
    ]
    return { value, text: lines.join('\n') }
  })

  const rename = cell
    .command('rename')
    .description('give a cell a name')
    .argument('<cell>', 'its id, or its name')
    .argument('<name>')
  run(rename, async ({ call }, [which = '', name = '']) => {
    const value = await call('cells.rename', { cell: which, name })
    return { value, text: lineOf(value.cell) }
  })
}

const lineOf = (cell: CellLine): string =>
  [
    `${cell.id}  ${cell.name}  ${cell.project ?? ''}`,
    `  ${plural(cell.items, 'item')} in ${plural(cell.sessions, 'session')}, heat ${cell.heat}`,
    ...(cell.summary ? [`  ${cell.summary}`] : []),
  ].join('\n')
