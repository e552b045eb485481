import type { Command } from 'commander'
import { AppError } from '../../../shared/errors'
import type { RetentionPreview, RetentionRule } from '../../../shared/retention'
import { given, oneOf, parseCount, type Run } from './context'
import { plural } from './words'

const ON_OFF = { options: ['on', 'off'] as const }
const CONSTRAINED = { L0: 90, L1: 365, L2: 1825 } as const

interface SetOptions {
  source?: string
  l0?: string
  l1?: string
  l2?: string
  preset?: string
  automatic?: string
}

export function addRetentionCommands(program: Command, run: Run): void {
  const retention = program.command('retention').description('how long each level of detail is kept')

  run(retention.command('show').description('the rules, and what was let go so far'), async ({ call }) => {
    const value = await call('retention.get', {})
    const { L0, L1, L2 } = value.letGo
    const lines = value.rules.map(ruleLine)
    return {
      value,
      text: [
        ...(lines.length > 0 ? lines : ['Everything is kept.']),
        value.automatic
          ? 'what is due goes once a day while Fovea is open'
          : 'what is due goes when you run it',
        ...(value.ran
          ? [
              `by itself last: ${new Date(value.ran.at).toISOString()}, L0 ${value.ran.L0}, L1 ${value.ran.L1}, L2 ${value.ran.L2}`,
            ]
          : []),
        `let go so far: L0 ${L0}, L1 ${L1}, L2 ${L2}`,
      ].join('\n'),
    }
  })

  const set = retention
    .command('set')
    .description('days for which a level is kept, or "keep"; it goes with `retention run`, or by itself')
    .option('--source <id>', 'for one source; else for all without a rule of their own')
    .option('--l0 <days>', 'verbatim texts')
    .option('--l1 <days>', 'sentences')
    .option('--l2 <days>', 'distillations')
    .option('--preset <name>', 'constrained: 90, 365 and 1825 days; keep: everything')
    .option('--automatic <on|off>', 'let go what is due once a day while Fovea is open')
  run(set, async ({ call }) => {
    const options = set.opts<SetOptions>()
    const source = options.source ?? null
    const changed = changes(options).map(([level, days]) => ({ source, level, days }))
    const { rules } = await call('retention.get', {})
    const others = rules.filter(
      (rule) => !changed.some((one) => one.source === rule.source && one.level === rule.level),
    )
    const automatic =
      options.automatic === undefined ? undefined : oneOf(ON_OFF, options.automatic, 'automatic')
    const value = await call('retention.set', {
      rules: [...others, ...changed],
      ...given({ automatic: automatic === undefined ? undefined : automatic === 'on' }),
    })
    const preview = await call('retention.preview', {})
    return {
      value: { ...value, preview },
      text: [...value.rules.map(ruleLine), 'would go now:', ...previewLines(preview)].join('\n'),
    }
  })

  run(retention.command('preview').description('what would go by the rules that stand'), async ({ call }) => {
    const value = await call('retention.preview', {})
    return { value, text: previewLines(value).join('\n') }
  })

  const go = retention
    .command('run')
    .description('let go what the rules say')
    .option('--compact', 'write the database anew, so that the file is smaller')
  run(go, async ({ call }) => {
    const { compact = false } = go.opts<{ compact?: boolean }>()
    const value = await call('retention.run', { compact })
    const size = ({ bytes, free }: { bytes: number; free: number }): string =>
      `${bytes} bytes, ${free} of them free`
    return {
      value,
      text: [
        'let go:',
        ...previewLines(value),
        `the database was ${size(value.before)}; it is ${size(value.after)}`,
      ].join('\n'),
    }
  })
}

function changes({ l0, l1, l2, preset, automatic }: SetOptions): [RetentionRule['level'], number | null][] {
  if (preset === 'constrained')
    return [
      ['L0', CONSTRAINED.L0],
      ['L1', CONSTRAINED.L1],
      ['L2', CONSTRAINED.L2],
    ]
  if (preset === 'keep')
    return [
      ['L0', null],
      ['L1', null],
      ['L2', null],
    ]
  if (preset !== undefined)
    throw new AppError('bad-input', `There is no preset "${preset}": constrained, keep.`)
  const days = (text: string): number | null => (text === 'keep' ? null : parseCount(text))
  const given = { L0: l0, L1: l1, L2: l2 }
  const found = (['L0', 'L1', 'L2'] as const).flatMap((level): [RetentionRule['level'], number | null][] => {
    const text = given[level]
    return text === undefined ? [] : [[level, days(text)]]
  })
  if (found.length === 0 && automatic === undefined)
    throw new AppError('bad-input', 'Say which level: --l0, --l1, --l2 or --preset; or --automatic.')
  return found
}

const ruleLine = ({ source, level, days }: RetentionRule): string =>
  `${level}  ${days === null ? 'kept' : plural(days, 'day')}  ${source ?? 'every source'}`

function previewLines({ levels, sources, waiting }: RetentionPreview): string[] {
  const line = (name: string, of: RetentionPreview['levels']): string =>
    `  ${name}: ${(['L0', 'L1', 'L2'] as const).map((level) => `${level} ${plural(of[level].items, 'item')}, ${of[level].bytes} bytes`).join('; ')}`
  return [
    line('in all', levels),
    ...sources.map(({ source, levels: own }) => line(source ?? 'no source', own)),
    ...(waiting > 0
      ? [`  ${waiting} things wait for their rungs; what is due of them goes when they have them`]
      : []),
  ]
}
