import type { Command } from 'commander'
import type { SourceView } from '../../../shared/journal'
import type { Run } from './context'
import { plural } from './words'

export function addSourceCommands(program: Command, run: Run): void {
  const source = program.command('source').description('folders and files that Fovea reads')

  run(source.command('list').description('what is enrolled'), async ({ call }) => {
    const value = await call('sources.list', {})
    return {
      value,
      text: value.sources.map(sourceLine).join('\n') || 'No source is enrolled. Try: fovea source detect',
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
  const remove = source
    .command('remove')
    .description('stop reading a source and keep, or forget, what came from it')
    .argument('<id>')
    .option('--forget', 'delete its items too')
  run(remove, async ({ call }, [id = '']) => {
    const value = await call('sources.remove', { id, keep: !remove.opts<{ forget?: boolean }>().forget })
    return {
      value,
      text:
        value.itemsForgotten > 0
          ? `removed; ${plural(value.itemsForgotten, 'item')} forgotten`
          : 'removed; its items are kept',
    }
  })
  const health = source
    .command('health')
    .description('what was read, left out and unreadable, by file and line')
    .argument('<id>')
  run(health, async ({ call }, [id = '']) => {
    const value = await call('sources.health', { id })
    const { records } = value
    const lines = [
      sourceLine(value.source),
      `${records.read} records: ${records.used} used, ${records.attached} attached, ${records.duplicates} repeated, ${records.errors} unreadable`,
      ...Object.entries(records.dropped).map(([reason, n]) => `  ${n} left out: ${reason}`),
      ...value.unreadable.map((one) => `  ${one.file}: ${one.reason}`),
      ...value.errors.map((one) => `  ${one.file}:${one.line} ${one.reason}`),
    ]
    return { value, text: lines.join('\n') }
  })
}

const sourceLine = (source: SourceView): string =>
  `${source.id}  ${source.state}  ${plural(source.files, 'file')}, ${plural(source.sessions, 'session')}, ${plural(source.items, 'item')}, ${source.errors} unreadable  ${source.path}`
