import type { Command } from 'commander'
import type { CallInput } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'
import type { CuratorEstimate, CuratorStatus, InstalledModels, ModelSettings } from '../../../shared/models'
import { given, parseCount, type Run } from './context'
import { plural } from './words'

interface ModelOptions {
  use?: string
  proxy?: string
  off?: boolean
  allowCloud?: string
  dailyTokens?: string
  window?: string
  host?: string
  pause?: boolean
  resume?: boolean
  estimate?: boolean
  askAgain?: boolean
}

export function addModelCommands(program: Command, run: Run): void {
  const models = program
    .command('models')
    .description('language models: what is installed, which one writes summaries, what it cost')
    .option('--use <name>', 'let this model write summaries')
    .option('--proxy <name>', 'let this model predict at gates')
    .option('--off', 'no model; rules do the work')
    .option('--allow-cloud <name>', 'allow a model that sends text out to a network')
    .option('--daily-tokens <n>', 'tokens that summaries may take in a day')
    .option('--window <n>', 'context window to ask for, in tokens')
    .option('--host <url>', 'where Ollama listens on this machine')
    .option('--pause', 'no summaries by the model until --resume')
    .option('--resume')
    .option('--estimate', 'what summarising everything would take')
    .option('--ask-again', 'ask once more where rules had the last word and another answer may be sound')
  run(models, async ({ call }) => {
    const options = models.opts<ModelOptions>()
    const before = (await call('settings.get', {})).models
    const change = changeOf(options, before)
    const settings =
      Object.keys(change).length === 0 ? before : (await call('settings.set', { models: change })).models
    const again = options.askAgain ? await call('curator.retry', {}) : undefined
    const [installed, status] = [await call('models.list', {}), await call('curator.status', {})]
    const estimate = options.estimate ? await call('curator.estimate', {}) : undefined
    return {
      value: { settings, installed, status, ...given({ estimate, again: again?.again }) },
      text: [
        ...installedLines(installed, settings),
        settings.curator === null ? 'Summaries are made by rules.' : `${settings.curator} writes summaries.`,
        ...modelLines(status),
        ...(again ? [`asked again: ${plural(again.again, 'subject')}`] : []),
        ...(estimate ? estimateLines(estimate) : []),
      ].join('\n'),
    }
  })
}

type Change = NonNullable<CallInput<'settings.set'>['models']>

function changeOf(options: ModelOptions, before: ModelSettings): Change {
  if (options.pause && options.resume) throw new AppError('bad-input', 'Give --pause or --resume, not both.')
  if (options.off && options.use) throw new AppError('bad-input', 'Give --use or --off, not both.')
  const allowed = options.allowCloud
  return given({
    curator: options.off ? null : options.use,
    proxy: options.proxy,
    allowCloud: allowed === undefined ? undefined : [...new Set([...before.allowCloud, allowed])],
    dailyTokens: options.dailyTokens === undefined ? undefined : parseCount(options.dailyTokens),
    window: options.window === undefined ? undefined : parseCount(options.window),
    host: options.host,
    paused: options.pause ? true : options.resume ? false : undefined,
  })
}

function installedLines(
  { models, refused, reason }: InstalledModels,
  { allowCloud }: ModelSettings,
): string[] {
  const away = refused.map((name) => `${name}${allowCloud.includes(name) ? ' (allowed)' : ''}`)
  return [
    models.length > 0 ? `on this machine: ${models.join(', ')}` : (reason ?? 'No model is installed.'),
    ...(away.length > 0 ? [`sends text out to a network: ${away.join(', ')}`] : []),
  ]
}

/** What the model did, cost and has left, for a person; nothing when none was ever chosen. */
export function modelLines(status: CuratorStatus): string[] {
  const { model, state, reason, left, today, total, made, kept } = status
  if (model === null && total.calls === 0) return []
  const waiting = left.arcs + left.rollups + left.cells + left.items
  return [
    ...(model === null ? [] : [`${model}: ${state}${reason === null ? '' : `. ${reason}`}`]),
    `by a model: ${plural(made, 'summary', 'summaries')}; ${plural(waiting, 'subject')} left, about ${left.tokens} tokens`,
    `today: ${plural(today.requests, 'request')}, ${today.promptTokens + today.answerTokens} of ${today.budget} tokens, ${(today.ms / 1000).toFixed(1)} s`,
    `so far: ${plural(total.requests, 'request')}, ${total.promptTokens + total.answerTokens} tokens, ${(total.ms / 1000).toFixed(1)} s`,
    ...kept.map((one) => `by rules: ${one.n}, because ${one.reason}`),
  ]
}

function estimateLines({ subjects, tokens }: CuratorEstimate): string[] {
  const parts = subjects.filter(({ n }) => n > 0).map(({ kind, n }) => plural(n, kind))
  return [`worth a summary: ${parts.join(', ') || 'nothing'}; about ${tokens} tokens`]
}
