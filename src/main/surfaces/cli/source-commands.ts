import type { Command } from 'commander'
import { minuteText } from '../../../shared/days'
import type { Erased, RemovedSource, SourceView } from '../../../shared/journal'
import type { Run } from './context'
import { atLine, plural } from './words'

export function addSourceCommands(program: Command, run: Run): void {
  const source = program.command('source').description('folders and files that Fovea reads')

  run(source.command('list').description('what is enrolled'), async ({ call }) => {
    const value = await call('sources.list', {})
    return {
      value,
      text:
        [...value.sources.map(sourceLine), ...value.removed.map(removedLine)].join('\n') ||
        'No source is enrolled. Try: fovea source detect',
    }
  })
  run(
    source.command('detect').description('transcript folders on this machine; nothing in them is read'),
    async ({ call }) => {
      const value = await call('sources.detect', {})
      const lines = value.candidates.map(
        (one) =>
          `${one.enrolled ? 'enrolled ' : '         '}${one.agent}  ${plural(one.files, 'file')}  ${one.path}`,
      )
      return {
        value,
        text: lines.join('\n') || 'No transcript folder was found. Give one: fovea ingest PATH',
      }
    },
  )
  const pause = source.command('pause').description('stop reading a source').argument('<id>')
  run(pause, async ({ call }, [id = '']) => {
    const value = await call('sources.pause', { id })
    return { value, text: sourceLine(value.source) }
  })
  const resume = source.command('resume').description('read a source again').argument('<id>')
  run(resume, async ({ call }, [id = '']) => {
    const value = await call('sources.resume', { id })
    return { value, text: sourceLine(value.source) }
  })
  const read = source
    .command('read')
    .description('look at a source again and read what is new')
    .argument('<id>')
  run(read, async ({ call }, [id = '']) => {
    const { source: found } = await call('sources.health', { id, limit: 1 })
    const value = await call('ingest.run', { paths: [found.path] })
    const { awaySince } = (await call('sources.health', { id, limit: 1 })).source
    if (awaySince === null)
      return { value, text: `${plural(value.new, 'new item')}, ${value.updated} updated` }
    return {
      value: { ...value, awaySince },
      text: `${found.path} is away since ${minuteText(awaySince)}; nothing was read, and what it brought before is kept`,
      failed: true,
    }
  })
  const remove = source
    .command('remove')
    .description('stop reading a source and keep, or forget, what came from it')
    .argument('<id>', 'a source; with --forget also one that was removed before, or a path')
    .option('--forget', 'erase its items and everything made from them')
  run(remove, async ({ call }, [id = '']) => {
    const value = await call('sources.remove', { id, keep: !remove.opts<{ forget?: boolean }>().forget })
    return { value, text: value.erased ? erasedLine(value.erased) : 'removed; its items are kept' }
  })
  const health = source
    .command('health')
    .description('what was read, left out and unreadable, by file and line')
    .argument('<id>')
  run(health, async ({ call }, [id = '']) => {
    const value = await call('sources.health', { id, limit: ALL })
    const { records } = value
    const lines = [
      sourceLine(value.source),
      `${records.read} records: ${records.used} used, ${records.attached} attached, ${records.duplicates} repeated, ${records.errors} unreadable`,
      ...Object.entries(records.dropped).map(([reason, n]) => `  ${n} left out: ${reason}`),
      ...value.unreadable.map((one) => `  ${one.file}: ${one.reason}`),
      ...value.errors.map((one) => `  ${atLine(one.file, one.line)} ${one.reason}`),
    ]
    return { value, text: lines.join('\n') }
  })
}

/** A person who asks on the command line gets every skipped record. */
const ALL = 1_000_000

const erasedLine = (erased: Erased): string =>
  [
    `removed; ${plural(erased.items, 'item')} forgotten`,
    erased.gates > 0 ? `${plural(erased.gates, 'gate')} of its transcripts` : '',
    erased.receipts > 0 ? `the text of ${plural(erased.receipts, 'receipt')}` : '',
    erased.predictions > 0 ? `words in ${plural(erased.predictions, 'prediction')} of your own gates` : '',
    erased.backups > 0
      ? `${plural(erased.backups, 'older copy', 'older copies')} of the database deleted`
      : '',
    erased.swept ? '' : 'the last traces go when the other programs that use this folder have ended',
  ]
    .filter((part) => part !== '')
    .join('; ')

const sourceLine = (source: SourceView): string =>
  `${source.id}  ${stateOf(source)}  ${plural(source.files, 'file')}, ${plural(source.sessions, 'session')}, ${plural(source.items, 'item')}, ${source.errors} unreadable  ${source.path}`

/** A source that is not where it was is not read, whatever its state says. */
const stateOf = ({ state, awaySince }: SourceView): string =>
  awaySince === null ? state : `${state === 'paused' ? 'paused, ' : ''}away since ${minuteText(awaySince)}`

const removedLine = (source: RemovedSource): string =>
  `${source.id}  removed ${minuteText(source.removedAt)}, ${plural(source.items, 'item')} kept (fovea source remove ${source.id} --forget)  ${source.path}`
